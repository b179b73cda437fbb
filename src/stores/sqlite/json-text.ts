import { parseJson } from '../../core/json/strict.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonValue } from '../../core/json/value.ts'

// The store reads only what it wrote: its own bounds have been kept on the way in.
const unlimited = {
  depthMax: 1_000,
  bytesMax: Number.POSITIVE_INFINITY,
  membersMax: Number.POSITIVE_INFINITY,
}

/** Sixteen digits in a row may be an integer beyond 2^53, which `JSON.parse` would round. */
const perhapsLong = /\d{16}/

/** Plain data as JSON text that `fromJsonText` gives back equal. Throws LIMIT_EXCEEDED beyond 1,000 levels. */
export function toJsonText(value: unknown): string {
  return stringifyJson(value as JsonValue)
}

/** The value of a text that `toJsonText` wrote; undefined when the text is damaged. */
export function fromJsonText(text: string): unknown {
  if (perhapsLong.test(text)) {
    const parsed = parseJson(text, unlimited)
    return parsed.ok ? parsed.value : undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
