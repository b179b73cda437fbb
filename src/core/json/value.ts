/** A JSON array. */
export type JsonArray = readonly JsonValue[]

/** A JSON object; every key is an own property, also `__proto__`. */
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * A JSON value as the strict parser gives it. A `bigint` is an integer beyond ±(2^53 - 1) that was
 * written without fraction and exponent; it is exact. Everything else is what `JSON.parse` gives.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject

/** Whether a JSON value is an array. */
export function isJsonArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value)
}

/** Whether a JSON value is an object: neither null nor an array. */
export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
