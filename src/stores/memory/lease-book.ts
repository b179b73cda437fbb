import type { Lease, LeaseProof } from '../../core/store.ts'

interface Entry extends Lease {
  readonly isReleased: boolean
}

/** The leases of a memory store: the newest of each stream, kept after its end for its epoch. */
export class LeaseBook {
  private readonly entries = new Map<string, Entry>()

  acquire(stream: string, owner: string, durationMs: number, now: number): Lease | undefined {
    const newest = this.entries.get(stream)
    const held = newest?.isReleased === false ? newest : undefined
    if (held !== undefined && held.owner !== owner && held.expiresAt > now) return undefined
    const lastEpoch = newest?.epoch ?? 0
    const epoch = held?.owner === owner ? lastEpoch : lastEpoch + 1
    const entry = { stream, epoch, owner, expiresAt: now + durationMs, isReleased: false }
    this.entries.set(stream, entry)
    return leaseOf(entry)
  }

  /** Also one that has run out or was released: that one expires at 0. */
  read(stream: string): Lease | undefined {
    const newest = this.entries.get(stream)
    return newest && leaseOf(newest)
  }

  release(lease: LeaseProof): void {
    const newest = this.entries.get(lease.stream)
    if (newest?.epoch !== lease.epoch) return
    this.entries.set(lease.stream, { ...newest, expiresAt: 0, isReleased: true })
  }

  /** In force: the latest epoch, not released. One that ran out stays in force until somebody takes it over. */
  isInForce({ stream, epoch }: LeaseProof): boolean {
    const newest = this.entries.get(stream)
    return newest?.epoch === epoch && !newest.isReleased
  }
}

function leaseOf({ stream, epoch, owner, expiresAt }: Entry): Lease {
  return { stream, epoch, owner, expiresAt }
}
