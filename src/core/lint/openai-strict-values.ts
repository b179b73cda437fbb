import { namedTypes } from '../schema/declared.ts'
import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { innerSchemas } from '../schema/keywords.ts'
import { below } from '../schema/refusal.ts'
import { isOfType } from '../schema/rules/value.ts'
import type { SchemaFinding } from './finding.ts'
import { looksThrough, strictRefusal } from './strict-refusal.ts'
import type { PlacedSchema } from './walk-schema.ts'

/** Formats of strings in OpenAI's structured outputs guide. */
const formats: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
])

/** Without one of these a schema says nothing of what a value is. */
const telling = ['type', 'anyOf', '$ref', 'enum', 'const', 'oneOf', 'allOf']

/** What the strict mode refuses in the values of keywords that it takes, and in schemas that say nothing. */
export function strictValueFindings(placed: PlacedSchema): readonly SchemaFinding[] {
  return [
    ...otherFormat(placed),
    ...besideReference(placed),
    ...openSchemas(placed),
    ...mixedValues(placed),
    ...tuple(placed),
  ]
}

function otherFormat({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const format = own(schema, 'format')
  if (typeof format !== 'string' || formats.has(format)) return []
  const what = `refuses the format ${JSON.stringify(format)}, which it does not know`
  return [strictRefusal(below(pointer, 'format'), 'format', what)]
}

function besideReference({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  if (!Object.hasOwn(schema, '$ref')) return []
  const isBeside = (keyword: string) => keyword !== 'definitions' && !keyword.startsWith('$')
  // At the root the type and the members are told beside it in any case.
  const beside = Object.keys(schema).filter((keyword) => isBeside(keyword) && pointer !== '')
  if (beside.length === 0) return []
  const named = beside.map((keyword) => JSON.stringify(keyword)).join(', ')
  return [strictRefusal(below(pointer, '$ref'), '$ref', `refuses ${named} beside "$ref"`)]
}

function openSchemas({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const what = 'refuses a schema that names no type'
  const booleans = innerSchemas(schema, pointer).filter(
    (inner) => inner.schema === true && looksThrough.has(inner.keyword),
  )
  const found = booleans.map((inner) => strictRefusal(inner.pointer, 'type', what))
  if (telling.some((keyword) => Object.hasOwn(schema, keyword))) return found
  return [strictRefusal(pointer, 'type', what), ...found]
}

function mixedValues({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const place = below(pointer, 'enum')
  const values = own(schema, 'enum')
  if (!Array.isArray(values)) return []
  const named = typesSaid(schema)
  const wrong = values.find((value) => named !== undefined && !named.some((type) => isOfType(value, type)))
  if (wrong !== undefined) {
    const what = `refuses the value ${JSON.stringify(wrong, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each))} in "enum", which is of another type than "type" says`
    return [strictRefusal(place, 'enum', what)]
  }
  const types = namedTypes({ enum: values }) ?? new Set()
  if ([...types].filter((type) => type !== 'null').length < 2) return []
  return [strictRefusal(place, 'enum', 'refuses values of several types in one "enum"')]
}

function typesSaid(schema: JsonSchema): readonly string[] | undefined {
  const type = own(schema, 'type')
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((name): name is string => typeof name === 'string') : undefined
}

function tuple({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const items = own(schema, 'items')
  if (items === undefined || typeof items === 'boolean' || isSchemaObject(items)) return []
  return [strictRefusal(below(pointer, 'items'), 'items', 'refuses an array of schemas as "items"')]
}
