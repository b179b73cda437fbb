import type { Lease, LeaseProof } from '../../core/store.ts'
import type { Row, Statements } from './statements.ts'

const readSql = 'SELECT epoch, owner, expires_at, released FROM leases WHERE stream = ?'
const writeSql =
  'INSERT OR REPLACE INTO leases (stream, epoch, owner, expires_at, released) VALUES (?, ?, ?, ?, 0)'
const releaseSql = 'UPDATE leases SET released = 1, expires_at = 0 WHERE stream = ? AND epoch = ?'
const inForceSql = 'SELECT 1 FROM leases WHERE stream = ? AND epoch = ? AND released = 0'

/** The newest lease on a stream, also one that has run out or was released: that one expires at 0. */
export function readLease(statements: Statements, stream: string): Lease | undefined {
  const row = statements.get(readSql, stream)
  return row && leaseOf(stream, row)
}

/** Takes the lease, or renews it for the same owner; undefined while another holds it. */
export function takeLease(
  statements: Statements,
  stream: string,
  owner: string,
  durationMs: number,
  now: number,
): Lease | undefined {
  const row = statements.get(readSql, stream)
  const held = row?.released === 0 ? leaseOf(stream, row) : undefined
  if (held !== undefined && held.owner !== owner && held.expiresAt > now) return undefined
  const lastEpoch = (row?.epoch ?? 0) as number
  const epoch = held?.owner === owner ? lastEpoch : lastEpoch + 1
  const lease = { stream, epoch, owner, expiresAt: now + durationMs }
  statements.run(writeSql, stream, epoch, owner, lease.expiresAt)
  return lease
}

export function releaseLease(statements: Statements, { stream, epoch }: LeaseProof): void {
  statements.run(releaseSql, stream, epoch)
}

/** In force: the latest epoch, not released. One that ran out stays in force until somebody takes it over. */
export function isInForce(statements: Statements, { stream, epoch }: LeaseProof): boolean {
  return statements.get(inForceSql, stream, epoch) !== undefined
}

function leaseOf(stream: string, row: Row): Lease {
  const { epoch, owner, expires_at: expiresAt } = row as { epoch: number; owner: string; expires_at: number }
  return { stream, epoch, owner, expiresAt }
}
