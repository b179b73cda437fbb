import { JsonFault, JsonScanner } from './scanner.ts'
import type { JsonValue } from './value.ts'

/** What a text may cost. */
export interface ParseLimits {
  /** How deep objects and arrays may nest; default 64, never above 1,000. */
  readonly depthMax?: number
  /** How many bytes the text may have in UTF-8; default 1,048,576. */
  readonly bytesMax?: number
  /** How many members and elements the text may have in all its objects and arrays; default 100,000. */
  readonly membersMax?: number
}

/** A parsed value, or the first fault. `position` counts UTF-16 code units from 0. */
export type ParseResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: { readonly message: string; readonly position: number } }

/** The scanner recurses once a level: this bound keeps it far from the end of any engine's stack. */
const depthCeiling = 1_000

/**
 * Parses a JSON text (RFC 8259) and accepts nothing else. It never throws on a bad text.
 * Stricter than `JSON.parse`: a key that stands twice in one object, half a surrogate pair, a number
 * beyond the double range and a text beyond `limits` are faults. An integer beyond ±(2^53 - 1) written
 * without fraction and exponent becomes an exact `bigint`. Keys such as `__proto__` become own properties
 * of plain objects.
 */
export function parseJson(text: string, limits: ParseLimits = {}): ParseResult {
  const { depthMax = 64, bytesMax = 1_048_576, membersMax = 100_000 } = limits
  if (!fits(text, bytesMax)) return faulty(`The text is larger than ${bytesMax} bytes`, 0)
  if (!text.isWellFormed()) {
    const position = text.search(/\p{Surrogate}/u)
    return faulty(`Half of a surrogate pair stands at position ${position}`, position)
  }
  try {
    const scanner = new JsonScanner(text, { depthMax: Math.min(depthMax, depthCeiling), membersMax })
    return { ok: true, value: scanner.document() }
  } catch (thrown) {
    if (thrown instanceof JsonFault) return faulty(thrown.message, thrown.position)
    throw thrown
  }
}

/**
 * Parses the arguments of a call as a model wrote them. An empty text, or one of white space only, means `{}`:
 * models write that for a tool without parameters. Everything else is `parseJson`.
 */
export function parseArguments(text: string, limits: ParseLimits = {}): ParseResult {
  return text.trim() === '' ? { ok: true, value: {} } : parseJson(text, limits)
}

function faulty(message: string, position: number): ParseResult {
  return { ok: false, fault: { message, position } }
}

function fits(text: string, bytesMax: number): boolean {
  // A code unit takes at most three bytes, so that most texts need no count.
  if (text.length * 3 <= bytesMax) return true
  return text.length <= bytesMax && new TextEncoder().encode(text).length <= bytesMax
}
