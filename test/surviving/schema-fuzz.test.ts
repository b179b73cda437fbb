import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CheckResult,
  type ToolSchema,
  type ToolSchemaOptions,
  toolSchema,
} from '../../src/core/schema/schema.ts'
import { isToolpostError, type JsonValue } from '../../src/index.ts'
import { jsonValue } from '../core/json/arbitrary-json.ts'
import { hostileValues } from './hostile-values.ts'

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
const keys = fc.constantFrom('a', 'b', '', '__proto__', 'constructor', 'a/b', '~1')
const references = fc.constantFrom(
  '#',
  '#/$defs/a',
  '#/$defs/b',
  '#here',
  '#/properties/a',
  '#/nowhere',
  'https://example.com/x',
)
const patterns = fc.constantFrom('^a+$', '(a+)+$', '[', '(?=a)', '\\p{L}', '.*.*=.*', '^[^\\d]{2,3}$', '')

/** An object with a few of these members. */
function someOf(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const entry = fc.oneof(...Object.entries(members).map(([key, value]) => fc.tuple(fc.constant(key), value)))
  return fc.array(entry, { maxLength: 4 }).map(Object.fromEntries)
}

/** A schema of every keyword, most of them in their right form, some in a wrong one. */
const { schema } = fc.letrec<{ schema: unknown; list: unknown; members: unknown }>((tie) => {
  const wrong = fc.oneof({ maxDepth: 1 }, fc.anything({ maxDepth: 1 }), jsonValue)
  const rarely = <T>(right: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: wrong })
  const count = rarely(fc.nat(4))
  const bound = rarely(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true })))
  const part = rarely(tie('schema'))
  return {
    list: rarely(fc.array(tie('schema'), { minLength: 1, maxLength: 3 })),
    members: rarely(fc.dictionary(keys, tie('schema'), { maxKeys: 3 })),
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.boolean(),
      fc.constantFrom('integer', 'boolean', 'array').map((type) => ({ type, properties: { a: { type } } })),
      someOf({
        type: rarely(
          fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 })),
        ),
        enum: rarely(fc.array(jsonValue, { minLength: 1, maxLength: 3 })),
        const: jsonValue,
        minimum: bound,
        exclusiveMaximum: bound,
        multipleOf: rarely(fc.constantFrom(1, 0.01, 3, 1e-300, 1e300)),
        minLength: count,
        maxLength: count,
        pattern: rarely(patterns),
        format: rarely(fc.constantFrom('email', 'date', 'unheard-of')),
        properties: tie('members'),
        patternProperties: rarely(fc.dictionary(patterns, tie('schema'), { maxKeys: 2 })),
        additionalProperties: part,
        propertyNames: part,
        required: rarely(fc.uniqueArray(keys, { maxLength: 3 })),
        minProperties: count,
        dependentSchemas: tie('members'),
        items: part,
        prefixItems: tie('list'),
        contains: part,
        minContains: count,
        uniqueItems: rarely(fc.boolean()),
        allOf: tie('list'),
        anyOf: tie('list'),
        oneOf: tie('list'),
        not: part,
        if: part,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: part,
        unevaluatedProperties: part,
        unevaluatedItems: part,
        $ref: rarely(references),
        $dynamicRef: rarely(references),
        $anchor: rarely(fc.constantFrom('here', 'there')),
        $defs: tie('members'),
        $schema: rarely(
          fc.constantFrom(
            'https://json-schema.org/draft/2020-12/schema',
            'http://json-schema.org/draft-07/schema#',
          ),
        ),
      }),
    ),
  }
})

/** Reads a schema; undefined when it was refused by the one error for that. */
function read(source: unknown, options: ToolSchemaOptions): ToolSchema | undefined {
  try {
    return toolSchema(source, options)
  } catch (error) {
    expect(isToolpostError(error) && error.code).toBe('INVALID_SCHEMA')
    return undefined
  }
}

const options: fc.Arbitrary<ToolSchemaOptions> = fc.record({
  direction: fc.constantFrom('input' as const, 'output' as const),
  coercion: fc.constantFrom('lossless' as const, 'off' as const),
})
const someTexts = fc.constantFrom<JsonValue>('5', 'true', 'null', '[]')
const member = fc.oneof(jsonValue, someTexts)
const someValues = fc.array(
  fc.oneof(jsonValue, someTexts, fc.dictionary(keys, member, { maxKeys: 3, noNullPrototype: true })),
  { minLength: 1, maxLength: 5 },
)

test('a schema is refused as INVALID_SCHEMA, or it checks every value without throwing, and what passed passes again', () => {
  const seen = { refused: 0, passed: 0, failed: 0, coerced: 0 }
  fc.assert(
    fc.property(schema, options, someValues, (source, how, values) => {
      const made = read(source, how)
      if (made === undefined) {
        seen.refused += 1
        return
      }
      for (const value of values as JsonValue[]) {
        const result = made.check(value) as CheckResult
        seen[result.ok ? 'passed' : 'failed'] += 1
        if (!result.ok) {
          expect(result.faults.length).toBeGreaterThan(0)
          expect(result.faults.length).toBeLessThanOrEqual(51)
          continue
        }
        seen.coerced += result.coerced.length
        expect(made.check(result.input)).toMatchObject({ ok: true, coerced: [] })
      }
    }),
    { numRuns: 2_000 },
  )
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
})

test.each(Object.keys(hostileValues))(
  '%s as a schema, or in one, is refused or read, and nothing else',
  (name) => {
    const value = hostileValues[name]!()
    const places: readonly ((part: unknown) => unknown)[] = [
      (part) => part,
      (part) => ({ type: 'object', properties: { a: part } }),
      (part) => ({ type: 'object', enum: [part] }),
      (part) => ({ type: 'object', description: part }),
      (part) => ({ $ref: part }),
      (part) => ({ '~standard': part }),
      (part) => ({
        '~standard': { version: 1, vendor: part, validate: () => part, jsonSchema: { input: () => part } },
      }),
      (part) => ({ '~standard': { version: 1, vendor: 'x', validate: part, jsonSchema: part } }),
    ]
    for (const place of places) {
      const made = read(place(value), { name: 'look' })
      if (made !== undefined) expect(typeof made.jsonSchema).toBe('object')
    }
  },
)

test('a schema whose parts refer to parts that refer to parts, twice each, is read and checked at once', () => {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const parts = Array.from({ length: 1_000 }, (_, n) => {
      const next = { $ref: `#/$defs/part${n + 1}` }
      return [`part${n}`, { [keyword]: [next, next] }] as const
    })
    const $defs = { ...Object.fromEntries(parts), part1000: { type: 'object' } }
    const made = read({ $ref: '#/$defs/part0', $defs }, { coercion: 'lossless' })
    expect(made?.check({}) ?? { ok: false }).toMatchObject({ ok: false })
  }
})

test('what a library answers to a check, thrown, hostile or nonsense, is a result or a fault', async () => {
  for (const [name, make] of Object.entries(hostileValues)) {
    if (name.includes('never calls back')) continue
    const answers: readonly (() => unknown)[] = [
      make,
      async () => make(),
      () => ({ value: make() }),
      () => ({ issues: make() }),
      () => ({ issues: [make()] }),
      () => ({ issues: [{ message: make(), path: [make()] }] }),
      () => {
        throw make()
      },
    ]
    for (const validate of answers) {
      const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({}) }
      const made = toolSchema({ '~standard': { version: 1, vendor: 'x', validate, jsonSchema } })
      const result = await made.check({})
      expect(typeof result.ok, name).toBe('boolean')
      if (!result.ok) for (const { message } of result.faults) expect(typeof message, name).toBe('string')
    }
  }
})
