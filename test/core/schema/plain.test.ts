import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { toolSchema } from '../../../src/core/schema/schema.ts'
import { faultsOf, refusalOf } from './support.ts'

const page = { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] } as const

describe('the arguments of a plain JSON Schema', () => {
  test('a missing required member is named [approvals/A1]', async () => {
    expect(await faultsOf(page, {})).toEqual(['/page is required'])
  })

  test('a text that could be a number stays a fault: nothing is coerced [approvals/A4]', async () => {
    expect(toolSchema(page).coerces).toBe(false)
    expect(await faultsOf(page, { page: '5' })).toEqual(['/page must be an integer'])
  })

  test('a fraction is no integer [approvals/A5]', async () => {
    expect(await faultsOf(page, { page: 5.5 })).toEqual(['/page must be an integer'])
  })

  test('5.0 is the integer 5 [approvals/A6]', async () => {
    expect(await toolSchema(page).check(JSON.parse('{"page":5.0}'))).toEqual({
      ok: true,
      value: { page: 5 },
      input: { page: 5 },
      coerced: [],
    })
  })

  test('an optional string is not null unless its types name null [approvals/A7]', async () => {
    const schema = (type: unknown) => ({ type: 'object', properties: { note: { type } } })
    expect(await faultsOf(schema('string'), { note: null })).toEqual(['/note must be a string'])
    expect(await faultsOf(schema(['string', 'null']), { note: null })).toEqual([])
  })

  test('a value outside of the enum is told what is allowed [approvals/A8]', async () => {
    const schema = { type: 'object', properties: { color: { enum: ['a', 'b'] } } }
    expect(await faultsOf(schema, { color: 'c' })).toEqual(['/color must be one of "a", "b"'])
  })

  test('an extra member is named where extras are forbidden, and passes through elsewhere [approvals/A10]', async () => {
    const closed = { type: 'object', properties: {}, additionalProperties: false }
    expect(await faultsOf(closed, { extra: 1 })).toEqual(['/extra is not allowed'])
    const open = await toolSchema({ type: 'object', properties: {} }).check({ extra: 1 })
    expect(open).toMatchObject({ ok: true, value: { extra: 1 } })
  })

  test.each([[[1]], ['x'], [null], [7]])(
    '%j is no object and so no arguments [approvals/A13]',
    async (value) => {
      expect(await faultsOf(page, value)).toEqual(['the value must be an object'])
      expect(await faultsOf({ properties: {} }, value)).toEqual(['the value must be an object'])
    },
  )

  test('faults at every level are told at once, each with its pointer [approvals/A15]', async () => {
    const schema = {
      type: 'object',
      properties: {
        quantity: { type: 'integer', minimum: 1 },
        'a/b~c': {
          type: 'array',
          items: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
        },
      },
      required: ['page'],
    }
    const result = await toolSchema(schema).check({ quantity: 0, 'a/b~c': [{ x: 1 }, {}] })
    expect(result).toEqual({
      ok: false,
      faults: [
        { pointer: '/page', message: '/page is required' },
        { pointer: '/quantity', message: '/quantity must be at least 1' },
        { pointer: '/a~1b~0c/0/x', message: '/a~1b~0c/0/x must be a string' },
        { pointer: '/a~1b~0c/1/x', message: '/a~1b~0c/1/x is required' },
      ],
    })
  })

  test('fifty faults are told in full and the rest is counted', async () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } }
    const faults = await faultsOf(schema, { list: Array.from({ length: 73 }, (_, index) => index) })
    expect(faults).toHaveLength(51)
    expect(faults.at(-1)).toBe('and 23 more')
  })

  test('a tuple of draft-07 is enforced with and without $schema [application/A15]', async () => {
    for (const dialect of [{}, { $schema: 'http://json-schema.org/draft-07/schema#' }]) {
      const pair = { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }
      const schema = { ...dialect, type: 'object', properties: { pair } }
      expect(await faultsOf(schema, { pair: ['a', 1] })).toEqual([])
      expect(await faultsOf(schema, { pair: [1, 'a', 2] })).toEqual([
        '/pair/0 must be a string',
        '/pair/1 must be a number',
        '/pair/2 is not allowed',
      ])
    }
  })

  test.each([
    ['https://json-schema.org/draft/2020-12/schema', true],
    ['https://json-schema.org/draft/2020-12/schema#', true],
    ['http://json-schema.org/draft-07/schema', true],
    ['http://json-schema.org/draft-07/schema#', true],
    ['https://json-schema.org/draft/2019-09/schema', false],
    ['http://json-schema.org/draft-06/schema#', false],
    ['http://json-schema.org/draft-04/schema#', false],
    ['http://json-schema.org/draft-07/schema#/definitions/x', false],
    ['', false],
    [7, false],
  ])('the dialect %j is taken: %j [application-tools/dialect-forms]', async ($schema, isTaken) => {
    const schema = { $schema, type: 'object', properties: { n: { type: 'integer' } } }
    if (isTaken) expect(await faultsOf(schema, { n: 'x' })).toEqual(['/n must be an integer'])
    else expect(refusalOf(schema).pointer).toBe('/$schema')
  })

  const draft07 = 'http://json-schema.org/draft-07/schema#'
  const draft2020 = 'https://json-schema.org/draft/2020-12/schema'
  test.each<[string, string, object, JsonValue]>([
    ['prefixItems', draft07, { prefixItems: [{ type: 'string' }] }, [1]],
    ['unevaluatedProperties', draft07, { unevaluatedProperties: false }, { b: 1 }],
    ['unevaluatedItems', draft07, { unevaluatedItems: false }, [1]],
    ['dependentRequired', draft07, { dependentRequired: { b: ['c'] } }, { b: 1 }],
    ['dependentSchemas', draft07, { dependentSchemas: { b: false } }, { b: 1 }],
    ['minContains', draft07, { contains: { type: 'integer' }, minContains: 2 }, [1]],
    ['maxContains', draft07, { contains: { type: 'integer' }, maxContains: 1 }, [1, 2]],
    ['$anchor', draft07, { $ref: '#named', $defs: { named: { $anchor: 'named', type: 'string' } } }, 1],
    ['dependencies', draft2020, { dependencies: { b: ['c'] } }, { b: 1 }],
    ['definitions', draft2020, { $ref: '#/properties/a/definitions/d', definitions: { d: false } }, 1],
  ])(
    '%s is enforced in a schema of %s, which does not have it [application-tools/dialect-keywords]',
    async (...row) => {
      const [, $schema, a, value] = row
      expect(await faultsOf({ $schema, type: 'object', properties: { a } }, { a: value })).not.toEqual([])
    },
  )

  test.each<[string, string, object]>([
    ['items with a list', draft2020, { items: [{ type: 'string' }], additionalItems: false }],
    ['a bound of draft-04', draft2020, { maximum: 1, exclusiveMaximum: true }],
    ['a bound of draft-04', draft07, { maximum: 1, exclusiveMaximum: true }],
  ])('%s is refused in a schema of %s [application-tools/dialect-keywords]', (_, $schema, a) => {
    expect(refusalOf({ $schema, type: 'object', properties: { a } }).pointer).toMatch(/^\/properties\/a\//)
  })

  test('a format is an annotation', async () => {
    expect(
      await faultsOf({ type: 'object', properties: { at: { format: 'date' } } }, { at: 'soon' }),
    ).toEqual([])
  })

  test('4.02 is a multiple of 0.01, and 1.5e-11 is none of 1e-11', async () => {
    const schema = (multipleOf: number) => ({ type: 'object', properties: { n: { multipleOf } } })
    expect(await faultsOf(schema(0.01), { n: 4.02 })).toEqual([])
    expect(await faultsOf(schema(1e-11), { n: 1.5e-11 })).toEqual(['/n must be a multiple of 1e-11'])
  })
})

describe('what the model is shown', () => {
  const schema = {
    type: 'object',
    properties: { f: { $ref: '#/$defs/F' } },
    $defs: { F: { enum: ['fit', 'raw'] } },
    'x-order': [2, 1],
  }

  test('root keywords, $defs and order are kept as they are, and $ref is followed [faults/F1]', async () => {
    expect(JSON.stringify(toolSchema(schema).jsonSchema)).toBe(JSON.stringify(schema))
    expect(await faultsOf(schema, { f: 'x' })).toEqual(['/f must be one of "fit", "raw"'])
    expect(await faultsOf(schema, { f: 'raw' })).toEqual([])
  })

  test('it is a frozen copy: changing the original afterwards changes nothing', async () => {
    const original = structuredClone(schema)
    const read = toolSchema(original)
    original.$defs.F.enum.push('x')
    expect(read.jsonSchema).toEqual(schema)
    expect((await read.check({ f: 'x' })).ok).toBe(false)
    expect(Object.isFrozen(read.jsonSchema.$defs)).toBe(true)
  })
})

describe('unions', () => {
  const union = (...anyOf: readonly object[]) => ({ type: 'object', properties: { v: { anyOf } } })

  test('a value of no type in the union is told all of them', async () => {
    expect(await faultsOf(union({ type: 'string' }, { type: 'integer' }), { v: true })).toEqual([
      '/v must be a string, or must be an integer',
    ])
  })

  test('the branch that the discriminator picks tells its faults', async () => {
    const branch = (kind: string, other: object) => ({
      type: 'object',
      properties: { kind: { const: kind }, ...other },
    })
    const schema = union(branch('a', { x: { type: 'string' } }), branch('b', { y: { type: 'string' } }))
    expect(await faultsOf(schema, { v: { kind: 'b', y: 1 } })).toEqual(['/v/y must be a string'])
  })

  test('a value that fits two forms of oneOf is told so', async () => {
    const schema = { type: 'object', properties: { v: { oneOf: [{ minimum: 1 }, { maximum: 5 }] } } }
    expect(await faultsOf(schema, { v: 3 })).toEqual([
      '/v must fit one of its 2 forms only, but fits numbers 1 and 2',
    ])
  })

  test('no member of a union or tuple is dropped [faults/F12]', async () => {
    const schema = {
      type: 'object',
      properties: {
        v: { anyOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
        t: { type: 'array', prefixItems: [{ const: 'a' }, { const: 'b' }, { const: 'c' }], items: false },
      },
    }
    for (const v of [1, 2, 3]) expect(await faultsOf(schema, { v, t: ['a', 'b', 'c'] })).toEqual([])
    expect(await faultsOf(schema, { v: 4 })).toEqual(['/v must be 1, or must be 2, or must be 3'])
    expect(await faultsOf(schema, { t: ['a', 'b', 'x', 1] })).toEqual([
      '/t/2 must be "c"',
      '/t/3 is not allowed',
    ])
  })
})

describe('attacks on the checker', () => {
  test('inherited members are no members [faults/F9] [faults/F10]', async () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
    expect(await faultsOf({ type: 'object', required: names }, {})).toEqual(
      names.map((name) => `/${name} is required`),
    )
  })

  test('members may be called __proto__, toString and constructor [faults/F9]', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
    )
    expect(await faultsOf(schema, JSON.parse('{"__proto__":"a","toString":"b"}'))).toEqual([])
    expect(await faultsOf(schema, JSON.parse('{"__proto__":1,"toString":2,"constructor":3}'))).toEqual([
      '/__proto__ must be a string',
      '/toString must be a string',
      '/constructor is not allowed',
    ])
    expect(await faultsOf(schema, {})).toEqual(['/__proto__ is required'])
  })

  test('a reference cycle through members ends with the value [faults/F12]', async () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false }
    let value: object = { wrong: 1 }
    for (let depth = 0; depth < 60; depth += 1) value = { next: value }
    expect(await faultsOf(schema, value as never)).toEqual([`${'/next'.repeat(60)}/wrong is not allowed`])
  })

  test('a value far deeper than any parser gives ends in a fault, not in an overflow [faults/F12]', async () => {
    const schema = { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }
    let value: object = {}
    for (let depth = 0; depth < 5_000; depth += 1) value = { next: value }
    expect(await faultsOf(schema, value as never)).toEqual([expect.stringContaining('send a smaller one')])
  })

  test('many patterns over one large value end in a fault', async () => {
    const anyOf = Array.from({ length: 4_000 }, (_, index) => ({ pattern: `^b{${index % 900}}c` }))
    const schema = { type: 'object', properties: { text: { anyOf } } }
    expect(await faultsOf(schema, { text: 'a'.repeat(100_000) })).toEqual([expect.stringContaining('steps')])
  })

  test('a schema that doubles its work at each level ends in a fault', async () => {
    const $defs: Record<string, unknown> = { d0: { type: 'object' } }
    for (let level = 1; level <= 30; level += 1) {
      const $ref = `#/$defs/d${level - 1}`
      $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] }
    }
    const schema = { type: 'object', $ref: '#/$defs/d30', $defs }
    expect(await faultsOf(schema, {})).toEqual([expect.stringContaining('5,000,000 steps')])
  })
})

test('a result may be anything, and its required members may be null', async () => {
  const output = { direction: 'output' } as const
  expect(await faultsOf({ type: 'string' }, 1, output)).toEqual(['the value must be a string'])
  expect(await faultsOf(true, [null], output)).toEqual([])
  expect(await faultsOf(false, 1, output)).toEqual(['the value is not allowed'])
  expect(
    await faultsOf({ type: 'object', properties: { a: {} }, required: ['a'] }, { a: null }, output),
  ).toEqual([])
  expect(toolSchema(false, output).jsonSchema).toEqual({ not: {} })
})
