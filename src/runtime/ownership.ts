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
  const released = new AbortController()
  const renewal = renew(parts, lease, lost, released.signal)
  return {
    lease,
    lost: lost.signal,
    release: async () => {
      released.abort()
      await renewal
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
    if (taken !== undefined) return taken
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

/** The owner's name without the part that tells its drives apart. */
function processOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/'))
}

async function renew(
  parts: RuntimeParts,
  lease: Lease,
  lost: AbortController,
  released: AbortSignal,
): Promise<void> {
  for (;;) {
    const slept = await parts.clock.sleep(limits.leaseMs / 3, released).then(
      () => true,
      () => false,
    )
    if (!slept) return
    const renewed = await parts.store
      .acquireLease(lease.stream, lease.owner, limits.leaseMs, parts.clock.now())
      .catch(() => undefined)
    if (renewed?.epoch === lease.epoch) continue
    lost.abort(new ToolpostError('LEASE_LOST', `Another process took over ${lease.stream}.`))
    return
  }
}
