import { stringifyJson } from '../../json/stringify.ts'
import type { JsonValue } from '../../json/value.ts'

/** Characters of one value, and values of one list, that a sentence shows. */
const charactersMax = 60
const valuesMax = 20

/** A value as a sentence shows it: JSON, cut when it is long. */
export function show(value: JsonValue): string {
  const text = stringifyJson(value)
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1).toWellFormed()}…` : text
}

/** Several values as a sentence shows them. */
export function showAll(values: readonly JsonValue[]): string {
  const shown = values.slice(0, valuesMax).map(show).join(', ')
  return values.length > valuesMax ? `${shown} and ${values.length - valuesMax} more` : shown
}

/** `1 item`, `2 items`. */
export function counted(count: number | bigint, noun: string, plural = `${noun}s`): string {
  return `${count} ${Number(count) === 1 ? noun : plural}`
}
