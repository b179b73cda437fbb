import { describe, expect, test } from 'vitest'
import type { LintFinding, LintProvider } from '../../../src/core/lint/finding.ts'
import { lintProviders, lintTools } from '../../../src/core/lint/lint-tools.ts'
import type { JsonSchema } from '../../../src/core/schema/json-schema.ts'

function found(provider: LintProvider, jsonSchema: JsonSchema, name = 'look'): readonly LintFinding[] {
  return lintTools([{ name, description: 'Looks.', jsonSchema }], provider)
}

/** Effect and place of each finding. */
function places(provider: LintProvider, schema: JsonSchema): string[] {
  return found(provider, schema).map(
    ({ effect, pointer }) => `${effect} ${pointer.replace('/jsonSchema', '')}`,
  )
}

const withA = (a: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { a },
  required: ['a'],
  additionalProperties: false,
})

describe('every provider', () => {
  test.each(lintProviders)('%s takes a plain closed object as it is', (provider) => {
    const schema = withA({ type: 'array', items: { type: 'string', enum: ['x', 'y'] }, maxItems: 3 })
    expect(found(provider, schema)).toEqual([])
  })

  test.each(lintProviders)('%s is sent a short name for one that does not fit', (provider) => {
    const [finding, ...others] = found(provider, withA({ type: 'string' }), 'mail.send')
    expect(others).toEqual([])
    expect(finding).toMatchObject({ provider, tool: 'mail.send', pointer: '/name', effect: 'changed' })
    expect(finding?.sentInstead).toMatch(/^mail_send_[0-9a-f]{8}$/)
    expect(finding?.says).toContain(JSON.stringify(finding?.sentInstead))
  })

  test.each(lintProviders)('%s is sent a root that names its type and its members', (provider) => {
    const changed = found(provider, { additionalProperties: false })
    expect(changed.map(({ pointer, effect, sentInstead }) => [pointer, effect, sentInstead])).toEqual([
      ['/jsonSchema/type', 'changed', 'object'],
      ['/jsonSchema/properties', 'changed', {}],
    ])
  })

  test.each(lintProviders)('%s is sent the nearest number for an integer beyond 2^53', (provider) => {
    const [finding] = found(provider, withA({ type: 'integer', maximum: 2n ** 63n }))
    expect(finding).toMatchObject({
      pointer: '/jsonSchema/properties/a/maximum',
      effect: 'changed',
      sentInstead: 2 ** 63,
    })
  })

  test('names that cannot be told apart are a finding, not a crash', () => {
    const specification = (name: string) => ({ name, description: '', jsonSchema: withA({ type: 'string' }) })
    const sent = (names: string[]) =>
      lintTools(names.map(specification), 'openai').flatMap(({ sentInstead }) => sentInstead as string)
    const names = ['mail.send']
    for (let level = 0; level < 3; level += 1) names.push(...sent(names))
    const findings = lintTools(names.map(specification), 'openai')
    expect(findings).toMatchObject([{ pointer: '/name', effect: 'refused' }])
    expect(findings[0]?.says).toContain('"mail.send"')
  })
})

describe('OpenAI', () => {
  test.each(['openai', 'openai-strict'] as const)(
    'refuses unions and other types at the root (%s)',
    (provider) => {
      const branch = withA({ type: 'string' })
      expect(places(provider, { ...branch, anyOf: [branch] })).toEqual(['refused /anyOf'])
      expect(places(provider, { ...branch, not: { required: ['b'] } })).toEqual(['refused /not'])
      expect(places(provider, { ...branch, type: ['object'] })).toEqual(['refused /type'])
    },
  )

  test('refuses an array without items, and takes a free-form object', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: ['array', 'null'] },
        b: { anyOf: [{ type: 'array', prefixItems: [true] }] },
        c: { type: 'object' },
      },
    }
    expect(places('openai', schema)).toEqual(['refused /properties/a', 'refused /properties/b/anyOf/0'])
  })

  test('is not sent propertyNames and look-around', () => {
    const schema = withA({
      type: 'object',
      propertyNames: { maxLength: 3 },
      additionalProperties: { type: 'string', pattern: '^(?!x)' },
    })
    expect(places('openai', schema)).toEqual([
      'ignored /properties/a/propertyNames',
      'ignored /properties/a/additionalProperties/pattern',
    ])
    expect(places('openai', withA({ type: 'object', propertyNames: false }))).toEqual([
      'refused /properties/a/propertyNames',
    ])
    expect(places('openai', withA({ type: 'string', pattern: '[(?=]\\(?=' }))).toEqual([])
  })

  test('takes a lone reference in allOf, which its package resolves', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/all' }],
      $defs: { all: withA({ type: 'string' }) },
      ...withA({}),
    }
    expect(places('openai', schema)).toEqual([])
  })

  test('refuses more than 128 tools', () => {
    const tools = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        name: `tool_${place}`,
        description: '',
        jsonSchema: withA({ type: 'string' }),
      }))
    expect(lintTools(tools(128), 'openai')).toEqual([])
    expect(lintTools(tools(129), 'openai')).toMatchObject([{ tool: 'tool_128', effect: 'refused' }])
    expect(lintTools(tools(129), 'anthropic')).toEqual([])
  })
})

describe("OpenAI's strict mode", () => {
  test('refuses open objects and optional members, which stay as they are [faults/F13]', () => {
    const schema = { type: 'object', properties: { meta: { type: 'object' }, note: { type: 'string' } } }
    const findings = found('openai-strict', schema)
    expect(findings.map(({ pointer, keyword }) => [pointer, keyword])).toEqual([
      ['/jsonSchema', 'additionalProperties'],
      ['/jsonSchema', 'required'],
      ['/jsonSchema/properties/meta', 'additionalProperties'],
    ])
    for (const { effect, says, sentInstead } of findings) {
      expect([effect, sentInstead]).toEqual(['refused', undefined])
      expect(says).toContain('with strict mode off')
    }
    expect(findings[1]?.says).toContain('"meta", "note" are not in "required"')
  })

  test('refuses keywords that its guide excludes or does not name', () => {
    const closed = withA({ type: 'string' })
    const a = {
      oneOf: [closed],
      allOf: [closed, closed],
      if: closed,
      patternProperties: { x: closed },
      uniqueItems: true,
    }
    expect(places('openai-strict', withA(a))).toEqual(
      ['oneOf', 'allOf', 'if', 'patternProperties', 'uniqueItems'].map(
        (key) => `refused /properties/a/${key}`,
      ),
    )
    const pattern = { type: 'string', pattern: '^x', format: 'date', minLength: 1 }
    expect(places('openai-strict', withA(pattern))).toEqual([])
  })

  test('refuses more than its sizes', () => {
    const many = (count: number) => Array.from({ length: count }, (_, place) => `n${place}`)
    const wide = (count: number) => ({
      ...withA({}),
      properties: Object.fromEntries(many(count).map((name) => [name, { type: 'string' }])),
      required: many(count),
    })
    const deep = (levels: number): JsonSchema => withA(levels === 0 ? { type: 'string' } : deep(levels - 1))
    const says = (schema: JsonSchema) =>
      found('openai-strict', schema).map((finding) => finding.says.split(',')[0])
    expect(says(wide(5000))).toEqual([])
    expect(says(wide(5001))).toEqual(["OpenAI's strict mode takes at most 5000 properties"])
    expect(says(deep(10))).toEqual([])
    expect(says(deep(11))).toEqual(["OpenAI's strict mode takes at most 10 levels of objects in objects"])
    expect(says(withA({ enum: many(1000) }))).toEqual([])
    expect(says(withA({ enum: many(1001) }))).toEqual([
      'OpenAI\'s strict mode takes at most 1000 values of "enum"',
    ])
    expect(says(withA({ const: 'x'.repeat(120_000) }))).toEqual([
      "OpenAI's strict mode takes at most 120000 characters of names and fixed values",
    ])
    expect(says(withA({ enum: many(251).map((name) => name.padEnd(60)) }))).toEqual([
      'OpenAI\'s strict mode takes at most 15000 characters in an "enum" of more than 250 texts',
    ])
  })
})

describe("OpenAI's strict mode, of values", () => {
  const $defs = { text: { type: 'string' } }
  test.each<[string, JsonSchema, string]>([
    ['a format that it does not know', { type: 'string', format: 'uri' }, '/format'],
    ['a word beside a reference', { $ref: '#/$defs/text', description: 'A' }, '/$ref'],
    ['a schema that says nothing', { description: 'Anything' }, ''],
    ['the same among others', { type: 'array', items: {} }, '/items'],
    ['a schema that is true', { type: 'array', items: true as never }, '/items'],
    ['values of several types', { enum: [1, 'a'] }, '/enum'],
    ['a value of another type', { type: 'string', enum: ['a', 1] }, '/enum'],
    ['the tuples of draft-07', { type: 'array', items: [{ type: 'string' }] }, '/items'],
    ['a word of OpenAPI', { type: 'string', nullable: true }, '/nullable'],
    ['a default', { type: 'string', default: 'x' }, '/default'],
  ])('refuses %s', (_, a, place) => {
    expect(places('openai-strict', { ...withA(a), $defs })).toEqual([`refused /properties/a${place}`])
  })

  test('takes the formats of its guide, lone references, and null beside one type', () => {
    for (const format of ['date-time', 'email', 'uuid', 'ipv6'])
      expect(places('openai-strict', withA({ type: 'string', format }))).toEqual([])
    expect(places('openai-strict', { ...withA({ $ref: '#/$defs/text' }), $defs })).toEqual([])
    expect(places('openai-strict', withA({ type: ['string', 'null'], enum: ['a', null] }))).toEqual([])
    expect(places('openai-strict', withA({ type: 'number', enum: [1, 1.5] }))).toEqual([])
  })
})

test("a description beyond OpenAI's bound is told for OpenAI alone", () => {
  const of = (provider: LintProvider, length: number) =>
    lintTools(
      [{ name: 'look', description: 'é'.repeat(length), jsonSchema: withA({ type: 'string' }) }],
      provider,
    )
  expect(of('openai', 1_024)).toEqual([])
  expect(of('openai', 1_025)).toMatchObject([{ pointer: '/description', effect: 'ignored' }])
  expect(of('openai-strict', 1_025)).toHaveLength(1)
  expect(of('anthropic', 1_025)).toEqual([])
})

describe('Anthropic', () => {
  test('refuses unions at the root and takes them below', () => {
    const branch = withA({ type: 'string' })
    for (const keyword of ['oneOf', 'anyOf', 'allOf']) {
      expect(places('anthropic', { ...branch, [keyword]: [branch] })).toEqual([`refused /${keyword}`])
      expect(places('anthropic', withA({ [keyword]: [branch] }))).toEqual([])
    }
    expect(places('anthropic', { ...branch, not: branch, enum: [{}] })).toEqual([])
  })

  test('refuses names of root members that do not fit, and no others', () => {
    const properties = { $top: true, 'filter[id]': true, 'a.b-c_1': { properties: { $deep: true } } }
    expect(places('anthropic', { type: 'object', properties })).toEqual([
      'refused /properties/$top',
      'refused /properties/filter[id]',
    ])
  })

  test('refuses the tuples of draft-07', () => {
    expect(places('anthropic', withA({ type: 'array', items: [{ type: 'string' }] }))).toEqual([
      'refused /properties/a/items',
    ])
    expect(places('anthropic', withA({ type: 'array', prefixItems: [{ type: 'string' }] }))).toEqual([])
  })
})

describe('Gemini', () => {
  test('keeps to the keywords that it lists and ignores others', () => {
    const a = {
      type: 'string',
      pattern: '^x',
      const: 'x',
      title: 'A',
      format: 'date',
      default: 'x',
      examples: ['x'],
    }
    expect(places('gemini', { $schema: 'x', ...withA(a) })).toEqual([
      'ignored /properties/a/pattern',
      'ignored /properties/a/const',
    ])
    expect(places('gemini', withA({ enum: [1, 'a'] }))).toEqual([])
    expect(places('gemini', withA({ enum: [1, null] }))).toEqual(['ignored /properties/a/enum'])
    expect(places('gemini', withA({ oneOf: [{ type: 'string' }] }))).toEqual(['ignored /properties/a/oneOf'])
  })

  test('refuses to require a member that is not there', () => {
    expect(places('gemini', { ...withA({ type: 'string' }), required: ['a', 'b'] })).toEqual([
      'refused /required',
    ])
    expect(places('gemini', withA({ anyOf: [{ required: ['x'] }] }))).toEqual([
      'refused /properties/a/anyOf/0/required',
    ])
  })

  test('refuses what stands beside a reference', () => {
    const $defs = { text: { type: 'string' } }
    expect(places('gemini', { ...withA({ $ref: '#/$defs/text' }), $defs })).toEqual([])
    expect(places('gemini', { ...withA({ $ref: '#/$defs/text', description: 'A' }), $defs })).toEqual([
      'refused /properties/a/$ref',
    ])
  })
})

test('a member named like a keyword is a member', () => {
  const properties = { not: { type: 'string' }, items: { type: 'string' }, __proto__: null }
  const schema = JSON.parse(JSON.stringify({ ...withA({}), properties, required: ['not', 'items'] }))
  for (const provider of lintProviders) expect(found(provider, schema)).toEqual([])
})
