import { canonicalJson } from '../json/canonical.ts'
import { parseJson } from '../json/strict.ts'
import type { JsonValue } from '../json/value.ts'

/**
 * The value of another type that a scalar stands for without any loss, or undefined. `"5"` is 5; `"007"`, `" 5 "`,
 * `"1e3"` and `"1,000"` are none, since their numbers have another text.
 */
export function lossless(value: JsonValue, type: string): JsonValue | undefined {
  if (typeof value === 'string') return fromText(value, type)
  const isScalar = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  return type === 'string' && isScalar ? canonicalJson(value) : undefined
}

function fromText(text: string, type: string): JsonValue | undefined {
  switch (type) {
    case 'number':
    case 'integer':
      return numberFrom(text, type)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'null':
      return text === 'null' ? null : undefined
    case 'array':
    case 'object':
      return containerFrom(text, type)
    default:
      return undefined
  }
}

function numberFrom(text: string, type: 'number' | 'integer'): number | bigint | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || (typeof parsed.value !== 'number' && typeof parsed.value !== 'bigint')) return undefined
  if (canonicalJson(parsed.value) !== text) return undefined
  return type === 'integer' && typeof parsed.value === 'number' && !Number.isInteger(parsed.value)
    ? undefined
    : parsed.value
}

function containerFrom(text: string, type: 'array' | 'object'): JsonValue | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return undefined
  if (Array.isArray(parsed.value) !== (type === 'array')) return undefined
  const canonical = canonicalJson(parsed.value)
  const again = parseJson(canonical)
  return again.ok && canonicalJson(again.value) === canonical ? parsed.value : undefined
}
