import { expect, test } from 'vitest'
import { sentSchema } from '../../../src/core/lint/sent-schema.ts'
import { toolSchema } from '../../../src/core/schema/schema.ts'

test('a schema is sent as it stands: free-form objects stay free, optional members optional [faults/F13]', () => {
  const schema = {
    type: 'object',
    properties: { meta: { type: 'object' }, note: { type: 'string' }, day: { type: ['string', 'null'] } },
    required: ['meta'],
  }
  expect(sentSchema(schema)).toBe(schema)
})

test('null is never taken away: where the schema names none it is a fault for the model [faults/F13]', async () => {
  const { check } = toolSchema(
    {
      type: 'object',
      properties: { meta: { type: 'object' }, note: { type: 'string' }, day: { type: ['string', 'null'] } },
    },
    { coercion: 'lossless' },
  )
  expect(await check({ note: null })).toMatchObject({ ok: false, faults: [{ pointer: '/note' }] })
  const free = { meta: { any: null, deep: { x: [null] } }, day: null }
  expect(await check(free)).toMatchObject({ ok: true, value: free, coerced: [] })
})

test.each([
  [{}, { type: 'object', properties: {} }],
  [{ type: 'object' }, { type: 'object', properties: {} }],
  [
    { properties: { a: true }, required: ['a'] },
    { type: 'object', properties: { a: true }, required: ['a'] },
  ],
  [{ type: 'integer' }, { type: 'integer' }],
])('the root of %j is sent as %j', (schema, sent) => {
  expect(sentSchema(schema)).toEqual(sent)
})
