import { foundJson } from '../json/found-json.ts'
import { type ParseLimits, parseJson } from '../json/strict.ts'
import type { JsonValue } from '../json/value.ts'
import { Declared, namedTypes } from './declared.ts'
import type { ToolSchema } from './schema.ts'

/** What a run's output has to be. */
export interface OutputRule {
  readonly schema: ToolSchema
  /** How many answers of a run are read as its output before the run fails. */
  readonly attemptsMax: number
}

/** What an answer's text can be read as, the likeliest first; or why it can be read as nothing. */
export type OutputReadings = { readonly values: readonly JsonValue[] } | { readonly fault: string }

/** Whether a schema takes texts, and whether it takes anything else. */
export function takesTexts({ jsonSchema }: ToolSchema): {
  readonly texts: boolean
  readonly others: boolean
} {
  const types = new Set<string>()
  for (const branch of new Declared(jsonSchema).branches(jsonSchema))
    for (const type of namedTypes(branch) ?? []) types.add(type)
  const texts = types.has('string')
  return { texts, others: !texts || types.size > 1 }
}

/**
 * Reads a model's words as a value of a schema. A schema of texts takes the words themselves; every other one takes
 * the JSON value in them.
 */
export function outputReadings(schema: ToolSchema, text: string, limits: ParseLimits): OutputReadings {
  const { texts, others } = takesTexts(schema)
  if (!texts) {
    const found = foundJson(text, limits)
    return found.ok ? { values: [found.value] } : { fault: noJson(text, found.fault.message) }
  }
  const parsed = others ? foundJson(text, limits) : parseJson(text, limits)
  const json = parsed.ok && (others || typeof parsed.value === 'string') ? [parsed.value] : []
  const words = text.trim() === text ? [text] : [text, text.trim()]
  return { values: others ? [...json, ...words] : [...words, ...json] }
}

function noJson(text: string, fault: string): string {
  if (text.trim() === '') return 'the answer is empty, and it must be a JSON value'
  return `the answer cannot be read as one JSON value: ${fault}`
}
