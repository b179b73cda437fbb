import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import {
  type InferSchema,
  type InferSchemaInput,
  type SchemaSource,
  type ToolSchema,
  toolSchema,
} from '../../../src/core/schema/schema.ts'

const zod = z.object({ n: z.number().default(1), s: z.string() })
const valibot = toStandardJsonSchema(v.object({ n: v.optional(v.number(), 1), s: v.string() }))
const arktype = type({ n: 'number = 1', s: 'string' })

test('a Standard Schema gives its output to execute and its input to callers', () => {
  expectTypeOf<InferSchema<typeof zod>>().toEqualTypeOf<{ n: number; s: string }>()
  expectTypeOf<InferSchemaInput<typeof zod>>().toEqualTypeOf<{ n?: number | undefined; s: string }>()
  expectTypeOf<InferSchema<typeof valibot>>().toEqualTypeOf<{ n: number; s: string }>()
  expectTypeOf<InferSchema<typeof arktype>>().toEqualTypeOf<{ n: number; s: string }>()
  expectTypeOf<InferSchemaInput<typeof arktype>>().toEqualTypeOf<{ n?: number; s: string }>()
})

const plain = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: ['string', 'null'] },
    color: { enum: ['red', 'blue'] },
    kind: { const: 'order' },
    tags: { type: 'array', items: { type: 'string' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    either: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    ref: { $ref: '#/$defs/x' },
  },
  required: ['id', 'kind', 'deep'],
  $defs: { x: {} },
} as const

test('a JSON Schema written as const gives its types, unknown where types cannot tell', () => {
  expectTypeOf<InferSchema<typeof plain>>().toEqualTypeOf<{
    id: number
    kind: 'order'
    deep: { on: boolean }
    name?: string | null
    color?: 'red' | 'blue'
    tags?: string[]
    pair?: [string, number, ...unknown[]]
    either?: boolean | null
    map?: { [key: string]: number }
    ref?: unknown
  }>()
  expectTypeOf<InferSchemaInput<typeof plain>>().toEqualTypeOf<InferSchema<typeof plain>>()
})

test('what tells nothing is unknown', () => {
  expectTypeOf<InferSchema<{ type: string }>>().toBeUnknown()
  expectTypeOf<InferSchema<{ $ref: '#/$defs/a' }>>().toBeUnknown()
  expectTypeOf<InferSchema<true>>().toBeUnknown()
  expectTypeOf<InferSchema<false>>().toBeNever()
  expectTypeOf<InferSchema<SchemaSource>>().toBeUnknown()
})

test('every kind of schema is a source, and a type can be given by hand', () => {
  const sources: readonly SchemaSource[] = [zod, valibot, arktype, plain, true]
  expectTypeOf(sources).toExtend<readonly SchemaSource[]>()
  expectTypeOf(toolSchema<{ id: number }>(plain)).toEqualTypeOf<ToolSchema<{ id: number }>>()
  expectTypeOf(toolSchema(plain)).toEqualTypeOf<ToolSchema<unknown>>()
  // @ts-expect-error a schema without its JSON Schema extension is none
  const bare: SchemaSource = v.object({})
  expectTypeOf(bare).toExtend<SchemaSource>()
})
