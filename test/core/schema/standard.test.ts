import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { toolSchema } from '../../../src/core/schema/schema.ts'
import { faultsOf, refusalOf } from './support.ts'

/** The same order, written with each library. */
const orders = {
  zod: z.object({
    sku: z.string().describe('As printed on the box'),
    quantity: z.number().int().positive(),
    gift: z.boolean().default(false),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      sku: v.pipe(v.string(), v.description('As printed on the box')),
      quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
      gift: v.optional(v.boolean(), false),
    }),
  ),
  arktype: type({
    sku: type.string.describe('As printed on the box'),
    quantity: 'number.integer > 0',
    gift: 'boolean = false',
  }),
}

describe.each(Object.entries(orders))('a schema of %s', (_, order) => {
  const schema = toolSchema(order, { name: 'order' })

  test('is shown with the texts of its descriptions, and coerces [approvals/G10]', () => {
    expect(schema.kind).toBe('standard')
    expect(schema.coerces).toBe(true)
    expect(schema.jsonSchema).toMatchObject({
      type: 'object',
      required: expect.not.arrayContaining(['gift']),
    })
    expect(JSON.stringify(schema.jsonSchema)).toContain('As printed on the box')
  })

  test('gives its own output, defaults applied, and leaves a value that passes alone', async () => {
    const input = { sku: '007', quantity: 5 }
    expect(await schema.check(input)).toEqual({
      ok: true,
      value: { sku: '007', quantity: 5, gift: false },
      input,
      coerced: [],
    })
  })

  test('turns "5" into 5 and lists it [approvals/G4] [faults/F4]', async () => {
    expect(await schema.check({ sku: '5', quantity: '5', gift: 'true' })).toEqual({
      ok: true,
      value: { sku: '5', quantity: 5, gift: true },
      input: { sku: '5', quantity: 5, gift: true },
      coerced: [
        { pointer: '/quantity', from: '5', to: 5 },
        { pointer: '/gift', from: 'true', to: true },
      ],
    })
  })

  test('names a missing member by its pointer [approvals/G5]', async () => {
    const result = await schema.check({ sku: 'a' })
    expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual(['/quantity'])
  })

  test('refuses a coerced value that breaks its bounds [approvals/G7]', async () => {
    for (const quantity of [-1, '-1']) {
      const result = await schema.check({ sku: 'a', quantity })
      expect(result.ok ? [] : result.faults.map((fault) => fault.pointer)).toEqual(['/quantity'])
    }
  })

  test('refuses null for an optional member that does not take null', async () => {
    expect((await schema.check({ sku: 'a', quantity: 1, gift: null })).ok).toBe(false)
  })

  test('takes no arguments that are no object [approvals/A13]', async () => {
    for (const value of [[1], 'x', null]) expect((await schema.check(value)).ok).toBe(false)
  })
})

describe('a schema that no JSON Schema can show', () => {
  test('names the tool and the reason of the library [tools-in-an-agent/schema-refused-loudly]', () => {
    expect(refusalOf(z.object({ at: z.date() })).message).toBe(
      'The input schema of the tool "look" cannot be used, at its root: it has no JSON Schema: Date cannot be represented in JSON Schema.',
    )
    expect(refusalOf(toStandardJsonSchema(v.object({ at: v.date() }))).message).toMatch(
      /"date" schema cannot be converted to JSON Schema\.$/,
    )
  })

  test.each<[string, unknown, RegExp]>([
    [
      'Valibot without its adapter',
      v.object({}),
      /wrap it with toStandardJsonSchema from @valibot\/to-json-schema/,
    ],
    [
      'an old Zod',
      { _def: {}, '~standard': { version: 1, vendor: 'zod', validate: () => ({}) } },
      /Zod 4\.2/,
    ],
    ['a Zod before Standard Schema', { _def: { typeName: 'ZodObject' }, parse: () => ({}) }, /Zod 4\.2/],
    [
      'an old ArkType',
      { '~standard': { version: 1, vendor: 'arktype', validate: () => ({}) } },
      /ArkType 2\.1\.28/,
    ],
    [
      'another library',
      { '~standard': { version: 1, vendor: 'own', validate: () => ({}) } },
      /of own that has/,
    ],
    ['a root that is no object', z.string(), /arguments of a call are an object/],
  ])('%s is told what to use', (_, schema, sentence) => {
    expect(refusalOf(schema).message).toMatch(sentence)
  })
})

test('patterns that only the library runs are shown as they are', async () => {
  const schema = z.object({ mail: z.email(), id: z.uuid().optional() })
  expect(await faultsOf(schema, { mail: 'a@example.com' })).toEqual([])
  expect(JSON.stringify(toolSchema(schema).jsonSchema)).toContain('pattern')
})

test('a union of objects and a recursive object may stand at the root', async () => {
  const union = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), n: z.number() }),
    z.object({ kind: z.literal('b'), n: z.string() }),
  ])
  expect(await toolSchema(union).check({ kind: 'a', n: '1' })).toMatchObject({ value: { kind: 'a', n: 1 } })
  expect(await toolSchema(union).check({ kind: 'b', n: '1' })).toMatchObject({
    value: { kind: 'b', n: '1' },
    coerced: [],
  })
  const tree = z.object({
    n: z.number(),
    get children() {
      return z.array(tree).optional()
    },
  })
  expect(await toolSchema(tree).check({ n: 1, children: [{ n: '2' }] })).toMatchObject({
    coerced: [{ pointer: '/children/0/n', from: '2', to: 2 }],
  })
})

test('a schema that transforms shows its input, and its output on demand', async () => {
  const schema = z.object({ n: z.string().transform(Number).pipe(z.number()) })
  expect(toolSchema(schema).jsonSchema).toMatchObject({ properties: { n: { type: 'string' } } })
  expect(toolSchema(schema, { direction: 'output' }).jsonSchema).toMatchObject({
    properties: { n: { type: 'number' } },
  })
  expect(await toolSchema(schema).check({ n: '7' })).toMatchObject({ value: { n: 7 }, input: { n: '7' } })
})

test('a check that is asynchronous is awaited, also after a coercion', async () => {
  const schema = z
    .object({ n: z.number() })
    .refine(async ({ n }) => n !== 3, { path: ['n'], message: 'not three' })
  expect(await toolSchema(schema).check({ n: '4' })).toMatchObject({ ok: true, value: { n: 4 } })
  expect(await faultsOf(schema, { n: '3' })).toEqual(['/n: not three'])
})

describe('a validator that misbehaves', () => {
  const made = (validate: (value: unknown) => unknown) => ({
    '~standard': {
      version: 1,
      vendor: 'own',
      validate,
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  })

  test.each<[string, (value: unknown) => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('kaputt')
      },
      /broke off: kaputt/,
    ],
    [
      'rejects',
      async () => {
        throw new Error('kaputt')
      },
      /broke off: kaputt/,
    ],
    ['gives nothing', () => undefined, /broke off/],
    [
      'throws no error',
      () => {
        throw null
      },
      /broke off/,
    ],
    ['fails without a reason', () => ({ issues: [] }), /is not valid/],
    ['has issues that cannot be read', () => ({ issues: [null] }), /broke off/],
  ])('%s: a fault at the root, no exception', async (_, validate, sentence) => {
    const result = await toolSchema(made(validate)).check({})
    expect(result).toEqual({ ok: false, faults: [{ pointer: '', message: expect.stringMatching(sentence) }] })
  })

  test('its paths become pointers, whatever they are made of', async () => {
    const issues = [{ message: 'bad', path: [{ key: 'a/b' }, 0, Symbol('s')] }]
    expect(
      await faultsOf(
        made(() => ({ issues })),
        {},
      ),
    ).toEqual(['/a~1b/0/Symbol(s): bad'])
  })

  test('a converter that gives no JSON Schema is refused', () => {
    const broken = made(() => ({ value: 1 }))
    broken['~standard'].jsonSchema.input = () => 5 as never
    expect(refusalOf(broken).message).toContain('a JSON Schema is an object or a boolean')
  })
})

test('a validator is not handed what it did not get: the value itself is never changed', async () => {
  const value: JsonValue = { n: '5', list: '[1]' }
  const before = structuredClone(value)
  const schema = toolSchema(z.object({ n: z.number(), list: z.array(z.number()) }))
  expect((await schema.check(value)).ok).toBe(true)
  expect(value).toEqual(before)
})
