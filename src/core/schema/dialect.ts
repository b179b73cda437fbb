import { isSchemaObject, type JsonSchema, own } from './json-schema.ts'
import { SchemaRefusal } from './refusal.ts'
import { show } from './rules/show.ts'

/** What differs between the dialects. Every keyword of both is honoured in both, so that none is silently dropped. */
export interface Dialect {
  /** Draft-07: a `$ref` makes its siblings void. */
  readonly refHidesSiblings: boolean
  /** Draft-07: `items` may be an array, with `additionalItems` for the rest. A schema without `$schema` may, too. */
  readonly tupleItems: boolean
  /** False for a meta-schema whose vocabularies leave the assertions out. */
  readonly asserts: boolean
}

const implicit: Dialect = { refHidesSiblings: false, tupleItems: true, asserts: true }
const draft2020: Dialect = { refHidesSiblings: false, tupleItems: false, asserts: true }
const draft07: Dialect = { refHidesSiblings: true, tupleItems: true, asserts: true }

const known: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', draft2020],
  ['http://json-schema.org/draft-07/schema', draft07],
])

const assertions = 'https://json-schema.org/draft/2020-12/vocab/validation'

/** Other documents that a schema may refer to, by their absolute URI without a fragment. */
export type Documents = ReadonlyMap<string, unknown>

/** What a schema is read with. */
export interface Surroundings {
  readonly documents: Documents
  /** The `$schema` of a document that names none; by default 2020-12 that takes an array of `items`, too. */
  readonly dialectUri?: string
}

/** The dialect that a document begins with. */
export function firstDialect(surroundings: Surroundings): Dialect {
  return known.get(surroundings.dialectUri ?? '') ?? implicit
}

/** The dialect that a schema resource declares, the one around it when it declares none. */
export function dialectOf(
  schema: JsonSchema,
  pointer: string,
  outer: Dialect,
  documents: Documents,
): Dialect {
  const declared = own(schema, '$schema')
  if (declared === undefined) return outer
  const uri = typeof declared === 'string' ? declared.replace(/#$/, '') : ''
  const dialect = known.get(uri) ?? customDialect(documents.get(uri))
  if (dialect !== undefined) return dialect
  throw new SchemaRefusal(
    `${pointer}/$schema`,
    `the dialect ${show(declared)} is not known; use ${[...known.keys()].join(' or ')}, or leave $schema out`,
  )
}

function customDialect(metaSchema: unknown): Dialect | undefined {
  if (!isSchemaObject(metaSchema)) return undefined
  const vocabulary = own(metaSchema, '$vocabulary')
  return { ...draft2020, asserts: !isSchemaObject(vocabulary) || Object.hasOwn(vocabulary, assertions) }
}
