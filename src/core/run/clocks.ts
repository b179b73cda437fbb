import { ToolpostError } from '../error.ts'
import type { CallState, RunState, SessionState } from './state.ts'

/** When a run counts as idle, if nothing happens in it until then. Milliseconds since 1970; infinite without a rule. */
export function idleAt({ idle, lastAt, startedAt }: RunState): number {
  return idle === undefined ? Number.POSITIVE_INFINITY : (lastAt ?? startedAt) + idle.timeoutMs
}

/**
 * Whether time without a sign of life counts against a run: not while a person is asked, unless its rule says so, and
 * not while a call of its newest step waits for a time or for agents that it has started, which have clocks of their own.
 * A call that was handed out has none: who carries it says that he is at work.
 */
export function countsIdle({ idle }: RunState, calls: readonly (CallState | undefined)[]): boolean {
  if (idle === undefined || calls.some((call) => call?.status === 'resting')) return false
  return idle.whileAsking === 'continue' || !calls.some((call) => call?.status === 'asking')
}

/** Why the open run of a session has to be stopped by now; undefined when it has not. */
export function overdue(state: SessionState, now: number): ToolpostError | undefined {
  const run = state.openRun === undefined ? undefined : state.runs.get(state.openRun)
  if (run === undefined) return undefined
  if (run.endsAt !== undefined && run.endsAt <= now) return tookTooLong(run)
  const calls = run.stepCalls.map((id) => state.calls.get(id))
  return idleAt(run) <= now && countsIdle(run, calls) ? wasIdle(run) : undefined
}

/** The reason of a run whose time is over. */
export function tookTooLong({ endsAt = 0, startedAt }: RunState): ToolpostError {
  return new ToolpostError('RUN_TIMEOUT', `The run took longer than its ${endsAt - startedAt} ms.`)
}

/** The reason of a run in which nothing has happened for too long. */
export function wasIdle({ idle }: RunState): ToolpostError {
  return new ToolpostError('IDLE_TIMEOUT', `Nothing happened in the run for ${idle?.timeoutMs ?? 0} ms.`)
}
