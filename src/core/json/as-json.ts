import { setOwn } from './set-own.ts'
import type { JsonValue } from './value.ts'

export const depthMax = 128
export const valuesMax = 1_000_000

/**
 * A copy of the value if it is exactly JSON (plain objects, arrays, strings, finite numbers, exact integers,
 * booleans, null; members that are `undefined` are left out), else undefined. Nothing is converted. It never
 * throws: what cannot be read is no JSON, nor is what has more than 1,000,000 values or than 128 levels; where values are
 * deeper by their nature, the caller says how deep.
 */
export function asJson(value: unknown, levelsMax = depthMax): JsonValue | undefined {
  try {
    return new JsonCopy(levelsMax).of(value, 0)
  } catch {
    return undefined
  }
}

class JsonCopy {
  private values = 0
  private readonly levelsMax: number

  constructor(levelsMax: number) {
    this.levelsMax = levelsMax
  }

  of(value: unknown, depth: number): JsonValue | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'bigint':
        return value
      case 'number':
        return Number.isFinite(value) ? value : undefined
      case 'object':
        if (value === null) return null
        if (depth > this.levelsMax) return undefined
        return Array.isArray(value) ? this.array(value, depth) : this.object(value, depth)
      default:
        return undefined
    }
  }

  private array(items: readonly unknown[], depth: number): JsonValue | undefined {
    const copy: JsonValue[] = []
    for (const item of items) {
      const json = this.member(item, depth)
      if (json === undefined) return undefined
      copy.push(json)
    }
    return copy
  }

  private object(value: object, depth: number): JsonValue | undefined {
    const prototype = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return undefined
    const copy: { [key: string]: JsonValue } = {}
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key]
      if (member === undefined) continue
      const json = this.member(member, depth)
      if (json === undefined) return undefined
      setOwn(copy, key, json)
    }
    return copy
  }

  /** Parts that are shared are counted wherever they stand: a small value can have very many places. */
  private member(value: unknown, depth: number): JsonValue | undefined {
    this.values += 1
    return this.values > valuesMax ? undefined : this.of(value, depth + 1)
  }
}
