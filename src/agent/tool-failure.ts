import { messageOf } from '../core/message-of.ts'
import type { CallState } from '../core/run/state.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { FailureVerdict } from '../runtime/strict.ts'
import type { Task } from '../runtime/task.ts'

/** A call that failed: its tool threw, ran out of time, or nobody saw its outcome. */
export interface ToolFailure {
  readonly call: string
  readonly tool: string
  readonly code: string
  readonly message: string
  /** `uncertain`: nobody saw whether the effect took place. */
  readonly effect: 'none' | 'uncertain'
  readonly timedOut: boolean
}

/** Whether the model is told of a failure, or the run ends with it. A throw of the function ends it. */
export type OnToolFailure =
  | 'tell'
  | 'fail'
  | ((failure: ToolFailure) => 'tell' | 'fail' | Promise<'tell' | 'fail'>)

/** Asks the agent's rule about a failed call. */
export async function judgeFailure(
  task: Task,
  rule: OnToolFailure,
  call: CallState,
): Promise<FailureVerdict> {
  const { id, name: tool, end } = call
  if (end?.status !== 'failed' || rule === 'tell') return 'tell'
  const { code, message, effect, timedOut = false } = end
  const why = `The tool "${tool}" failed (${code}): ${message}`
  if (rule === 'fail') return { text: why, code }
  const failure = { call: id, tool, code, message, effect, timedOut }
  const asked = await runSideFunction(task, 'onToolFailure', () => rule(failure))
  if ('fault' in asked) return { text: `${why}; and onToolFailure failed: ${asked.fault}`, code }
  if (asked.value === 'tell') return 'tell'
  const fault = asked.value === 'fail' ? '' : `; and onToolFailure answered ${messageOf(asked.value, 100)}`
  return { text: `${why}${fault}`, code }
}
