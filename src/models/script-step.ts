import type { AssistantPart, DriverPart, FinishReason, Usage } from '../core/driver.ts'

/** A call in a scripted answer. */
export interface ScriptedCall {
  readonly name: string
  /** The arguments as a value; default `{}`. */
  readonly args?: unknown
  /** The arguments as the model would write them, right or wrong; wins over `args`. */
  readonly argumentsText?: string
  /** Default `call-<step>-<place>`. */
  readonly id?: string
}

/** One answer of a scripted model: a text, or reasoning, text and calls in that order. */
export type ScriptStep =
  | string
  | {
      readonly text?: string
      readonly reasoning?: string
      readonly calls?: readonly ScriptedCall[]
      /** Default `calls` when there are any, else `stop`. */
      readonly finish?: FinishReason
      /** Default `{}`: the provider did not say. */
      readonly usage?: Usage
      /** The provider fails with this message after what the step says. */
      readonly error?: string
      /** The stream ends without an end marker after what the step says. */
      readonly breakOff?: true
    }

/** What a driver reports for a step; the last part is its `finish`. */
export function partsOf(step: ScriptStep, stepNumber: number): DriverPart[] {
  const said = typeof step === 'string' ? { text: step } : step
  const { reasoning = '', text = '', calls = [], usage = {} } = said
  const proposed = calls.map((call, place) => toCallPart(call, `call-${stepNumber}-${place + 1}`))
  const parts: AssistantPart[] = [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...proposed,
  ]
  return [
    ...words(reasoning).map((delta) => ({ type: 'reasoning', delta }) as const),
    ...words(text).map((delta) => ({ type: 'text', delta }) as const),
    ...proposed.map(({ modelCallId, name }) => ({ type: 'call', modelCallId, name }) as const),
    { type: 'finish', reason: said.finish ?? (calls.length > 0 ? 'calls' : 'stop'), parts, usage },
  ]
}

function toCallPart(call: ScriptedCall, defaultId: string): Extract<AssistantPart, { kind: 'call' }> {
  return {
    kind: 'call',
    modelCallId: call.id ?? defaultId,
    name: call.name,
    argumentsText: call.argumentsText ?? JSON.stringify(call.args ?? {}),
  }
}

/** A text in pieces of a word and the white space after it; together they are the text. */
function words(text: string): string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? []
}
