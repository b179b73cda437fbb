import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'

const depthMax = 64

/** Whether a value is JSON through and through, and nested no deeper than 64. */
export function isJson(value: unknown, depth = 0): value is JsonValue {
  if (value === null) return true
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return depth < depthMax && Object.values(value).every((member) => isJson(member, depth + 1))
    default:
      return false
  }
}

/** Whether two JSON values are the same, whatever the order of their keys. Numbers are compared as numbers. */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (isJsonArray(a)) {
    return isJsonArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]!))
  }
  return isJsonObject(a) ? isJsonObject(b) && equalObject(a, b) : equalLeaf(a, b)
}

function equalObject(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key]!, b[key]!))
}

function equalLeaf(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === typeof b) return a === b
  const mixed =
    (typeof a === 'bigint' && typeof b === 'number') || (typeof a === 'number' && typeof b === 'bigint')
  // Loose equality compares a bigint and a number exactly.
  // biome-ignore lint/suspicious/noDoubleEquals: see above
  return mixed && a == b
}
