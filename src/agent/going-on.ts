import { nextMove } from '../core/move/next.ts'
import type { SessionState } from '../core/run/state.ts'
import type { FailedTimers } from '../runtime/due-timers.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { isOwned } from '../runtime/ownership.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { isEndedAbove } from '../runtime/run-over.ts'
import { ChildLogs } from './children/child-logs.ts'

/**
 * The session by which somebody goes on with another: that at the top, as long as each run above holds the one below it;
 * a child that was dispatched, or whose run above has ended, goes on by its own.
 */
export async function goesOnBy(parts: RuntimeParts, state: SessionState): Promise<SessionState> {
  let at = state
  while (at.parent !== undefined && at.parent.kind !== 'dispatch') {
    const above = (await Journal.open(parts.store, at.parent.session, parts.clock)).state
    if (above.openRun !== at.parent.run) return at
    at = above
  }
  return at
}

/**
 * Of sessions whose run was stopped or can go on: those that are to be resumed for it, each once, as far as nobody drives
 * them.
 */
export async function goingOn(
  parts: RuntimeParts,
  sessions: readonly string[],
  onError: (failed: FailedTimers) => void,
): Promise<readonly string[]> {
  const going = new Set<string>()
  for (const session of sessions) {
    try {
      const { state } = await Journal.open(parts.store, session, parts.clock)
      const by = await goesOnBy(parts, state)
      if (await canBeResumed(parts, by, state)) going.add(by.id)
    } catch (error) {
      onError({ session, error })
    }
  }
  return [...going]
}

async function canBeResumed(parts: RuntimeParts, by: SessionState, due: SessionState): Promise<boolean> {
  const run = by.openRun === undefined ? undefined : by.runs.get(by.openRun)
  // A child that nobody waits for any more is to be stopped, and not to go on.
  if (run !== undefined && (await isLeft(parts, by))) return false
  if (run === undefined || (await isOwned(parts, sessionStream(by.id)))) return false
  if (due.openRun !== undefined) return true
  const { epoch } = (await parts.store.readLease(sessionStream(by.id))) ?? { epoch: 0 }
  const move = nextMove(by, run, epoch)
  if (move.move !== 'rest') return true
  const below = new ChildLogs(parts)
  const states = await Promise.all(move.resting.map((call) => below.ofCall(call)))
  return states.some(({ isReady }) => isReady)
}

async function isLeft({ store, clock }: RuntimeParts, { parent }: SessionState): Promise<boolean> {
  return (
    parent !== undefined && isEndedAbove((await Journal.open(store, parent.session, clock)).state, parent)
  )
}
