import { setOwn } from './set-own.ts'
import type { JsonValue } from './value.ts'

const depthMax = 128

/**
 * A copy of the value if it is exactly JSON (plain objects, arrays, strings, finite numbers, exact integers,
 * booleans, null; members that are `undefined` are left out), else undefined. Nothing is converted.
 */
export function asJson(value: unknown, depth = 0): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'object':
      if (value === null) return null
      if (depth > depthMax) return undefined
      return Array.isArray(value) ? arrayAsJson(value, depth) : objectAsJson(value, depth)
    default:
      return undefined
  }
}

function arrayAsJson(items: readonly unknown[], depth: number): JsonValue | undefined {
  const copy: JsonValue[] = []
  for (const item of items) {
    const json = asJson(item, depth + 1)
    if (json === undefined) return undefined
    copy.push(json)
  }
  return copy
}

function objectAsJson(value: object, depth: number): JsonValue | undefined {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: { [key: string]: JsonValue } = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const json = asJson(member, depth + 1)
    if (json === undefined) return undefined
    setOwn(copy, key, json)
  }
  return copy
}
