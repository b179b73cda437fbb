import type { JsonValue } from '../json/value.ts'
import { isSchemaObject, type JsonSchema, own } from '../schema/json-schema.ts'
import { below } from '../schema/refusal.ts'
import type { SchemaFinding } from './finding.ts'
import { isOfObjects } from './is-of-objects.ts'
import type { PlacedSchema } from './walk-schema.ts'

/** The sizes in OpenAI's structured outputs guide. */
const limits = {
  propertiesMax: 5_000,
  /** Objects around an object. The guide does not say where it begins to count; this is the reading that allows more. */
  nestingMax: 10,
  /** Names of properties and definitions, and values of `enum` and `const`. */
  charactersMax: 120_000,
  enumValuesMax: 1_000,
  /** Of one `enum` with more than 250 texts. */
  enumCharactersMax: 15_000,
  longEnum: 250,
} as const

/** The sizes of a schema that strict mode refuses. */
export function strictLimitFindings(placed: readonly PlacedSchema[]): readonly SchemaFinding[] {
  const total = (count: (schema: JsonSchema) => number) =>
    placed.reduce((sum, { schema }) => sum + count(schema), 0)
  const nested = placed.filter(({ schema }) => isOfObjects(schema)).map(objectsAround)
  return [
    ...beyond(
      total((schema) => keysOf(schema, 'properties').length),
      limits.propertiesMax,
      'properties',
    ),
    ...beyond(Math.max(0, ...nested), limits.nestingMax, 'levels of objects in objects'),
    ...beyond(total(characters), limits.charactersMax, 'characters of names and fixed values'),
    ...beyond(
      total((schema) => valuesOf(schema).length),
      limits.enumValuesMax,
      'values of "enum"',
    ),
    ...placed.flatMap(longEnum),
  ]
}

function beyond(size: number, most: number, what: string, pointer = ''): SchemaFinding[] {
  if (size <= most) return []
  const says = `OpenAI's strict mode takes at most ${most} ${what}, and there are ${size}; the tool is sent as it is, with strict mode off.`
  return [{ pointer, effect: 'refused', says }]
}

function longEnum({ schema, pointer }: PlacedSchema): SchemaFinding[] {
  const texts = valuesOf(schema).filter((value) => typeof value === 'string')
  if (texts.length <= limits.longEnum) return []
  const what = `characters in an "enum" of more than ${limits.longEnum} texts`
  return beyond(lengthOf(texts), limits.enumCharactersMax, what, below(pointer, 'enum'))
}

function characters(schema: JsonSchema): number {
  const names = ['properties', '$defs', 'definitions'].flatMap((keyword) => keysOf(schema, keyword))
  return lengthOf(names) + lengthOf([...valuesOf(schema), own(schema, 'const') ?? null])
}

function keysOf(schema: JsonSchema, keyword: string): string[] {
  const held = own(schema, keyword)
  return isSchemaObject(held) ? Object.keys(held) : []
}

function valuesOf(schema: JsonSchema): readonly JsonValue[] {
  const values = own(schema, 'enum')
  return Array.isArray(values) ? values : []
}

function lengthOf(values: readonly JsonValue[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

function objectsAround({ keywords }: PlacedSchema): number {
  return keywords.filter((keyword) => keyword === 'properties').length
}
