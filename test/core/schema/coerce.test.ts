import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/json/canonical.ts'
import { parseJson } from '../../../src/core/json/strict.ts'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { coerce } from '../../../src/core/schema/coerce.ts'

const changed = (value: JsonValue, schema: object): JsonValue => coerce(value, schema as never).value

describe('a lossless conversion [faults/F4]', () => {
  test.each<[JsonValue, object, JsonValue]>([
    ['100', { type: 'number' }, 100],
    ['5', { type: 'integer' }, 5],
    ['-0.5', { type: 'number' }, -0.5],
    ['9007199254740993', { type: 'integer' }, 9007199254740993n],
    ['false', { type: 'boolean' }, false],
    ['null', { type: ['number', 'null'] }, null],
    ['["a"]', { type: 'array' }, ['a']],
    ['{"a": [1, 2]}', { type: 'object' }, { a: [1, 2] }],
    [5, { type: 'string' }, '5'],
    [true, { type: 'string' }, 'true'],
    ['5', { enum: [1, 5] }, 5],
    ['5', { anyOf: [{ const: 'auto' }, { type: 'integer' }] }, 5],
    ['5', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }, 5],
    ['5', { allOf: [{ type: 'integer' }, { minimum: 1 }] }, 5],
  ])('%o for %o is %o', (value, schema, expected) => {
    expect(coerce(value, schema as never)).toEqual({
      value: expected,
      coerced: [{ pointer: '', from: value, to: expected }],
    })
  })

  test.each<[JsonValue, object]>([
    ['0x10', { type: 'integer' }],
    ['1,000', { type: 'integer' }],
    [' 12 ', { type: 'integer' }],
    ['007', { type: 'integer' }],
    ['', { type: 'integer' }],
    ['1e3', { type: 'integer' }],
    ['+5', { type: 'integer' }],
    ['5.0', { type: 'integer' }],
    ['1.50', { type: 'number' }],
    ['-0', { type: 'number' }],
    ['5.5', { type: 'integer' }],
    ['NaN', { type: 'number' }],
    ['0.1000000000000000055', { type: 'number' }],
    ['True', { type: 'boolean' }],
    ['yes', { type: 'boolean' }],
    ['1', { type: 'boolean' }],
    [1, { type: 'boolean' }],
    ['null', { type: 'string' }],
    ['5', { type: ['string', 'number'] }],
    ['5', { anyOf: [{ type: 'number' }, { type: 'string', minLength: 3 }] }],
    [5, { type: ['string', 'boolean'] }],
    [null, { type: 'string' }],
    ['5', {}],
    ['5', { enum: [1, 2] }],
    ['[1', { type: 'array' }],
    ['{"a":1,"a":2}', { type: 'object' }],
    ['{}', { type: 'array' }],
    [['a'], { type: 'string' }],
    [5, { type: 'array' }],
    ['5', { $ref: 'https://example.com/n' }],
  ])('%j for %j stays as it is', (value, schema) => {
    expect(coerce(value, schema as never)).toEqual({ value, coerced: [] })
  })

  test('goes down into members and items, also of what it converted itself', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } } },
      additionalProperties: { type: 'boolean' },
    }
    expect(coerce({ list: '["1","2"]', 'x/y': 'true' }, schema as never)).toEqual({
      value: { list: ['1', 2], 'x/y': true },
      coerced: [
        { pointer: '/list', from: '["1","2"]', to: ['1', '2'] },
        { pointer: '/list/1', from: '2', to: 2 },
        { pointer: '/x~1y', from: 'true', to: true },
      ],
    })
  })

  test('a text stays a text where another branch for the same object takes it', () => {
    const branch = (kind: string, type: string) => ({ properties: { kind: { const: kind }, v: { type } } })
    const tagged = { type: 'object', anyOf: [branch('a', 'number'), branch('b', 'string')] }
    expect(changed({ kind: 'a', v: '1' }, tagged)).toEqual({ kind: 'a', v: 1 })
    expect(changed({ kind: 'b', v: '1' }, tagged)).toEqual({ kind: 'b', v: '1' })
    const untagged = {
      anyOf: [{ properties: { v: { type: 'number' } } }, { properties: { v: { type: 'string' } } }],
    }
    expect(changed({ v: '1' }, untagged)).toEqual({ v: '1' })
  })

  test('a reference that leads back to itself ends, and __proto__ stays a member', () => {
    expect(changed('5', { $ref: '#' })).toBe('5')
    const value = parseJson('{"__proto__":"5"}')
    const copy = changed(value.ok ? value.value : null, {
      type: 'object',
      additionalProperties: { type: 'integer' },
    })
    expect(canonicalJson(copy)).toBe('{"__proto__":5}')
  })

  test('loses nothing: what was converted can be written back to what it was', () => {
    const type = fc.constantFrom('number', 'integer', 'boolean', 'null')
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.integer().map(String),
      fc.constantFrom('true', 'null'),
    )
    fc.assert(
      fc.property(text, type, (value, name) => {
        const { value: converted, coerced } = coerce(value, { type: name })
        expect(coerced.length === 0 ? converted : canonicalJson(converted)).toBe(value)
      }),
    )
  })
})
