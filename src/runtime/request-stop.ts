import { isToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import type { SessionState } from '../core/run/state.ts'
import type { Journal } from './journal.ts'
import { isOwned } from './ownership.ts'
import type { RuntimeParts } from './parts.ts'

/** Who asks for the end of a run that another drives, and why. */
export interface StopRequest {
  readonly run: string
  readonly reason: string
  readonly by: Actor
}

/** Asks whoever drives a run to end it, from any process; once is enough. A run that has ended is asked nothing. */
export async function requestStop(journal: Journal, request: StopRequest): Promise<void> {
  await journal.refresh()
  await journal.write((state) => stopEvents(state, request))
}

/** The event that asks for a run's end; none when it has ended, or was asked already. */
export function stopEvents({ runs }: SessionState, { run, reason, by }: StopRequest): readonly Event[] {
  const asked = runs.get(run)
  if (asked === undefined || asked.ended !== undefined || asked.stopRequested !== undefined) return []
  return [{ type: 'stop.requested', run, reason, by }]
}

/**
 * Waits until nobody drives the session of a run any more, or it has ended and another goes on; false when that did not
 * come in the time. Errors: SESSION_NOT_FOUND when the log was removed meanwhile.
 */
export async function untilFree(
  parts: RuntimeParts,
  journal: Journal,
  run: string,
  until: number,
): Promise<boolean> {
  const { store, clock } = parts
  let ring: () => void = () => undefined
  let isRung = false
  const stopWatching = store.watch(() => {
    isRung = true
    ring()
  }, journal.stream)
  try {
    for (;;) {
      isRung = false
      await journal.refresh()
      const { openRun } = journal.state
      if ((openRun !== undefined && openRun !== run) || !(await isOwned(parts, journal.stream))) return true
      const now = clock.now()
      if (now >= until) return false
      // A lease runs out in silence.
      const lease = await store.readLease(journal.stream)
      const waitMs = Math.max(1, Math.min(until - now, (lease?.expiresAt ?? now) - now))
      if (isRung) continue
      await new Promise<void>((resolve) => {
        const cancel = clock.timer(waitMs, resolve)
        ring = () => {
          cancel()
          resolve()
        }
      })
    }
  } finally {
    stopWatching()
  }
}

/** The session that was busy, as the error names it. */
export function busyStream(error: unknown): string | undefined {
  if (!isToolpostError(error) || error.code !== 'SESSION_BUSY') return undefined
  return typeof error.details.stream === 'string' ? error.details.stream : undefined
}
