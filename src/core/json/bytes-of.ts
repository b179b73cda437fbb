import { stringifyJson } from './stringify.ts'
import type { JsonValue } from './value.ts'

const encoder = new TextEncoder()

/** How many bytes of UTF-8 a value has as JSON text. */
export function bytesOf(value: JsonValue): number {
  return encoder.encode(stringifyJson(value)).length
}
