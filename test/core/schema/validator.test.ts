import { validate as judge, registerSchema, unregisterSchema } from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { Cache } from '../../../src/core/schema/cache.ts'
import { compile, compileWith } from '../../../src/core/schema/validator.ts'

const name = fc.constantFrom('a', 'b', 'c')
const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, 1, 2, -1, 1.5, '', 'a', 'ab', '1'),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any

const { schema } = fc.letrec<{ schema: object | boolean; some: object }>((tie) => ({
  some: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'null', 'boolean'),
        fc.uniqueArray(fc.constantFrom('object', 'array', 'string', 'integer'), { minLength: 1 }),
      ),
      enum: fc.array(value, { minLength: 1, maxLength: 3 }),
      const: value,
      minimum: fc.integer({ min: -1, max: 2 }),
      exclusiveMaximum: fc.integer({ min: -1, max: 2 }),
      multipleOf: fc.constantFrom(0.5, 1, 2),
      minLength: fc.nat(2),
      maxLength: fc.nat(2),
      pattern: fc.constantFrom('^a', 'b$', '[0-9]'),
      minItems: fc.nat(2),
      maxItems: fc.nat(2),
      uniqueItems: fc.boolean(),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      items: tie('schema'),
      contains: tie('schema'),
      minContains: fc.nat(2),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
      patternProperties: fc.dictionary(fc.constantFrom('^a', '[bc]'), tie('schema'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      additionalProperties: tie('schema'),
      propertyNames: tie('schema'),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      dependentSchemas: fc.dictionary(name, tie('schema'), { maxKeys: 1, noNullPrototype: true }),
      maxProperties: fc.nat(2),
      allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      not: tie('schema'),
      ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, tie('schema')])),
    },
    { requiredKeys: [] },
  ),
  schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), tie('some')),
}))

/** A record of all keywords is mostly false; a few of them at a time say more. */
const few = fc.tuple(schema, fc.array(fc.nat(), { maxLength: 3 })).map(([given, picks]) => {
  if (typeof given === 'boolean') return given
  const keys = Object.keys(given)
  const kept = new Set(picks.map((pick) => keys[pick % keys.length]))
  return Object.fromEntries(Object.entries(given).filter(([key]) => kept.has(key)))
})

describe('the validator', () => {
  test('agrees with an implementation that passes the whole JSON Schema Test Suite', async () => {
    const uri = 'https://example.com/random'
    await fc.assert(
      fc.asyncProperty(few, fc.array(value, { minLength: 4, maxLength: 8 }), async (random, values) => {
        registerSchema({ allOf: [random] } as never, uri, 'https://json-schema.org/draft/2020-12/schema')
        try {
          const oracle = await judge(uri)
          const validate = compileWith(random as never)
          for (const one of values) {
            expect([one, validate(one).length === 0]).toEqual([one, oracle(one as never).valid])
          }
        } finally {
          unregisterSchema(uri)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('follows unevaluated keywords through references and conditions', () => {
    const validate = compileWith({
      $defs: { base: { properties: { a: true } } },
      $ref: '#/$defs/base',
      if: { properties: { b: { const: 1 } }, required: ['b'] },
      unevaluatedProperties: false,
    })
    expect(validate({ a: 1, b: 1 })).toEqual([])
    expect(validate({ a: 1, b: 2, c: 3 })).toEqual([
      { pointer: '/b', message: '/b is not allowed' },
      { pointer: '/c', message: '/c is not allowed' },
    ])
  })

  test('lets $dynamicRef reach the outermost anchor', () => {
    const validate = compileWith({
      $id: 'https://example.com/strings',
      $ref: 'list',
      $defs: {
        strings: { $dynamicAnchor: 'item', type: 'string' },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#item' },
          $defs: { any: { $dynamicAnchor: 'item' } },
        },
      },
    })
    expect(validate(['a'])).toEqual([])
    expect(validate(['a', 1])).toEqual([{ pointer: '/1', message: '/1 must be a string' }])
  })

  test('of draft-07 ignores what stands beside a $ref', () => {
    const properties = { a: { $ref: '#/definitions/list', maxItems: 1 } }
    const schema = { properties, definitions: { list: { type: 'array' } } }
    expect(
      compileWith({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema })({ a: [1, 2] }),
    ).toEqual([])
    expect(compileWith(schema)({ a: [1, 2] })).toHaveLength(1)
  })

  test('refers to other documents when it is given them', () => {
    const documents = new Map<string, unknown>([['https://example.com/n', { type: 'integer' }]])
    const validate = compileWith({ items: { $ref: 'https://example.com/n' } }, {}, { documents })
    expect(validate([1, 'x'])).toEqual([{ pointer: '/1', message: '/1 must be an integer' }])
  })

  test('words every keyword plainly', () => {
    const cases: readonly [object, JsonValue, string][] = [
      [{ exclusiveMinimum: 1 }, 1, 'must be greater than 1'],
      [{ exclusiveMaximum: 1 }, 1, 'must be less than 1'],
      [{ minLength: 2 }, '😀', 'must have at least 2 characters'],
      [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
      [{ pattern: '^a' }, 'b', 'must match the pattern "^a"'],
      [{ minItems: 1 }, [], 'must have at least 1 item'],
      [{ maxItems: 1 }, [1, 2], 'must have at most 1 item'],
      [
        { contains: { const: 1 }, maxContains: 1 },
        [1, 1],
        'must hold at most 1 item of the form in "contains"',
      ],
      [{ minProperties: 1 }, {}, 'must have at least 1 property'],
      [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 property'],
      [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
      [{ const: { a: 1 } }, 1, 'must be {"a":1}'],
    ]
    for (const [given, one, text] of cases)
      expect(compileWith(given as never)(one)[0]?.message).toBe(`the value ${text}`)
    const byMember: readonly [object, JsonValue, string][] = [
      [
        { propertyNames: { maxLength: 1 } },
        { ab: 1 },
        '/ab is not allowed: the name "ab" must have at most 1 character',
      ],
      [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b is required when "a" is given'],
    ]
    for (const [given, one, text] of byMember) expect(compileWith(given as never)(one)[0]?.message).toBe(text)
  })
})

describe('a union that a value does not fit', () => {
  const form = (key: string) => ({
    type: 'object',
    properties: { id: { type: 'string' }, [key]: {} },
    required: ['id', key],
    additionalProperties: false,
  })
  const check = compile({ oneOf: [form('output'), form('error')] })
  const told = (value: JsonValue) => check(value).map(({ message }) => message)

  test('names what is wrong in every form, and no other form where one has no other fault', () => {
    expect(told({ id: 'x', output: 1, subject: 'y' })).toEqual(['/subject is not allowed'])
    expect(told({ id: 'x', error: 1, subject: 'y', more: 1 })).toEqual([
      '/subject is not allowed',
      '/more is not allowed',
    ])
  })

  test('names first what is wrong in every form where the form is not known', () => {
    expect(told({ id: 'x', subject: 'y' })).toEqual([
      '/subject is not allowed',
      'the value fits none of its 2 forms: /output is required, or /error is required',
    ])
  })
})

describe('compiling', () => {
  test('happens once for one content, however its keys are ordered', () => {
    const first = compile({ type: 'object', properties: { once: { type: 'string' } } })
    expect(compile({ properties: { once: { type: 'string' } }, type: 'object' })).toBe(first)
    expect(compile({ type: 'object', properties: { once: { type: 'number' } } })).not.toBe(first)
    expect(
      compile({ type: 'object', properties: { once: { type: 'string' } } }, { requiredNotNull: true }),
    ).not.toBe(first)
  })

  test('keeps what was used last and forgets the rest', () => {
    const cache = new Cache<string>(2)
    const made: string[] = []
    const make = (key: string) => {
      made.push(key)
      return key
    }
    const get = (key: string) => cache.get(key, () => make(key))
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) get(key)
    expect(made).toEqual(['a', 'b', 'c', 'b'])
    expect(cache.size).toBe(2)
    expect(() =>
      cache.get('x', () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(get('x')).toBe('x')
  })
})
