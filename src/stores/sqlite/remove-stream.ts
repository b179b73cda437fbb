import type { LeaseProof } from '../../core/store.ts'
import { dropBlobsOf } from './blob-table.ts'
import { isInForce, releaseLease } from './lease-table.ts'
import type { Statements } from './statements.ts'

const dropEventsSql = 'DELETE FROM events WHERE stream = ?'
const dropRowsSql = 'DELETE FROM index_rows WHERE stream = ?'

/** Removes all of a stream but its epoch; false when the lease is not in force. */
export function removeStream(statements: Statements, lease: LeaseProof): boolean {
  if (!isInForce(statements, lease)) return false
  statements.run(dropEventsSql, lease.stream)
  statements.run(dropRowsSql, lease.stream)
  dropBlobsOf(statements, lease.stream)
  releaseLease(statements, lease)
  return true
}
