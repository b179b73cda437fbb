import { PlainCopy } from './plain-copy.ts'
import { stringifyJson } from './stringify.ts'
import type { JsonValue } from './value.ts'

/** A tool's result as the model reads it. */
export interface Encoded {
  readonly text: string
  /** `text`: a string as it was; `empty`: nothing was returned; `json`: JSON text. */
  readonly kind: 'text' | 'empty' | 'json'
  /** JSON pointers of the places where something was replaced or dropped, at most 20. */
  readonly lossy: readonly string[]
}

/**
 * A tool's result as text for the model: a string as it is, undefined and null as the empty text, everything else as
 * JSON by the rules of `plainJson`. It never throws. A function or a symbol has no text and gives the empty one.
 */
export function encodeResult(value: unknown): Encoded {
  if (typeof value === 'string') return encodedText(value)
  const copy = new PlainCopy()
  const plain = copy.of(value)
  const { lossy } = copy
  if (plain === undefined || value === null) return { text: '', kind: 'empty', lossy }
  return { text: stringifyJson(plain), kind: 'json', lossy }
}

/** What somebody outside gave as JSON, as text for the model: a string as it is, anything else, null too, as its JSON. */
export function encodeJson(value: JsonValue): Encoded {
  if (typeof value === 'string') return encodedText(value)
  return { text: stringifyJson(value), kind: 'json', lossy: [] }
}

function encodedText(value: string): Encoded {
  return { text: value.toWellFormed(), kind: 'text', lossy: value.isWellFormed() ? [] : [''] }
}

/**
 * The JSON value that stands for any value, for a log. It never throws; getters and `toJSON` are asked once.
 *
 * As in `JSON.stringify`: `toJSON` is honoured, so that a Date is its ISO text and an invalid one null; NaN and
 * Infinity are null; an undefined, function or symbol member is left out and in an array is null. Beyond it:
 * - a bigint stays, exactly; a Set is an array; a Map is an object if all its keys are strings, else an array of pairs;
 * - an Error without `toJSON` is its name and message;
 * - bytes (Uint8Array, Buffer, ArrayBuffer, DataView) are base64 up to 65,536 bytes, then `[N bytes]`; another typed
 *   array is an array of numbers;
 * - half a surrogate pair is U+FFFD;
 * - `[circular]`, `[unreadable: MESSAGE]` for what throws, `[too deep]` at 100 levels and `[too many values]` after
 *   100,000 values stand where the value cannot; after 67,108,864 characters a text is `[N characters]`.
 */
export function plainJson(value: unknown): JsonValue {
  return new PlainCopy().of(value) ?? null
}
