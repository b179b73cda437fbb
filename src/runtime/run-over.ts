import type { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import type { ParentLink } from '../core/parent-link.ts'
import { overdue } from '../core/run/clocks.ts'
import type { SessionState } from '../core/run/state.ts'
import { closeEvents } from './cancel.ts'
import { childrenChangedCode } from './children.ts'
import { Journal, sessionStream } from './journal.ts'
import { isOwned } from './ownership.ts'
import type { RuntimeParts } from './parts.ts'

/** The codes of calls that were given up with what they had started beside themselves. */
const givenUp: readonly string[] = ['interrupted', childrenChangedCode]

/** Why a run may not go on, and who says so. */
export interface RunOver {
  readonly reason: Error
  readonly by: Actor
}

/**
 * Whether a child's run ends with what has become of the run above it. What was started beside a call goes on after it,
 * unless the call was given up or its run stopped.
 */
export function isEndedAbove({ calls, runs }: SessionState, { kind, call, run }: ParentLink): boolean {
  const end = calls.get(call)?.end
  const ended = runs.get(run)?.ended
  if (kind === 'dispatch') return false
  if (kind === 'run') return end !== undefined || ended !== undefined
  return ended?.status === 'cancelled' || (end?.status === 'failed' && givenUp.includes(end.code))
}

/** Why a child's run may not go on: one above it, with which it ends, has ended or is over by the clock. */
export async function overAbove(
  parts: RuntimeParts,
  { parent, openRun, runs }: SessionState,
): Promise<RunOver | undefined> {
  // The call above started the session's first run; what somebody begins in it later hangs on nobody.
  const [started] = runs.keys()
  if (openRun !== undefined && openRun !== started) return undefined
  for (let link = parent; link !== undefined && link.kind !== 'dispatch'; ) {
    const { state } = await Journal.open(parts.store, link.session, parts.clock)
    if (isEndedAbove(state, link)) return { reason: callHasEnded(), by: { id: 'runtime', method: 'abort' } }
    if (state.openRun !== link.run) return undefined
    const asked = state.runs.get(link.run)?.stopRequested
    if (asked !== undefined) return { reason: new Error(asked.reason), by: asked.by }
    const late = await overByClock(parts, state)
    if (late !== undefined) return { reason: late, by: timer }
    link = state.parent
  }
  return undefined
}

/** The reason of a child's run that nobody waits for any more. */
export function callHasEnded(): Error {
  return new Error('The call that started this run has ended.')
}

/**
 * Closes what an open run waits for, if the run is over, its own time or that of one above it: an answer that comes then
 * meets a closed ask. It does not matter whether anybody has looked for due timers; who does, or takes the run up, ends it.
 */
export async function closeIfOver(parts: RuntimeParts, journal: Journal): Promise<void> {
  await journal.refresh()
  if (waiting(journal.state).length === 0) return
  const own = await overByClock(parts, journal.state)
  const over = own === undefined ? await overAbove(parts, journal.state) : { reason: own, by: timer }
  if (over !== undefined) await journal.write((state) => closingEvents(state, over, parts.clock.now()))
}

const timer: Actor = { id: 'timer', method: 'expiry' }

/** Whoever drives a run, or carries a call of it outside, knows signs of life that stand in no log. */
async function overByClock(parts: RuntimeParts, state: SessionState): Promise<ToolpostError | undefined> {
  const late = overdue(state, parts.clock.now())
  if (late?.code !== 'IDLE_TIMEOUT') return late
  const isCarried = waiting(state).some((id) => state.calls.get(id)?.status === 'handed_out')
  return isCarried || (await isOwned(parts, sessionStream(state.id))) ? undefined : late
}

function closingEvents(state: SessionState, { reason, by }: RunOver, now: number): Event[] {
  const calls = waiting(state)
  const closing = closeEvents(state, state.openRun ?? '', `Stopped: ${reason.message}`, now, by)
  return closing.filter((event) => 'call' in event && calls.includes(event.call ?? ''))
}

/** The calls of a session's open run that somebody outside has to say something about. */
function waiting({ openRun, runs, calls }: SessionState): readonly string[] {
  const step = openRun === undefined ? [] : (runs.get(openRun)?.stepCalls ?? [])
  return step.filter((id) => ['asking', 'handed_out'].includes(calls.get(id)?.status ?? ''))
}
