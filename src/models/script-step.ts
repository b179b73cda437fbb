import type { AnsweredPart, AssistantPart, DriverPart, FinishReason, Usage } from '../core/driver.ts'
import { asJson } from '../core/json/as-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import type { JsonValue } from '../core/json/value.ts'

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

/** A call of one of the provider's own tools in a scripted answer, with what it came to. */
export interface ScriptedProviderCall {
  readonly name: string
  /** Default `{}`. */
  readonly args?: unknown
  /** Default `{}`. */
  readonly result?: JsonValue
  /** Default false. */
  readonly isError?: boolean
  /** Default `provided-<step>-<place>`. */
  readonly id?: string
}

/** A file that a scripted model makes. */
export interface ScriptedFile {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/**
 * One answer of a scripted model: a text, or reasoning, the provider's own calls, text, files and calls in that
 * order.
 */
export type ScriptStep =
  | string
  | {
      readonly text?: string
      readonly reasoning?: string
      readonly calls?: readonly ScriptedCall[]
      readonly providerCalls?: readonly ScriptedProviderCall[]
      readonly files?: readonly ScriptedFile[]
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
  const { reasoning = '', text = '', calls = [], providerCalls = [], files = [], usage = {} } = said
  const proposed = calls.map((call, place) => toCallPart(call, `call-${stepNumber}-${place + 1}`))
  const parts: AnsweredPart[] = [
    ...(reasoning === '' ? [] : [{ kind: 'reasoning', text: reasoning } as const]),
    ...providerCalls.flatMap((call, place) => toProviderParts(call, `provided-${stepNumber}-${place + 1}`)),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...files.map((file) => ({ kind: 'made-file', ...file }) as const),
    ...proposed,
  ]
  return [
    ...words(reasoning).map((delta) => ({ type: 'reasoning', delta }) as const),
    ...words(text).map((delta) => ({ type: 'text', delta }) as const),
    ...proposed.map(({ modelCallId, name }) => ({ type: 'call', modelCallId, name }) as const),
    { type: 'finish', reason: said.finish ?? (calls.length > 0 ? 'calls' : 'stop'), parts, usage },
  ]
}

function toProviderParts(call: ScriptedProviderCall, defaultId: string): AnsweredPart[] {
  const { name, args = {}, result = {}, isError = false, id: modelCallId = defaultId } = call
  const own = { at: 'scripted', modelCallId, name }
  return [
    { kind: 'provider-call', ...own, argumentsText: textOf(args) },
    { kind: 'provider-result', ...own, value: result, isError },
  ]
}

function toCallPart(call: ScriptedCall, defaultId: string): Extract<AssistantPart, { kind: 'call' }> {
  return {
    kind: 'call',
    modelCallId: call.id ?? defaultId,
    name: call.name,
    argumentsText: call.argumentsText ?? textOf(call.args ?? {}),
  }
}

/** The text of what was found to be JSON, with numbers as models write them. */
function textOf(args: unknown): string {
  try {
    return JSON.stringify(args)
  } catch {
    // A BigInt, of which JSON.stringify knows nothing.
    return stringifyJson(asJson(args) ?? {})
  }
}

/** A text in pieces of a word and the white space after it; together they are the text. */
function words(text: string): string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? []
}
