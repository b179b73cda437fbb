import { describe, expect, test } from 'vitest'
import { toolSchema } from '../../../src/core/schema/schema.ts'
import { refusalOf } from './support.ts'

const object = (more: object) => ({ type: 'object', ...more })
const member = (schema: unknown) => object({ properties: { a: schema } })

describe('a schema is refused at registration, with the place', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['$async [application/A4]', object({ $async: true }), '/$async', /remove \$async/],
    ['$async inside', member({ $async: false }), '/properties/a/$async', /remove \$async/],
    [
      'a remote $ref',
      member({ $ref: 'https://example.com/a.json' }),
      '/properties/a/$ref',
      /nothing is fetched/,
    ],
    [
      'an anchor that stands twice',
      object({ properties: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }),
      '/properties/b/$anchor',
      /the anchor "x" stands twice/,
    ],
    ['a pointer to nothing', member({ $ref: '#/$defs/F' }), '/properties/a/$ref', /points to no schema/],
    ['an anchor that is not there', member({ $ref: '#f' }), '/properties/a/$ref', /points to no schema/],
    ['an inherited member as target', member({ $ref: '#/constructor' }), '/properties/a/$ref', /no schema/],
    [
      'an unknown dialect',
      object({ $schema: 'http://json-schema.org/draft-04/schema#' }),
      '/$schema',
      /not known/,
    ],
    ['a wrong type name', member({ type: 'int' }), '/properties/a/type', /must be one of null, boolean/],
    ['a bound that is no number', member({ minimum: '1' }), '/properties/a/minimum', /a number/],
    ['a bound of draft-04', member({ exclusiveMinimum: true }), '/properties/a/exclusiveMinimum', /a number/],
    ['a negative length', member({ minLength: -1 }), '/properties/a/minLength', /an integer from 0/],
    ['required that is no list', member({ required: true }), '/properties/a/required', /an array of strings/],
    ['an empty union', member({ anyOf: [] }), '/properties/a/anyOf', /not empty/],
    ['a property that is no schema', member('string'), '/properties', /members are schemas/],
    [
      'a fault in an unused definition',
      object({ $defs: { F: { type: 'x' } } }),
      '/$defs/F/type',
      /must be one of/,
    ],
    ['a loop', member({ $ref: '#/properties/a' }), '/properties/a', /without an end/],
    [
      'a loop through a union',
      object({ $defs: { F: { anyOf: [{ $ref: '#/$defs/F' }] } } }),
      '/$defs/F',
      /end/,
    ],
    ['two equal $id', object({ $defs: { A: { $id: 'x' }, B: { $id: 'x' } } }), '/$defs/B/$id', /twice/],
    [
      'a tuple of draft-07 in 2020-12',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', ...member({ items: [{}] }) },
      '/properties/a/items',
      /prefixItems/,
    ],
  ])('%s', (_, schema, pointer, sentence) => {
    const refusal = refusalOf(schema)
    expect(refusal.pointer).toBe(pointer)
    expect(refusal.message).toMatch(sentence)
    expect(refusal.message).toContain('"look"')
  })

  test('nested $defs with a reference from the root name the pointer that resolves to nothing [faults/F3]', () => {
    const schema = member({ $ref: '#/$defs/F', $defs: { F: { enum: ['fit'] } } })
    expect(refusalOf(schema)).toEqual({
      pointer: '/properties/a/$ref',
      message: expect.stringContaining('"#/$defs/F" points to no schema'),
    })
  })

  test('an output schema with a remote $ref is refused without a look at the network [application/A5]', () => {
    const schema = { $ref: 'https://example.com/out.json' }
    expect(refusalOf(schema, { direction: 'output' }).message).toContain('nothing is fetched')
  })

  test('more than 64 levels, and more than 10,000 nodes [faults/F12] [application-tools/schema-bounds]', () => {
    let deep: object = { type: 'string' }
    for (let level = 0; level < 40; level += 1) deep = { properties: { a: deep } }
    expect(refusalOf(object(deep)).message).toContain('deeper than 64 levels')
    const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, {}]))
    expect(refusalOf(object({ properties: wide })).message).toContain('more than 10000 objects')
    const cycle: Record<string, unknown> = { type: 'object' }
    cycle.default = cycle
    expect(refusalOf(cycle).message).toContain('deeper than 64 levels')
  })

  test.each<[string, unknown, string]>([
    ['null', null, ''],
    ['a string', 'object', ''],
    ['an array', [], ''],
    ['undefined', undefined, ''],
    ['a function inside', object({ default: () => 1 }), '/default'],
    ['NaN inside', member({ const: Number.NaN }), '/properties/a/const'],
    ['a date inside', object({ default: new Date(0) }), '/default'],
    ['a symbol inside', object({ examples: [Symbol('x')] }), '/examples/0'],
  ])('%s is no JSON Schema', (_, schema, pointer) => {
    expect(refusalOf(schema).pointer).toBe(pointer)
  })

  test('a member that cannot be read is named', () => {
    const schema = Object.defineProperty({ type: 'object' }, 'default', {
      enumerable: true,
      get() {
        throw new Error('out of reach')
      },
    })
    expect(refusalOf(schema)).toEqual({
      pointer: '/default',
      message: expect.stringContaining('out of reach'),
    })
  })
})

describe('the root of an input schema', () => {
  test.each<[string, unknown]>([
    ['true', true],
    ['a string', { type: 'string' }],
    ['an object or null', { type: ['object', 'null'] }],
    ['a union with a string', { anyOf: [{ type: 'object' }, { type: 'string' }] }],
    ['a reference to an array', { $ref: '#/$defs/A', $defs: { A: { type: 'array' } } }],
    ['values that are no objects', { enum: [{}, 1] }],
  ])('is refused when it takes %s', (_, schema) => {
    expect(refusalOf(schema).message).toContain('object')
  })

  test.each<[string, unknown]>([
    ['an object', { type: 'object' }],
    ['properties without a type', { properties: { a: {} } }],
    ['nothing at all', {}],
    ['a union of objects', { oneOf: [{ type: 'object' }, { properties: {} }] }],
    ['a reference to an object', { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } }],
    [
      'a tree',
      { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } } },
    ],
  ])('may be %s', (_, schema) => {
    expect(toolSchema(schema).kind).toBe('json')
  })
})

test('references by $id, $anchor and $dynamicAnchor inside of the document resolve', async () => {
  const schema = {
    $id: 'https://example.com/root.json',
    type: 'object',
    properties: { a: { $ref: 'item.json' }, b: { $ref: '#name' }, c: { $ref: 'item.json#/$defs/n' } },
    $defs: {
      item: { $id: 'item.json', type: 'string', $defs: { n: { type: 'integer' } } },
      name: { $anchor: 'name', type: 'boolean' },
    },
  }
  expect(await toolSchema(schema).check({ a: 1, b: 1, c: 'x' })).toEqual({
    ok: false,
    faults: [
      { pointer: '/a', message: '/a must be a string' },
      { pointer: '/b', message: '/b must be true or false' },
      { pointer: '/c', message: '/c must be an integer' },
    ],
  })
})

test('a property may be named like a keyword, and an enum may hold what looks like a reference', async () => {
  const schema = object({
    properties: { $ref: { type: 'string' }, $async: { enum: [{ $ref: '#/nowhere' }] }, $id: {} },
    additionalProperties: false,
  })
  expect((await toolSchema(schema).check({ $ref: 'a', $async: { $ref: '#/nowhere' }, $id: 1 })).ok).toBe(true)
})
