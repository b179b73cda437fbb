import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, tool } from '../../src/index.ts'
import { responseFormat } from '../../src/models/response-format.ts'
import { wireServer } from '../../src/testing-wire.ts'
import { ask } from './answer-of.ts'
import { type ProviderName, providerNames, providers } from './providers.ts'

const invoice = {
  type: 'object',
  properties: { total: { type: 'number', minimum: 0 }, note: { type: ['string', 'null'] } },
  required: ['total', 'note'],
} as const
const closed = {
  type: 'object',
  properties: { total: { type: 'number' }, note: { type: ['string', 'null'] } },
  required: ['total', 'note'],
  additionalProperties: false,
}

interface Body {
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } }
  readonly text?: { readonly format?: { readonly schema?: unknown } }
  readonly output_config?: { readonly format?: { readonly schema?: unknown } }
}

/** What a provider is asked for as the form of its answer, in its own words. */
const formatIn: Record<ProviderName, (body: Body) => unknown> = {
  'openai.chat': (body) => body.response_format?.json_schema?.schema,
  'openai.responses': (body) => body.text?.format?.schema,
  'anthropic.messages': (body) => body.output_config?.format?.schema,
}

describe.each(providerNames)('over %s', (name) => {
  const said = '{"total":12,"note":null}'

  async function sent(tools: readonly ReturnType<typeof tool>[]) {
    await using server = await wireServer({ script: [{ text: said }] })
    const clerk = agent({ name: 'clerk', model: providers[name](server.url), output: invoice, tools })
    const result = await (await clerk.startSession('auto')).run('Read the invoice.')
    expect(result).toMatchObject({ status: 'completed', output: { total: 12, note: null } })
    return server.requests[0]?.body as Body
  }

  test("the output's schema reaches the provider, closed and without bounds, and stands in the instructions", async () => {
    const body = await sent([])
    expect(formatIn[name](body)).toEqual(closed)
    expect(JSON.stringify(body)).toContain('your final answer must be JSON')
  })

  test('beside tools it stands in the instructions alone', async () => {
    const body = await sent([
      tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen' }),
    ])
    expect(formatIn[name](body)).toBeUndefined()
    expect(JSON.stringify(body)).toContain('your final answer must be JSON')
  })
})

describe('what strict modes take is sent', () => {
  test.each([
    [
      'members of members, lists and choices',
      z.object({ a: z.array(z.object({ b: z.enum(['x']).nullable() })) }),
    ],
    ['bounds, which are left out', z.object({ a: z.int().min(1), b: z.string().min(1) })],
  ])('%s', (_what, schema) => {
    const outputSchema = z.toJSONSchema(schema, { io: 'input' }) as never
    const format = responseFormat(ask('go', { outputSchema }))
    expect(format).toMatchObject({ type: 'json', schema: { type: 'object', additionalProperties: false } })
    expect(JSON.stringify(format)).not.toMatch(/minimum|minLength|\$schema/)
  })
})

describe('what they refuse is not', () => {
  test.each([
    ['an optional member', { type: 'object', properties: { a: { type: 'string' } } }],
    ['free-form members', { type: 'object', additionalProperties: { type: 'string' } }],
    ['members that are open', { ...invoice, additionalProperties: true }],
    ['a reference', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['a text', { type: 'string' }],
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['anything', {}],
  ])('%s', (_what, outputSchema) => {
    expect(responseFormat(ask('go', { outputSchema: outputSchema as never }))).toBeUndefined()
  })
})
