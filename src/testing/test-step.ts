import type { FinishReason, Usage } from '../core/driver.ts'
import type { ScriptedCall, ScriptStep } from '../models/script-step.ts'

/** The user says something: a run begins. */
export interface UserStep {
  readonly step: 'user'
  readonly text: string
}

/** The model answers. */
export interface ModelStep {
  readonly step: 'model'
  readonly answer: ScriptStep
}

/** Results in place of what tools would return, by the tools' names. */
export interface ResultStep {
  readonly step: 'result'
  readonly values: Readonly<Record<string, unknown>>
}

/** One step of a test's script. */
export type TestStep = UserStep | ModelStep | ResultStep

/** An answer of the model as a test writes it. */
export interface ModelAnswer {
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ScriptedCall[]
  /** Default `calls` when there are any, else `stop`. */
  readonly finish?: FinishReason
  readonly usage?: Usage
  /** The provider fails with this message after what the answer says. */
  readonly error?: string | Error
}

/** What the user says. */
export function user(text: string): UserStep {
  return { step: 'user', text }
}

/** What the model answers: a text, or a text and calls. */
export function model(answer: string | ModelAnswer): ModelStep {
  if (typeof answer === 'string') return { step: 'model', answer }
  const { toolCalls, error, ...said } = answer
  return {
    step: 'model',
    answer: {
      ...said,
      ...(toolCalls === undefined ? {} : { calls: toolCalls }),
      ...(error === undefined ? {} : { error: typeof error === 'string' ? error : error.message }),
    },
  }
}

/**
 * Results of calls whose tools do not run: `result({ check_stock: { onHand: 3 } })`. It stands after the model step
 * with the calls, or before it. All else of a call's way is walked: validation, policy, asks, `finalize`.
 *
 * A value is the result of every call of its tool in that step; a list holds one value for each of them, in order (a
 * result that is itself a list is a list in that list). An `Error` fails the call as if the tool had thrown it.
 */
export function result(values: Readonly<Record<string, unknown>>): ResultStep {
  return { step: 'result', values }
}
