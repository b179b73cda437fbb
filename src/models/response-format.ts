import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { DriverRequest } from '../core/driver.ts'
import type { JsonValue } from '../core/json/value.ts'
import { isSchemaObject, type JsonSchema, own } from '../core/schema/json-schema.ts'
import { withoutBigints } from './provider-data.ts'

type Format = Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>

/**
 * The schema of the answer in the provider's own terms. It is left out beside tools, since some providers then refuse it
 * and others force a call, and for a schema that a strict mode refuses: the messages name it in any case.
 */
export function responseFormat(request: DriverRequest): Format | undefined {
  const { outputSchema, tools, providerTools = [] } = request
  if (outputSchema === undefined || tools.length > 0 || providerTools.length > 0) return undefined
  const schema = own(outputSchema, 'type') === 'object' ? strictSchema(outputSchema) : undefined
  return schema && { type: 'json', schema: withoutBigints(schema) as NonNullable<Format['schema']> }
}

/** Keywords that every strict mode takes, as they stand. */
const plainKeywords: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'const'])

/** Keywords that name, explain or narrow, and that not every strict mode takes: what narrows is checked afterwards. */
const leftOut: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'title', 'examples', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems'],
])

/**
 * The schema as strict modes want it: every member is required, and nothing else may stand beside them. Undefined when
 * it cannot be said so without another meaning; an object that says nothing of other members is closed.
 */
function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  const strict: Record<string, JsonValue> = {}
  for (const keyword of Object.keys(schema)) {
    if (leftOut.has(keyword)) continue
    const value = plainKeywords.has(keyword) ? schema[keyword] : strictKeyword(schema, keyword)
    if (value === undefined) return undefined
    strict[keyword] = value
  }
  if (own(schema, 'type') !== 'object') return strict
  return Object.hasOwn(schema, 'properties') ? { ...strict, additionalProperties: false } : undefined
}

function strictKeyword(schema: JsonSchema, keyword: string): JsonValue | undefined {
  const value = schema[keyword]
  if (keyword === 'items') return isSchemaObject(value) ? strictSchema(value) : undefined
  if (keyword === 'anyOf') return Array.isArray(value) ? strictList(value) : undefined
  if (keyword === 'additionalProperties') return value === false ? value : undefined
  if (keyword === 'required') return Array.isArray(value) ? value : undefined
  return keyword === 'properties' ? strictMembers(schema) : undefined
}

function strictList(schemas: readonly JsonValue[]): JsonValue | undefined {
  const strict = schemas.map((each) => (isSchemaObject(each) ? strictSchema(each) : undefined))
  return strict.every((each) => each !== undefined) ? strict : undefined
}

function strictMembers(schema: JsonSchema): JsonValue | undefined {
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')]
  if (!isSchemaObject(properties) || !Array.isArray(required)) return undefined
  const names = Object.keys(properties)
  if (!names.every((name) => required.includes(name))) return undefined
  const members = strictList(names.map((name) => properties[name] as JsonValue))
  if (!Array.isArray(members)) return undefined
  return Object.fromEntries(names.map((name, index) => [name, members[index] as JsonValue]))
}
