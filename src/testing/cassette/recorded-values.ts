import type { AssistantPart, ProviderData } from '../../core/driver.ts'
import type { CallOutcome } from '../../core/event.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { Answer } from '../../runtime/task.ts'
import type { CassetteCall, CassetteOutcome, CassetteStep } from './cassette.ts'

/** The value of a JSON text of a cassette; such texts were checked when it was parsed. */
export function fromJsonText(json: string): JsonValue {
  const bounds = { depthMax: 1_000, bytesMax: Number.POSITIVE_INFINITY, membersMax: Number.POSITIVE_INFINITY }
  const parsed = parseJson(json, bounds)
  if (!parsed.ok) throw new Error(`A JSON text of a cassette is none: ${parsed.fault.message}`)
  return parsed.value
}

/** What the model answered in a step. */
export function answerOf({ parts, finish, usage, by, calls }: CassetteStep): Answer {
  const left = [...calls]
  const said = parts.map((part): AssistantPart => {
    if ('partJson' in part) return fromJsonText(part.partJson) as unknown as AssistantPart
    const provider =
      part.providerJson === undefined
        ? {}
        : { provider: fromJsonText(part.providerJson) as unknown as ProviderData }
    if (part.kind !== 'call') return { kind: part.kind, text: part.text, ...provider }
    // As many calls as places: that was checked when the cassette was parsed.
    const { name, argumentsText } = left.shift() as CassetteCall
    return { kind: part.kind, modelCallId: part.modelCallId, name, argumentsText, ...provider }
  })
  const facts = { ...(usage === undefined ? {} : { usage }), ...(by === undefined ? {} : { by }) }
  return { parts: said, finish, ...facts }
}

/** What a call that ran came to; undefined when it did not run. */
export function callOutcomeOf(outcome: CassetteOutcome | undefined): CallOutcome | undefined {
  if (outcome?.status === 'failed') return { ...outcome }
  if (outcome?.status !== 'completed') return undefined
  const { status, kind, text, large, control, valueJson } = outcome
  return {
    status,
    kind,
    text:
      large === undefined
        ? { inline: text }
        : { blob: large.handle, bytes: large.bytes, preview: large.shown },
    ...(control === undefined ? {} : { control }),
    ...(valueJson === undefined ? {} : { value: fromJsonText(valueJson) }),
  }
}
