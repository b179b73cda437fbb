import type { AssistantPart, Driver, DriverPart, ModelMessage, ToolResultPart } from '../../core/driver.ts'
import { ToolpostError } from '../../core/error.ts'
import { bytesOf } from '../../core/json/bytes-of.ts'
import { named } from '../../core/json/named.ts'
import { parseJson } from '../../core/json/strict.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import { isJsonObject, type JsonValue } from '../../core/json/value.ts'
import { limits } from '../../core/limits.ts'

/** What a part of a flow came to. */
export interface PartOutcome {
  readonly isOk: boolean
  /** What the next part is told; of a part that failed, why. */
  readonly text: string
  /** Its value, where it is more than a text. */
  readonly output?: JsonValue
}

/** How far a run of a flow is: what it was told, and the outcomes of its steps so far. */
export interface FlowPlace {
  readonly input: string
  readonly steps: readonly (readonly PartOutcome[])[]
}

/** What a flow does next. */
export type FlowMove =
  | {
      readonly calls: readonly { readonly tool: string; readonly input: string }[]
      /** What the input is, for the sentence that it is too large: `What step 1, "draft", of "report" gave`. */
      readonly told: string
    }
  | { readonly end: Pick<PartOutcome, 'text' | 'output'> }
  | { readonly fail: string }

/** The input of the first parts. */
export function whatFlowWasTold(name: string): string {
  return `What the flow ${named(name)} was told`
}

/** The tool by which a flow ends with a value. */
export const endName = 'flow_end'

/**
 * Proposes what a flow does next, from the history alone: the same history, the same proposal, in any process. What it
 * asks of the flow's own functions must be pure, for it is asked again after a restart.
 */
export function flowDriver(name: string, next: (place: FlowPlace) => FlowMove): Driver {
  return {
    name,
    async *propose({ messages }, signal): AsyncGenerator<DriverPart, void, undefined> {
      signal.throwIfAborted()
      const place = placeIn(messages)
      const move = next(place)
      if ('fail' in move) throw new ToolpostError('MODEL_FAILED', move.fail)
      const parts = partsOf(move, place.steps.length)
      yield { type: 'finish', reason: 'calls' in move ? 'calls' : 'stop', parts, usage: {} }
    },
  }
}

function partsOf(move: Exclude<FlowMove, { fail: string }>, step: number): AssistantPart[] {
  if ('calls' in move) {
    for (const { input } of move.calls) refuseLarge(move.told, input)
    return move.calls.map(({ tool, input }, index) => callOf(`${step + 1}.${index + 1}`, tool, { input }))
  }
  const { text, output } = move.end
  const said: AssistantPart[] = text === '' ? [] : [{ kind: 'text', text }]
  // Null is no value: a part that gives nothing, or what has no JSON, ends the flow all the same.
  return output === undefined || output === null ? said : [...said, callOf('end', endName, { output })]
}

/** Whoever gave too much is named, not the part that would have got it. */
function refuseLarge(told: string, input: string): void {
  const bytes = bytesOf({ input })
  if (bytes <= limits.argumentsBytesMax) return
  const sentence = `${told} has ${bytes} bytes as JSON, and at most ${limits.argumentsBytesMax} are passed on to a part.`
  throw new ToolpostError('MODEL_FAILED', sentence)
}

function callOf(modelCallId: string, name: string, args: JsonValue): AssistantPart {
  return { kind: 'call', modelCallId, name, argumentsText: stringifyJson(args) }
}

/** The run is what came after the newest thing that the flow was told. */
function placeIn(messages: readonly ModelMessage[]): FlowPlace {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  const told = messages[from]
  const steps = messages.slice(from + 1).flatMap((message) => (message.role === 'tool' ? [message] : []))
  return {
    input: told?.role === 'user' ? told.text : '',
    steps: steps.map(({ results }) => results.map(outcomeOf)),
  }
}

function outcomeOf({ text, isError }: ToolResultPart): PartOutcome {
  if (isError) return { isOk: false, text: text.replace(/^Error: /, '') }
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value) || typeof parsed.value.text !== 'string')
    return { isOk: true, text }
  const { text: said, output } = parsed.value
  return { isOk: true, text: said, ...(output === undefined ? {} : { output }) }
}
