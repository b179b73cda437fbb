import { setOwn } from '../json/set-own.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { messageOf } from '../message-of.ts'
import { below, SchemaRefusal } from './refusal.ts'

/** A JSON Schema as an object; the two boolean schemas are written as `{}` and `{ "not": {} }`. */
export type JsonSchema = JsonObject

/** A schema wherever one may stand inside another. */
export type Subschema = JsonObject | boolean

/** Deeper schemas are made by machines that went wrong, and every walk over a schema recurses. */
const depthMax = 64

/** Objects and arrays of one schema: far beyond what a model reads, and cheap to walk. */
const nodesMax = 10_000

/** Whether a JSON value can stand where a schema is expected. */
export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isSchemaObject(value)
}

/** Whether a JSON value is an object. */
export function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member's own value; an inherited `constructor` is none. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/**
 * A deep, frozen copy of a schema as plain JSON, with the keys in their order, so that later changes to the
 * original change nothing. A member that is undefined is absent. Throws SchemaRefusal for what JSON cannot say and
 * beyond 64 levels or 10,000 objects and arrays.
 */
export function copySchema(source: unknown): Subschema {
  if (typeof source === 'boolean') return source
  try {
    if (!isSchemaObject(source)) throw new SchemaRefusal('', 'a JSON Schema is an object or a boolean')
    return new SchemaCopy().copy(source, '', 0) as JsonObject
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) throw thrown
    throw new SchemaRefusal('', `it cannot be read (${messageOf(thrown, 200)})`)
  }
}

class SchemaCopy {
  private nodes = 0

  copy(value: unknown, pointer: string, depth: number): JsonValue {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return value
    if (typeof value !== 'object') throw new SchemaRefusal(pointer, `${describe(value)} is no JSON value`)
    this.count(pointer, depth)
    return Array.isArray(value) ? this.array(value, pointer, depth) : this.object(value, pointer, depth)
  }

  private count(pointer: string, depth: number): void {
    this.nodes += 1
    if (depth >= depthMax) throw new SchemaRefusal(pointer, `the schema is deeper than ${depthMax} levels`)
    if (this.nodes <= nodesMax) return
    throw new SchemaRefusal(pointer, `the schema has more than ${nodesMax} objects and arrays`)
  }

  private array(value: readonly unknown[], pointer: string, depth: number): JsonValue {
    const copy: JsonValue[] = []
    for (let index = 0; index < value.length; index += 1) {
      copy.push(this.copy(value[index], below(pointer, index), depth + 1))
    }
    return Object.freeze(copy)
  }

  private object(value: object, pointer: string, depth: number): JsonValue {
    if (!isPlain(value)) throw new SchemaRefusal(pointer, 'an object of a class is no JSON value')
    const copy: Record<string, JsonValue> = {}
    for (const key of Object.keys(value)) {
      const member = readMember(value, key, pointer)
      if (member !== undefined) setOwn(copy, key, this.copy(member, below(pointer, key), depth + 1))
    }
    return Object.freeze(copy)
  }
}

function readMember(value: object, key: string, pointer: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (thrown) {
    throw new SchemaRefusal(below(pointer, key), `the member cannot be read (${messageOf(thrown, 200)})`)
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function describe(value: unknown): string {
  return typeof value === 'number' ? `the number ${value}` : `a value of type ${typeof value}`
}
