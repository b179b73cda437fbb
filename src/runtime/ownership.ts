import { ToolpostError } from '../core/error.ts'
import { limits } from '../core/limits.ts'
import type { Lease } from '../core/store.ts'
import type { RuntimeParts } from './parts.ts'

/** A session owned by this process: the lease is renewed until `release`. */
export interface Ownership {
  readonly lease: Lease
  /** Aborts with LEASE_LOST when somebody else took over. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/**
 * Takes a session for this process. An owner whose process has certainly ended is followed at once, any other
 * when its lease has run out. Errors: SESSION_BUSY while another owner shows signs of life.
 */
export async function ownSession(parts: RuntimeParts, stream: string): Promise<Ownership> {
  const lease = await acquire(parts, stream)
  const lost = new AbortController()
  const renewal = new Renewal(parts, lease, lost)
  return {
    lease,
    lost: lost.signal,
    release: async () => {
      await renewal.stop()
      await parts.store.releaseLease(lease)
    },
  }
}

async function acquire(parts: RuntimeParts, stream: string): Promise<Lease> {
  const { store, owner, clock, ids } = parts
  const now = clock.now()
  // Each drive owns for itself: a second one in the same process is as foreign as one in another.
  const name = `${owner.name}/${ids.next('owner')}`
  const lease = await store.acquireLease(stream, name, limits.leaseMs, now)
  if (lease !== undefined) return lease
  const other = await store.readLease(stream)
  if (other !== undefined && owner.hasEnded(processOf(other.owner))) {
    const taken = await store.acquireLease(stream, name, limits.leaseMs, Math.max(now, other.expiresAt))
    // Renewed at once, so that the lease ends ten seconds from now and not from when the other's would have.
    if (taken !== undefined) return (await store.acquireLease(stream, name, limits.leaseMs, now)) ?? taken
  }
  const until = other === undefined ? '' : ` until ${new Date(other.expiresAt).toISOString()} at least`
  throw new ToolpostError(
    'SESSION_BUSY',
    `This session is being driven, here or in another process${until}; wait, or answer its asks from here.`,
    {
      details: { stream, ...(other === undefined ? {} : { expiresAt: other.expiresAt }) },
    },
  )
}

/** Whether somebody drives a session: its lease has not run out, and its owner's process has not certainly ended. */
export async function isOwned({ store, clock, owner }: RuntimeParts, stream: string): Promise<boolean> {
  const lease = await store.readLease(stream)
  return lease !== undefined && lease.expiresAt > clock.now() && !owner.hasEnded(processOf(lease.owner))
}

/** The owner's name without the part that tells its drives apart. */
function processOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/'))
}

/** The error of whoever goes on with a session that another process has taken over. */
export function leaseLost(stream: string): ToolpostError {
  return new ToolpostError('LEASE_LOST', `Another process took over ${stream}; this one has stopped.`)
}

/** Renews a lease three times in its length, until it is stopped or somebody else took over. */
class Renewal {
  readonly #parts: RuntimeParts
  readonly #lease: Lease
  readonly #lost: AbortController
  #cancel: () => void = () => undefined
  #renewing: Promise<void> | undefined
  #isStopped = false

  constructor(parts: RuntimeParts, lease: Lease, lost: AbortController) {
    this.#parts = parts
    this.#lease = lease
    this.#lost = lost
    this.#later()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#renewing
  }

  #later(): void {
    if (this.#isStopped) return
    this.#cancel = this.#parts.clock.timer(limits.leaseMs / 3, () => {
      this.#renewing = this.#renew()
    })
  }

  async #renew(): Promise<void> {
    const { stream, owner, epoch } = this.#lease
    const { store, clock } = this.#parts
    const renewed = await store
      .acquireLease(stream, owner, limits.leaseMs, clock.now())
      .catch(() => undefined)
    if (renewed?.epoch === epoch) return this.#later()
    this.#lost.abort(leaseLost(stream))
  }
}
