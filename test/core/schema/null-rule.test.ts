import { describe, expect, test } from 'vitest'
import { faultsOf } from './support.ts'

const withA = (a: unknown, more: object = {}) => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  ...more,
})

describe('a required member that is null', () => {
  test.each([
    ['says nothing', {}],
    ['only describes', { description: 'The first' }],
    ['is true', true],
    ['names another type', { type: 'string' }],
    ['names other values', { enum: [1, 2] }],
    ['excludes null', { not: { type: 'null' } }],
    ['refers to one that says nothing', { $ref: '#/$defs/open' }],
  ])('is refused where its schema %s [approvals/A2]', async (_, a) => {
    const schema = withA(a, { $defs: { open: {} } })
    expect(await faultsOf(schema, { a: null })).toEqual(['/a is required, not null'])
  })

  test.each([
    ['type', { type: 'null' }],
    ['a list of types', { type: ['string', 'null'] }],
    ['enum', { enum: ['a', null] }],
    ['const', { const: null }],
    ['a branch of anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a branch of oneOf', { oneOf: [{ type: 'string' }, { const: null }] }],
    ['a reference', { $ref: '#/$defs/maybe' }],
  ])('passes where its schema names null by %s [approvals/A2]', async (_, a) => {
    expect(await faultsOf(withA(a, { $defs: { maybe: { type: ['number', 'null'] } } }), { a: null })).toEqual(
      [],
    )
  })

  test('is refused in nested objects, items and branches, too [approvals/A2]', async () => {
    const inner = withA({})
    const schema = {
      type: 'object',
      properties: {
        deep: inner,
        list: { type: 'array', items: inner },
        either: { anyOf: [inner, { type: 'string' }] },
      },
    }
    expect(
      await faultsOf(schema, { deep: { a: null }, list: [{ a: 1 }, { a: null }], either: { a: null } }),
    ).toEqual([
      '/deep/a is required, not null',
      '/list/1/a is required, not null',
      '/either/a is required, not null',
    ])
  })

  test('is judged by all keywords of its object, also where they are spread over allOf', async () => {
    const spread = (a: object) => ({ type: 'object', allOf: [{ required: ['a'] }, { properties: { a } }] })
    expect(await faultsOf(spread({ type: ['string', 'null'] }), { a: null })).toEqual([])
    expect(await faultsOf(spread({}), { a: null })).toEqual(['/a is required, not null'])
  })

  test('is left to JSON Schema below not and if, where a stricter rule would let more pass', async () => {
    const schema = { type: 'object', properties: { a: {}, b: {} }, not: { required: ['a'] } }
    expect(await faultsOf(schema, { a: null })).toEqual(['the value has the form that "not" excludes'])
    const condition = JSON.parse('{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}')
    expect(await faultsOf(condition, { a: null })).toEqual(['/b is required'])
  })
})
