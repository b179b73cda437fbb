import { isJsonArray, type JsonValue } from '../json/value.ts'

/** A text that two JSON values share exactly when JSON Schema calls them equal: 1 is 1.0, the order of keys is free. */
export function identityOf(value: JsonValue): string {
  if (typeof value === 'number') return numberIdentity(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (isJsonArray(value)) return `[${value.map(identityOf).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${identityOf(value[key]!)}`).join(',')}}`
}

function numberIdentity(value: number): string {
  // Beyond 2^53 the shortest decimal of a double is not its value; the exact integer is.
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLong ? BigInt(value).toString() : String(value === 0 ? 0 : value)
}
