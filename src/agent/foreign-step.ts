import { modelText } from '../core/call.ts'
import type { AssistantPart } from '../core/driver.ts'
import { isToolpostError, ToolpostError } from '../core/error.ts'
import { asJson } from '../core/json/as-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { checkOptions } from '../core/known-keys.ts'
import { messageOf } from '../core/message-of.ts'
import type { CallEnd, SessionState } from '../core/run/state.ts'
import type { Answer } from '../runtime/task.ts'
import { readParts, refuseUnbounded } from './read-answer.ts'
import type { RunResult } from './run-result.ts'

/** What another loop's model answered. */
export interface HandedInStep {
  /** What the user said, if the log shall hold it. */
  readonly input?: string
  readonly text?: string
  readonly calls: readonly {
    /** The id that the model gave; made up when it is left out. */
    readonly id?: string
    readonly name: string
    /** The arguments: the text that the model wrote, or the value that it was parsed to. */
    readonly arguments: unknown
  }[]
}

/** One call's outcome, to be handed back to the other loop's model. */
export interface HandedBackResult {
  /** Our own id. */
  readonly call: string
  /** The id that was handed in. */
  readonly id: string
  readonly name: string
  readonly status: CallEnd['status'] | 'waiting'
  /** `lower_snake`; only of calls that were refused or failed. */
  readonly code?: string
  /** What the model is to be told. */
  readonly text: string
  readonly isError: boolean
}

/** What became of a step. `waiting`: asks are open; `resume` goes on when they are decided. */
export interface StepResult {
  readonly run: string
  readonly status: RunResult['status']
  readonly tickets: readonly string[]
  readonly results: readonly HandedBackResult[]
}

/** What stands in the log where a run's model stands, for a step that another loop handed in. */
export const handedInModel = 'handed-in'

/** What is proposed when the calls of a handed-in step have ended: nothing more. */
export const nothingMore: Answer = { parts: [], finish: 'stop' }

/** Proposes exactly the calls that were handed in, and nothing after them. Errors: INVALID_ARGUMENT. */
export function foreignStep(handed: HandedInStep): (step: number) => Promise<Answer> {
  const parts = handedParts(handed)
  return async (step) => (step === 1 ? { parts, finish: 'stop' } : nothingMore)
}

function handedParts(handed: HandedInStep): AssistantPart[] {
  checkOptions(handed, ['input', 'text', 'calls'], 'session.step()')
  try {
    const text = handed.text === undefined || handed.text === '' ? [] : [{ kind: 'text', text: handed.text }]
    refuseUnbounded(handed.calls, 'calls')
    const calls = handed.calls.flatMap((call, index) => {
      checkOptions(call, ['id', 'name', 'arguments'], `session.step(), calls[${index}],`)
      const { id, name, arguments: args } = call
      const modelCallId = id ?? `call-${index + 1}`
      return readParts([{ kind: 'call', modelCallId, name, argumentsText: argumentsText(args) }], index)
    })
    return [...readParts(text), ...calls]
  } catch (error) {
    if (isToolpostError(error)) throw error
    throw new ToolpostError('INVALID_ARGUMENT', `The step cannot be read: ${messageOf(error, 500)}`)
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  const json = asJson(value ?? {})
  if (json === undefined)
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The arguments of a call must be JSON, or its text: ${whyNotJson(value)}.`,
    )
  return stringifyJson(json)
}

/** Reads the step's results off the log, in the order of the calls. */
export function stepResults(state: SessionState, result: RunResult): StepResult {
  const { run, status, tickets } = result
  const calls = [...state.calls.values()].filter((call) => call.run === run)
  const results = calls.map((call): HandedBackResult => {
    const { id, modelCallId, givenCallId, name, end } = call
    const code = end !== undefined && 'code' in end ? { code: end.code } : {}
    return {
      call: id,
      id: givenCallId ?? modelCallId,
      name,
      status: end?.status ?? 'waiting',
      ...code,
      ...modelText(call),
    }
  })
  return { run, status, tickets, results }
}
