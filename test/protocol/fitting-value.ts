import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src/core/json/value.ts'
import type { JsonSchema } from '../../src/core/schema/json-schema.ts'

const anyValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string(),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
)

/** Values that fit a schema of the wire, as far as the wire uses JSON Schema. */
export function fitting(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  if ('const' in schema) return fc.constant(schema.const!)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as JsonValue[]))
  const branches = schema.oneOf ?? schema.anyOf
  if (Array.isArray(branches)) return fc.oneof(...(branches as JsonSchema[]).map(fitting))
  if ('if' in schema) return conditional(schema)
  return ofType(schema)
}

/** `if` names members that are there, and `then` what holds of others then. */
function conditional({ if: condition, then: rest, ...schema }: JsonSchema): fc.Arbitrary<JsonValue> {
  const properties = schema.properties as JsonObject
  const { required } = condition as { required: readonly string[] }
  const without = Object.entries(properties).filter(([name]) => !required.includes(name))
  const narrowed = { ...properties, ...((rest as JsonObject).properties as JsonObject) }
  return fc.oneof(
    ofType({ ...schema, properties: Object.fromEntries(without) }),
    ofType({ ...schema, properties: narrowed }),
  )
}

function ofType(schema: JsonSchema): fc.Arbitrary<JsonValue> {
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(range(schema))
    case 'number':
      return fc.double({ ...range(schema), noNaN: true }).map((value) => value + 0)
    case 'array':
      return list(schema)
    case 'object':
      return object(schema)
    default:
      return anyValue
  }
}

function range({ minimum, maximum }: JsonSchema): { min?: number; max?: number } {
  return {
    ...(typeof minimum === 'number' ? { min: minimum } : {}),
    ...(typeof maximum === 'number' ? { max: maximum } : {}),
  }
}

function text({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const years = { min: new Date('1970-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }
    return fc.date(years).map((date) => date.toISOString())
  }
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  return fc.string({
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength), 40),
    unit: 'grapheme-ascii',
  })
}

function list({ items, minItems = 0, maxItems = 3, uniqueItems }: JsonSchema): fc.Arbitrary<JsonValue[]> {
  const bounds = { minLength: Number(minItems), maxLength: Math.min(Number(maxItems), 3) }
  const item = fitting(items as JsonSchema)
  return uniqueItems === true ? fc.uniqueArray(item, bounds) : fc.array(item, bounds)
}

function object({ properties, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<JsonObject> {
  if (properties === undefined) {
    const member =
      typeof additionalProperties === 'object' ? fitting(additionalProperties as JsonSchema) : anyValue
    return fc.dictionary(fc.string({ maxLength: 20 }), member, { maxKeys: 3 })
  }
  const members = Object.entries(properties as Record<string, JsonSchema>)
  const shape = Object.fromEntries(members.map(([key, schema]) => [key, fitting(schema)]))
  return fc.record(shape, { requiredKeys: required as string[] }) as fc.Arbitrary<JsonObject>
}
