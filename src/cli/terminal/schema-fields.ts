import type { JsonValue } from '../../core/json/value.ts'
import { isSchemaObject, type JsonSchema, own } from '../../core/schema/json-schema.ts'
import { isRequired, valuesOf } from './schema-in-short.ts'

/** One value that a person can be asked for by itself. */
export interface SchemaField {
  /** Undefined when the answer is this one value. */
  readonly name?: string
  readonly kind: 'boolean' | 'choice' | 'string' | 'number'
  readonly schema: JsonSchema
  /** What can be chosen; of a `choice` only. */
  readonly choices: readonly JsonValue[]
  readonly isRequired: boolean
}

/** Keywords that say more about a value than its type does. */
const combining = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties']

/** The fields of a flat object's schema, or the one of a single value; undefined for everything else. */
export function schemaFields(schema: JsonSchema): readonly SchemaField[] | undefined {
  const single = fieldOf(schema, true)
  if (single !== undefined) return [single]
  const properties = own(schema, 'properties')
  if (schema.type !== 'object' || isCombined(schema) || !isSchemaObject(properties)) return undefined
  const fields: SchemaField[] = []
  for (const [name, each] of Object.entries(properties)) {
    const field = isSchemaObject(each) ? fieldOf(each, isRequired(schema, name)) : undefined
    if (field === undefined) return undefined
    fields.push({ ...field, name })
  }
  return fields.length === 0 ? undefined : fields
}

function fieldOf(schema: JsonSchema, isNeeded: boolean): SchemaField | undefined {
  if (isCombined(schema)) return undefined
  const field = { schema, choices: [], isRequired: isNeeded }
  const choices = valuesOf(schema)
  if (choices !== undefined)
    return choices.length > 0 && choices.every(isScalar) ? { ...field, kind: 'choice', choices } : undefined
  switch (schema.type) {
    case 'boolean':
    case 'string':
      return { ...field, kind: schema.type }
    case 'number':
    case 'integer':
      return { ...field, kind: 'number' }
    default:
      return undefined
  }
}

function isCombined(schema: JsonSchema): boolean {
  return combining.some((keyword) => Object.hasOwn(schema, keyword))
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null
}
