import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { below } from '../schema/refusal.ts'
import type { SchemaFinding } from './finding.ts'
import { rootFindings } from './root-rules.ts'
import { type PlacedSchema, schemasWithin } from './walk-schema.ts'

const barredAtRoot = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** The ways on which OpenAI was seen to look for arrays without items. */
const looksThrough: ReadonlySet<string> = new Set(['properties', 'items', 'anyOf'])

/** Below these the AI SDK's package takes nothing out. */
const passedOver: ReadonlySet<string> = new Set([
  ...['prefixItems', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties', 'propertyNames'],
])

/**
 * What OpenAI does with a schema outside of strict mode: its API checks the root and the arrays (by the errors that
 * it answers with), and the AI SDK's package takes out what the API is known not to take.
 */
export function openaiFindings(schema: JsonSchema): readonly SchemaFinding[] {
  const barred = barredAtRoot.filter((keyword) => keyword !== 'allOf' || !isLoneReference(schema))
  const placed = schemasWithin(schema)
  const seen = placed.filter(({ keywords }) => !keywords.some((keyword) => passedOver.has(keyword)))
  return [
    ...rootFindings(schema, 'OpenAI', barred),
    ...placed.flatMap(openArray),
    ...seen.flatMap((each) => [...propertyNames(each), ...lookAround(each)]),
  ]
}

/** Whether `allOf` holds nothing but one reference; the AI SDK's package for OpenAI puts its target there. */
export function isLoneReference(schema: JsonSchema): boolean {
  const all = own(schema, 'allOf')
  const [only] = Array.isArray(all) && all.length === 1 ? all : []
  return isSchemaObject(only) && Object.keys(only).join() === '$ref'
}

function openArray({ schema, pointer, keywords }: PlacedSchema): SchemaFinding[] {
  const type = own(schema, 'type')
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  if (!isArray || Object.hasOwn(schema, 'items')) return []
  if (!keywords.every((keyword) => looksThrough.has(keyword))) return []
  return [
    {
      pointer,
      keyword: 'items',
      effect: 'refused',
      says: 'OpenAI refuses an array without "items"; it is sent as it is, so say what the items are.',
    },
  ]
}

function propertyNames({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const names = own(schema, 'propertyNames')
  if (names === undefined) return []
  const type = isSchemaObject(names) ? own(names, 'type') : false
  const isOfTexts = type === undefined || type === 'string'
  return [
    {
      pointer: below(pointer, 'propertyNames'),
      keyword: 'propertyNames',
      effect: isOfTexts ? 'ignored' : 'refused',
      says: isOfTexts
        ? 'OpenAI knows no "propertyNames"; it is taken out before the schema is sent, and the arguments are checked against it all the same.'
        : 'The AI SDK\'s package for OpenAI takes only schemas of strings as "propertyNames" and fails the request.',
    },
  ]
}

function lookAround({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const pattern = own(schema, 'pattern')
  if (typeof pattern !== 'string' || !looksAround(pattern)) return []
  return [
    {
      pointer: below(pointer, 'pattern'),
      keyword: 'pattern',
      effect: 'ignored',
      says: 'OpenAI knows no look-around; the pattern is taken out before the schema is sent, and the arguments are checked against it all the same.',
    },
  ]
}

function looksAround(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, '')
  return /\(\?<?[=!]/.test(bare)
}
