import type { JsonValue } from '../json/value.ts'
import { isSchemaObject, isSubschema, type JsonSchema, own, type Subschema } from './json-schema.ts'
import { below } from './refusal.ts'

/** What the value of a keyword must look like. */
export type Form =
  | 'schema'
  | 'schemaList'
  | 'schemaMap'
  | 'items'
  | 'dependencies'
  | 'type'
  | 'number'
  | 'positiveNumber'
  | 'count'
  | 'boolean'
  | 'text'
  | 'pattern'
  | 'patternMap'
  | 'names'
  | 'nameMap'
  | 'values'

/** Every keyword that is understood, of both dialects; all others are annotations. */
export const keywordForms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...(['$id', '$anchor', '$dynamicAnchor', '$ref', '$dynamicRef', '$schema'] as const).map(form('text')),
  ...(['$defs', 'definitions', 'properties', 'dependentSchemas'] as const).map(form('schemaMap')),
  ...(['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const).map(form('schemaList')),
  ...(['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'] as const).map(
    form('schema'),
  ),
  ...(['additionalItems', 'unevaluatedItems', 'unevaluatedProperties'] as const).map(form('schema')),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const).map(form('number')),
  ...(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'] as const).map(
    form('count'),
  ),
  ...(['minProperties', 'maxProperties'] as const).map(form('count')),
  ['items', 'items'],
  ['dependencies', 'dependencies'],
  ['type', 'type'],
  ['multipleOf', 'positiveNumber'],
  ['uniqueItems', 'boolean'],
  ['pattern', 'pattern'],
  ['patternProperties', 'patternMap'],
  ['required', 'names'],
  ['dependentRequired', 'nameMap'],
  ['enum', 'values'],
])

function form(name: Form): (keyword: string) => [string, Form] {
  return (keyword) => [keyword, name]
}

/** Keywords whose subschemas see the same value as the schema that they stand in. */
const inPlace: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'],
])

/** A schema that stands inside another. */
export interface Inner {
  readonly schema: Subschema
  readonly pointer: string
  readonly keyword: string
  /** Whether it sees the same value as the schema around it. */
  readonly inPlace: boolean
}

/** The schemas that stand directly inside a schema, below the keywords that hold schemas. */
export function innerSchemas(schema: JsonSchema, pointer: string): readonly Inner[] {
  return Object.keys(schema).flatMap((keyword) => {
    const value = schema[keyword]!
    const place = below(pointer, keyword)
    return heldIn(value, keywordForms.get(keyword)).map(([steps, inner]) => ({
      schema: inner,
      pointer: steps === undefined ? place : below(place, steps),
      keyword,
      inPlace: inPlace.has(keyword),
    }))
  })
}

type Held = [string | number | undefined, Subschema]

function heldIn(value: JsonValue, form: Form | undefined): readonly Held[] {
  switch (form) {
    case 'schema':
      return isSubschema(value) ? [[undefined, value]] : []
    case 'schemaList':
      return listed(value)
    case 'items':
      return Array.isArray(value) ? listed(value) : heldIn(value, 'schema')
    case 'schemaMap':
    case 'patternMap':
    case 'dependencies':
      return mapped(value)
    default:
      return []
  }
}

function listed(value: JsonValue): readonly Held[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((inner: JsonValue, index): Held[] => (isSubschema(inner) ? [[index, inner]] : []))
}

function mapped(value: JsonValue): readonly Held[] {
  if (!isSchemaObject(value)) return []
  return Object.keys(value).flatMap((key): Held[] => {
    const inner = own(value, key)
    return isSubschema(inner) ? [[key, inner]] : []
  })
}
