import { expect } from 'vitest'
import { asJson } from '../../src/core/json/as-json.ts'
import { newSessionState } from '../../src/core/run/draft.ts'
import { fold } from '../../src/core/run/fold.ts'
import type { Session, StoredEvent } from '../../src/index.ts'

const ends = ['call.refused', 'call.cancelled', 'call.completed', 'call.failed']

/** How many ends each call of a log has. */
export function endsOf(events: readonly StoredEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { event } of events) {
    if (event.type === 'call.proposed') counts.set(event.call, counts.get(event.call) ?? 0)
    if (!ends.includes(event.type) || !('call' in event)) continue
    counts.set(event.call, (counts.get(event.call) ?? 0) + 1)
  }
  return counts
}

/**
 * Checks what every session must be like whose runs are over, whatever it was given: each call has exactly one
 * end, no run is open, and the log is plain JSON that folds to the state that the session has.
 */
export async function expectEndedWhole(session: Session, what: string): Promise<void> {
  const events = await session.events()
  for (const [call, count] of endsOf(events)) expect(count, `${what}: the ends of ${call}`).toBe(1)
  expect(session.state.openRun, `${what}: the open run`).toBeUndefined()
  for (const { event } of events) expect(asJson(event), `${what}: ${event.type} is JSON`).toEqual(event)
  const again = newSessionState()
  fold(again, events).commit()
  expect(again, `${what}: the log, folded anew`).toEqual(session.state)
}
