import { messageOf } from '../core/message-of.ts'
import type { CallState } from '../core/run/state.ts'
import { treeLimitCode } from '../runtime/children.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { FailureVerdict } from '../runtime/strict.ts'
import type { Task } from '../runtime/task.ts'
import type { OrNothing } from './hooks.ts'

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

/**
 * Whether the model is told of a failure, or the run ends with it; with `strict` the run also ends with a call that was
 * refused: by its schema, by the policy, or by a person. A function that gives nothing leaves it at the
 * default, `tell`; a throw of it ends the run.
 */
export type OnToolFailure =
  | 'tell'
  | 'fail'
  | 'strict'
  | ((failure: ToolFailure) => OrNothing<'tell' | 'fail'>)

/** Asks the agent's rule about a failed call. */
export async function judgeFailure(
  task: Task,
  rule: OnToolFailure,
  call: CallState,
): Promise<FailureVerdict> {
  const { id, name: tool, end } = call
  if (end?.status === 'refused' && rule === 'strict')
    return { text: `The call of "${tool}" was refused (${end.code}): ${end.message}`, code: end.code }
  if (end?.status !== 'failed') return 'tell'
  const { code, message, effect, timedOut = false } = end
  // Whoever is told of it tries again, on every level of the tree.
  if (code === treeLimitCode) return { text: message, code: 'LIMIT_EXCEEDED' }
  if (rule === 'tell') return 'tell'
  const why = `The tool "${tool}" failed (${code}): ${message}`
  if (rule === 'fail' || rule === 'strict') return { text: why, code }
  const failure = { call: id, tool, code, message, effect, timedOut }
  const asked = await runSideFunction(task, 'onToolFailure', () => rule(failure))
  if ('fault' in asked && task.signal.aborted) return 'stopped'
  if ('fault' in asked) return { text: `${why}; and onToolFailure failed: ${asked.fault}`, code }
  const said = asked.value ?? 'tell'
  if (said === 'tell') return 'tell'
  const fault =
    said === 'fail' ? '' : `; and onToolFailure answered ${wordOf(said)}, neither "tell" nor "fail"`
  return { text: `${why}${fault}`, code }
}

function wordOf(said: unknown): string {
  return typeof said === 'string' ? messageOf(said, 100) : `a value of the type ${typeof said}`
}
