import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { keywordForms } from '../schema/keywords.ts'
import { below } from '../schema/refusal.ts'
import type { SchemaFinding } from './finding.ts'
import { type PlacedSchema, schemasWithin } from './walk-schema.ts'

/** The keywords that Gemini's reference lists where it takes JSON Schema. */
const listed: ReadonlySet<string> = new Set([
  ...['$id', '$defs', '$ref', '$anchor', 'type', 'enum', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'anyOf', 'oneOf', 'properties', 'additionalProperties', 'required'],
])

/**
 * What Gemini does with a tool's schema, by what its reference says of JSON Schema. The AI SDK hands the schema over
 * as it stands (`parametersJsonSchema`). Annotations are not looked at.
 */
export function geminiFindings(schema: JsonSchema): readonly SchemaFinding[] {
  return schemasWithin(schema).flatMap((placed) => [
    ...unlistedKeywords(placed),
    ...besideReference(placed),
    ...otherValues(placed),
    ...exclusiveUnion(placed),
    ...missingMembers(placed),
  ])
}

function unlistedKeywords({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const asserting = Object.keys(schema).filter(
    (keyword) => (keywordForms.has(keyword) || keyword === 'const') && keyword !== '$schema',
  )
  const unlisted = asserting.filter((keyword) => !listed.has(keyword))
  return unlisted.map((keyword) =>
    ignored(below(pointer, keyword), keyword, `Gemini lists no support for "${keyword}"`),
  )
}

function besideReference({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  if (!Object.hasOwn(schema, '$ref')) return []
  const beside = Object.keys(schema).filter((keyword) => !keyword.startsWith('$'))
  if (beside.length === 0 || pointer === '') return []
  const named = beside.map((keyword) => JSON.stringify(keyword)).join(', ')
  return [
    {
      pointer: below(pointer, '$ref'),
      keyword: '$ref',
      effect: 'refused',
      says: `Gemini allows nothing beside "$ref", and ${named} stands there; it is sent as it is, so move the reference into "anyOf".`,
    },
  ]
}

function otherValues({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const values = own(schema, 'enum')
  if (!Array.isArray(values)) return []
  if (values.every((value) => ['string', 'number', 'bigint'].includes(typeof value))) return []
  return [ignored(below(pointer, 'enum'), 'enum', 'Gemini lists "enum" for texts and numbers only')]
}

function exclusiveUnion({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  if (!Object.hasOwn(schema, 'oneOf')) return []
  return [ignored(below(pointer, 'oneOf'), 'oneOf', 'Gemini reads "oneOf" as "anyOf"')]
}

function missingMembers({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const [required, properties] = [own(schema, 'required'), own(schema, 'properties')]
  if (!Array.isArray(required) || Object.hasOwn(schema, '$ref')) return []
  const missing = required.filter(
    (name) => typeof name === 'string' && !(isSchemaObject(properties) && Object.hasOwn(properties, name)),
  )
  if (missing.length === 0) return []
  const named = missing.map((name) => JSON.stringify(name)).join(', ')
  return [
    {
      pointer: below(pointer, 'required'),
      keyword: 'required',
      effect: 'refused',
      says: `Gemini refuses "required" that names members which "properties" beside it does not have, and ${named} ${missing.length === 1 ? 'is' : 'are'} missing there; it is sent as it is.`,
    },
  ]
}

function ignored(pointer: string, keyword: string, why: string): SchemaFinding {
  const says = `${why}, so the model may not keep to it; it is sent as it is, and the arguments are checked against it all the same.`
  return { pointer, keyword, effect: 'ignored', says }
}
