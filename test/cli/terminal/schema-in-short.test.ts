import { expect, test } from 'vitest'
import { schemaFields } from '../../../src/cli/terminal/schema-fields.ts'
import { schemaInShort } from '../../../src/cli/terminal/schema-in-short.ts'
import type { JsonSchema } from '../../../src/core/schema/json-schema.ts'

const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
})

test.each<[string, JsonSchema]>([
  ['any JSON', {}],
  ['string', { type: 'string' }],
  ['string (email)', { type: 'string', format: 'email' }],
  ['integer from 1 to 5', { type: 'integer', minimum: 1, maximum: 5 }],
  ['integer', { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  ['"a" | 2', { enum: ['a', 2] }],
  ['string | null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['(string | number)[]', { type: 'array', items: { type: ['string', 'number'] } }],
  [
    '{ a: boolean, "b c"?: { d?: string } }',
    object({ a: { type: 'boolean' }, 'b c': object({ d: { type: 'string' } }) }, ['a']),
  ],
  ['{"$ref":"#/x"}', { $ref: '#/x' }],
])('a schema in short is %s', (text, schema) => {
  expect(schemaInShort(schema)).toBe(text)
})

test('the fields of a flat object are asked for one by one, and those of a deeper one are not', () => {
  const flat = object({ a: { type: 'boolean' }, b: { enum: ['x', 'y'] }, c: { type: 'integer' } }, ['a'])
  expect(schemaFields(flat)?.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['a', 'boolean', true],
    ['b', 'choice', false],
    ['c', 'number', false],
  ])
  expect(schemaFields({ type: 'string' })).toMatchObject([{ kind: 'string' }])
  for (const other of [
    object({ a: { type: 'array' } }),
    object({ a: { anyOf: [{ type: 'string' }] } }),
    { ...flat, allOf: [] },
    object({}),
    {},
  ])
    expect(schemaFields(other)).toBeUndefined()
})
