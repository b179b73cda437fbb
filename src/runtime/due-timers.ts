import type { ToolpostError } from '../core/error.ts'
import { nextMove } from '../core/move/next.ts'
import { overdue } from '../core/run/clocks.ts'
import { expireAsks } from './expire.ts'
import { Journal } from './journal.ts'
import { listAll } from './list-all.ts'
import { isOwned } from './ownership.ts'
import type { RuntimeParts } from './parts.ts'

/** A session of which what is due could not be done. */
export interface FailedTimers {
  readonly session: string
  readonly error: unknown
}

/** How what is due is done. */
export interface DueTimers {
  /** Ends the open run of a session whose time is over; false when whoever drives it does that himself. */
  readonly stop: (journal: Journal, reason: ToolpostError) => Promise<boolean>
  /** Is told of a session that cannot be read, or whose run cannot be stopped; the others are not kept waiting by it. */
  readonly onError: (failed: FailedTimers) => void
}

/**
 * Does what is due by the clock, in every session of the store. Timers are rows, so they outlive whoever set them; what
 * one of them does is decided on the log, and so done once. Gives the sessions whose run was stopped, and those whose run
 * can go on because of a timer and has not been taken up since, whoever was told of it before.
 */
export async function runDueTimers(parts: RuntimeParts, due: DueTimers): Promise<readonly string[]> {
  const now = parts.clock.now()
  const sessions = new Set<string>()
  for await (const row of listAll(parts.store, { kind: 'timer', status: 'due' })) {
    if (row.at > now) break
    sessions.add(String(row.data.session))
  }
  const done = new Set<string>()
  for (const session of sessions) {
    try {
      if (await doDue(parts, due, session, now)) done.add(session)
    } catch (error) {
      due.onError({ session, error })
    }
  }
  return [...done]
}

/** Whether the session's run was stopped, or can go on. */
async function doDue(
  parts: RuntimeParts,
  { stop }: DueTimers,
  session: string,
  now: number,
): Promise<boolean> {
  const journal = await Journal.open(parts.store, session, parts.clock)
  const late = overdue(journal.state, now)
  // One that could not be stopped now keeps its timer, and goes on no more.
  if (late !== undefined) return await stop(journal, late)
  await expireAsks(journal, now)
  return restsUntil(journal, now) || (await isWoken(parts, journal))
}

/** Whether a timer has closed an ask that the run waited for, and nobody has gone on with the run since. */
async function isWoken(parts: RuntimeParts, { state, stream }: Journal): Promise<boolean> {
  const run = state.openRun === undefined ? undefined : state.runs.get(state.openRun)
  if (run?.woken?.isTaken !== false || (await isOwned(parts, stream))) return false
  const { epoch } = (await parts.store.readLease(stream)) ?? { epoch: 0 }
  return nextMove(state, run, epoch).move !== 'rest'
}

/** A call that gave its claim back until a time: whoever resumes its run claims it again. */
function restsUntil({ state }: Journal, now: number): boolean {
  const calls = state.openRun === undefined ? [] : (state.runs.get(state.openRun)?.stepCalls ?? [])
  return calls.some((id) => {
    const call = state.calls.get(id)
    return call?.status === 'resting' && (call.rest?.until ?? Number.POSITIVE_INFINITY) <= now
  })
}
