import { wireBounds } from './bounds.ts'

/** The bound of ids counts UTF-16 code units, while `maxLength` counts characters: this annotation says the former. */
export const codeUnitsKeyword = 'x-codeUnitsMax'

/** An id of a run, a call, an approval, an execution, a session. */
export const idSchema = {
  type: 'string',
  minLength: 1,
  maxLength: wireBounds.idCodeUnitsMax,
  [codeUnitsKeyword]: wireBounds.idCodeUnitsMax,
} as const

/** A tool's name. */
export const toolNameSchema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' } as const

/** A provider's name at a host. */
export const providerNameSchema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$' } as const

/** A model's name at a provider. */
export const modelNameSchema = { type: 'string', pattern: '^[A-Za-z0-9._:/[\\]-]{1,200}$' } as const

/** A moment: ISO 8601 with seconds and a zone. */
export const timestampSchema = {
  type: 'string',
  format: 'date-time',
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)([.][0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
} as const

/** A whole number from a least one on. */
export function countSchema<const Minimum extends number>(minimum: Minimum, maximum?: number) {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) } as const
}

/** A text of so many characters at most. */
export function textSchema(maxLength: number, minLength = 0) {
  return { type: 'string', ...(minLength === 0 ? {} : { minLength }), maxLength } as const
}

/** A list of so many items at most. */
export function listSchema<const Items>(items: Items, maxItems?: number) {
  return { type: 'array', items, ...(maxItems === undefined ? {} : { maxItems }) } as const
}

/** A list of which no two items are the same. */
export function setSchema<const Items>(items: Items, maxItems: number) {
  return { type: 'array', items, maxItems, uniqueItems: true } as const
}

/** What `nextCursor` of a page is, and the `cursor` that asks for the next one. */
export const cursorSchema = { type: 'string', minLength: 1, maxLength: 1_024 } as const

/** A remark of a person or a tool. */
export const remarkSchema = { type: 'string', maxLength: wireBounds.remarkCharactersMax } as const

/** Any JSON object. */
export const objectSchema = { type: 'object' } as const
