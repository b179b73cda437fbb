import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { below } from '../schema/refusal.ts'
import type { SchemaFinding } from './finding.ts'
import { isOfObjects } from './is-of-objects.ts'
import { isLoneReference, openaiFindings } from './openai-rules.ts'
import { strictLimitFindings } from './openai-strict-limits.ts'
import { strictValueFindings } from './openai-strict-values.ts'
import { looksThrough, strictRefusal } from './strict-refusal.ts'
import { type PlacedSchema, schemasWithin } from './walk-schema.ts'

/** What OpenAI's guide to structured outputs calls unsupported, and `oneOf`, which its API answers with an error. */
const refused: ReadonlySet<string> = new Set([
  ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
])

/** What the guide names among the supported keywords, what only names or describes, and what other rules speak of. */
const listed: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum', 'const'],
  ...['pattern', 'format', 'minLength', 'maxLength', 'multipleOf', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'title', 'description'],
  ...['$schema', '$id', '$anchor', '$comment', '$ref', '$defs', 'definitions', 'propertyNames'],
])

/**
 * What OpenAI's strict mode would refuse (structured outputs guide, supported schemas): open objects, optional
 * members, keywords and sizes. The driver leaves strict mode off, because to meet these rules it would have to close
 * free-form objects and turn optional members into ones that may be null.
 */
export function openaiStrictFindings(schema: JsonSchema): readonly SchemaFinding[] {
  const placed = schemasWithin(schema).filter(({ keywords }) =>
    keywords.every((keyword) => looksThrough.has(keyword)),
  )
  return [
    ...openaiFindings(schema),
    ...placed.flatMap((each) => [
      ...keywordFindings(each),
      ...openObject(each),
      ...optionalMembers(each),
      ...strictValueFindings(each),
    ]),
    ...strictLimitFindings(placed),
  ]
}

function keywordFindings({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  return Object.keys(schema).flatMap((keyword): SchemaFinding[] => {
    // At the root, and as a lone reference, the rules outside of strict mode speak.
    if (keyword === 'allOf' && isLoneReference(schema)) return []
    if (pointer === '' && ['allOf', 'oneOf', 'not'].includes(keyword)) return []
    const verb = refused.has(keyword) ? 'refuses' : listed.has(keyword) ? undefined : 'may refuse'
    if (verb === undefined) return []
    return [strictRefusal(below(pointer, keyword), keyword, `${verb} "${keyword}"`)]
  })
}

function openObject({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  if (!isOfObjects(schema) || own(schema, 'additionalProperties') === false) return []
  return [
    strictRefusal(
      pointer,
      'additionalProperties',
      'refuses an object that is not closed by "additionalProperties": false',
    ),
  ]
}

function optionalMembers({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')]
  if (!isSchemaObject(properties)) return []
  const names = Object.keys(properties).filter(
    (name) => !(Array.isArray(required) && required.includes(name)),
  )
  if (names.length === 0) return []
  const [is, listed] = [names.length === 1 ? 'is' : 'are', names.map((name) => JSON.stringify(name))]
  const what = `refuses optional members, and ${listed.join(', ')} ${is} not in "required"`
  return [strictRefusal(pointer, 'required', what)]
}
