import type { JsonValue } from '../../core/json/value.ts'
import { isSchemaObject, type JsonSchema, own, type Subschema } from '../../core/schema/json-schema.ts'
import { clipped } from './clipped.ts'
import { visibleJson } from './inert-text.ts'

const valuesMax = 12
const otherMax = 120
const depthMax = 4

/** What a value of a schema looks like, as a type is written: `{ approved: boolean, note?: string }`. */
export function schemaInShort(schema: Subschema, depth = 0): string {
  if (typeof schema === 'boolean') return schema ? 'any JSON' : 'nothing'
  const values = valuesOf(schema)
  if (values !== undefined) return oneOf(values.map((value) => visibleJson(value)))
  const choices = own(schema, 'anyOf') ?? own(schema, 'oneOf')
  if (Array.isArray(choices)) return oneOf(choices.map((each) => schemaInShort(each as Subschema, depth)))
  const type = own(schema, 'type')
  if (typeof type === 'string') return ofType(type, schema, depth)
  if (Array.isArray(type)) return oneOf(type.map((each) => ofType(String(each), schema, depth)))
  return Object.keys(schema).length === 0 ? 'any JSON' : other(schema)
}

/** The values that a schema lists, when it lists them. */
export function valuesOf(schema: JsonSchema): readonly JsonValue[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const as JsonValue]
  const values = own(schema, 'enum')
  return Array.isArray(values) ? values : undefined
}

function oneOf(texts: readonly string[]): string {
  const more = texts.length > valuesMax ? [`… ${texts.length - valuesMax} more`] : []
  return [...texts.slice(0, valuesMax), ...more].join(' | ')
}

function ofType(type: string, schema: JsonSchema, depth: number): string {
  switch (type) {
    case 'object':
      return depth < depthMax ? ofObject(schema, depth + 1) : 'object'
    case 'array':
      return depth < depthMax ? ofArray(schema, depth + 1) : 'array'
    case 'number':
    case 'integer':
      return `${type}${range(own(schema, 'minimum'), own(schema, 'maximum'))}`
    case 'string':
      return typeof schema.format === 'string' ? `string (${visibleJson(schema.format).slice(1, -1)})` : type
    default:
      return type
  }
}

function ofObject(schema: JsonSchema, depth: number): string {
  const properties = own(schema, 'properties')
  if (!isSchemaObject(properties) || Object.keys(properties).length === 0) return 'object'
  const members = Object.entries(properties).map(([name, each]) => {
    const shown = /^[\w$]+$/.test(name) ? name : visibleJson(name)
    return `${shown}${isRequired(schema, name) ? '' : '?'}: ${schemaInShort(each as Subschema, depth)}`
  })
  return `{ ${members.join(', ')} }`
}

/** Whether an object's schema insists on a member. */
export function isRequired(schema: JsonSchema, name: string): boolean {
  const required = own(schema, 'required')
  return Array.isArray(required) && required.includes(name)
}

function ofArray(schema: JsonSchema, depth: number): string {
  const items = own(schema, 'items')
  if (items === undefined || Array.isArray(items)) return 'array'
  const item = schemaInShort(items as Subschema, depth)
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`
}

/** Libraries say the bounds of exact integers where nobody set any. */
function range(minimum: JsonValue | undefined, maximum: JsonValue | undefined): string {
  const from = isBound(minimum) ? ` from ${minimum}` : ''
  return isBound(maximum) ? `${from} to ${maximum}` : from
}

function isBound(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function other(schema: JsonSchema): string {
  return clipped(visibleJson(schema), otherMax)
}
