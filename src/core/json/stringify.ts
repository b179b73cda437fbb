import { ToolpostError } from '../error.ts'
import { quoted } from './quoted.ts'
import { isJsonArray, type JsonValue } from './value.ts'

const depthMax = 1_000

/**
 * Writes a JSON value as text without white space, such that `parseJson` gives the same value back: a `bigint` as
 * its exact digits, `-0` as `-0`, and a number that is an integer beyond 2^53 with an exponent, so that it stays a
 * number. For values that only the types forbid it does as its neighbours do: NaN is `null` and an undefined
 * member is left out, as in `JSON.stringify`; half a surrogate pair is U+FFFD, as in every UTF-8 encoder.
 * Throws LIMIT_EXCEEDED beyond 1,000 levels.
 */
export function stringifyJson(value: JsonValue): string {
  return write(value, 0)
}

function write(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return quoted(value.toWellFormed())
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth >= depthMax) {
    throw new ToolpostError('LIMIT_EXCEEDED', `The value is nested more than ${depthMax} deep; flatten it.`)
  }
  return isJsonArray(value) ? writeArray(value, depth + 1) : writeObject(value, depth + 1)
}

function writeArray(value: readonly JsonValue[], depth: number): string {
  let text = '['
  for (let index = 0; index < value.length; index += 1) {
    if (index > 0) text += ','
    text += write(value[index] ?? null, depth)
  }
  return `${text}]`
}

function writeObject(value: { readonly [key: string]: JsonValue }, depth: number): string {
  let text = ''
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${quoted(key.toWellFormed())}:${write(member, depth)}`
  }
  return `{${text}}`
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0'
  // Digits alone would be read back as a bigint.
  const isBareLong = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isBareLong ? value.toExponential() : String(value)
}
