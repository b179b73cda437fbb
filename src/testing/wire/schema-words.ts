import type { JsonObject, JsonValue } from '../../core/json/value.ts'
import { compile, type Validator } from '../../core/schema/validator.ts'

/** The few words that the schemas of requests are written in. */
export const anything: JsonObject = {}
export const text: JsonObject = { type: 'string' }
export const filledText: JsonObject = { type: 'string', minLength: 1 }
export const whole: JsonObject = { type: 'integer' }
export const number: JsonObject = { type: 'number' }
export const flag: JsonObject = { type: 'boolean' }
export const object: JsonObject = { type: 'object' }
/** A JSON Schema of a tool's arguments. */
export const argumentsSchema: JsonObject = {
  type: 'object',
  properties: { type: { const: 'object' } },
  required: ['type'],
}

export function oneOf(...values: readonly JsonValue[]): JsonObject {
  return { enum: values }
}

export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: 'null' }] }
}

export function either(...schemas: readonly JsonObject[]): JsonObject {
  return { anyOf: schemas }
}

export function listOf(items: JsonObject, minItems = 0): JsonObject {
  return { type: 'array', items, minItems }
}

/** An object with these members and no others. */
export function closed(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

/**
 * Objects that a member tells apart: the rest of each is checked by what that member says, so that a fault names the
 * place and not all of the alternatives.
 */
export function tagged(tag: string, kinds: Readonly<Record<string, JsonObject>>): JsonObject {
  const names = Object.keys(kinds)
  return {
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: names } },
    allOf: names.map((name) => ({
      if: { type: 'object', required: [tag], properties: { [tag]: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: kinds[name] ?? {},
    })),
  }
}

/** The schema, compiled. */
export function validator(schema: JsonObject): Validator {
  return compile(schema)
}
