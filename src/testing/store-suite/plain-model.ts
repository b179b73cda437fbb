import type {
  Append,
  AppendResult,
  IndexQuery,
  IndexRow,
  Lease,
  LeaseProof,
  StoredEvent,
} from '../../core/store.ts'

/** What a store should do, said as plainly as possible: lists that are searched from end to end. */
export class PlainModel {
  private events: StoredEvent[] = []
  private rows: IndexRow[] = []
  private keys: string[] = []
  private leases: (Lease & { released: boolean })[] = []

  append({ streams, rows = [], uniqueKeys = [], lease }: Append): AppendResult {
    if (lease !== undefined && !this.inForce(lease)) return { ok: false, conflict: 'lease' }
    const events = [...this.events]
    for (const { stream, after, events: added } of streams) {
      if (events.filter((event) => event.stream === stream).length !== after) {
        return { ok: false, conflict: 'sequence' }
      }
      added.forEach((each, index) => {
        events.push({ stream, sequence: after + index + 1, ...each })
      })
    }
    if (uniqueKeys.some((key) => this.keys.includes(key))) return { ok: false, conflict: 'unique' }
    this.events = events
    this.keys.push(...uniqueKeys)
    for (const row of rows) this.rows = [...this.rows.filter(({ id }) => id !== row.id), row]
    return { ok: true }
  }

  read(stream: string): StoredEvent[] {
    return this.events.filter((event) => event.stream === stream)
  }

  list({ status }: IndexQuery): IndexRow[] {
    const rows = this.rows.filter((row) => status === undefined || status.includes(row.status))
    return rows.sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
  }

  acquire(stream: string, owner: string, durationMs: number, now: number): Lease | undefined {
    const all = this.leases.filter((lease) => lease.stream === stream)
    const newest = all.at(-1)
    const held = newest !== undefined && !newest.released
    if (held && newest.owner !== owner && newest.expiresAt > now) return undefined
    const epoch = held && newest.owner === owner ? newest.epoch : all.length + 1
    const lease = { stream, epoch, owner, expiresAt: now + durationMs }
    this.leases = [...this.leases.filter((each) => each.stream !== stream || each.epoch !== epoch)]
    this.leases.push({ ...lease, released: false })
    return lease
  }

  release(proof: LeaseProof): void {
    if (!this.inForce(proof)) return
    this.leases = this.leases.map((lease) =>
      lease.stream === proof.stream && lease.epoch === proof.epoch ? { ...lease, released: true } : lease,
    )
  }

  newestEpoch(stream: string): number {
    return this.leases.filter((lease) => lease.stream === stream).length
  }

  private inForce({ stream, epoch }: LeaseProof): boolean {
    const newest = this.leases.filter((lease) => lease.stream === stream).at(-1)
    return newest !== undefined && newest.epoch === epoch && !newest.released
  }
}
