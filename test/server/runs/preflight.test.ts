import { describe, expect, test } from 'vitest'
import { scriptedModel, tool } from '../../../src/index.ts'
import { createHost } from '../../../src/server/host.ts'
import { baseline, baselineHost, lookup, oneLookup, proposing } from '../support/baseline.ts'

async function refusal(
  request: unknown,
  host = baselineHost(),
  who = {},
): Promise<{ code: string; status: number }> {
  try {
    for await (const event of host.stream(request, who)) throw new Error(`There was an event: ${event.type}`)
  } catch (error) {
    const { code, status } = error as { code: string; status: number }
    if (code === undefined) throw error
    return { code, status }
  }
  throw new Error('Nothing was refused.')
}

const named = (name: string) => ({ ...lookup, name })

describe('a definition', () => {
  test('that the request does not select is refused before any event [application/A1]', async () => {
    const asked = { count: 0 }
    const host = baselineHost({}, oneLookup, asked)
    expect(await refusal({ ...baseline, tools: [] }, host)).toMatchObject({
      code: 'INVALID_REQUEST',
      status: 400,
    })
    expect(asked.count).toBe(0)
  })

  test('conflicts with another of its name [application/A2]', async () => {
    const request = { ...baseline, applicationTools: [lookup, lookup] }
    expect(await refusal(request)).toEqual({ code: 'TOOL_DEFINITION_CONFLICT', status: 409 })
  })

  test("conflicts with a host's own tool of its name [application/A3]", async () => {
    const own = tool({ name: 'lookup', description: 'The host’s', execute: () => 1 })
    const host = baselineHost({ tools: [own] })
    expect(await refusal(baseline, host)).toEqual({ code: 'TOOL_DEFINITION_CONFLICT', status: 409 })
  })

  test.each([
    ['an asynchronous schema', { ...lookup, inputSchema: { $async: true, type: 'object' } }],
    [
      'a schema of another dialect',
      { ...lookup, inputSchema: { $schema: 'https://json-schema.org/draft/2019-09/schema' } },
    ],
    [
      'an output schema with a reference to the network',
      { ...lookup, outputSchema: { $ref: 'https://example.com/a.json' } },
    ],
  ])('with %s is refused', async (_what, definition) => {
    expect(await refusal({ ...baseline, applicationTools: [definition] })).toMatchObject({
      code: 'INVALID_SCHEMA',
    })
  })

  test('with a key that is not in the contract is refused, and its value stands nowhere [application/A6]', async () => {
    const request = { ...baseline, applicationTools: [{ ...lookup, command: 'rm -rf /' }] }
    await expect(baselineHost().stream(request).next()).rejects.toThrow(/command/)
    await expect(baselineHost().stream(request).next()).rejects.not.toThrow(/rm -rf/)
    expect(await refusal(request)).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('is refused by a host that takes none [application/A7]', async () => {
    const host = createHost({ providers: { double: { models: { small: proposing(oneLookup) } } } })
    expect(await refusal(baseline, host)).toEqual({ code: 'APPLICATION_TOOLS_UNAVAILABLE', status: 400 })
  })

  test('stands with at most 31 others, and a list of none is none [application/A10]', async () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `tool_${index}`)
      return { ...baseline, tools: names, applicationTools: names.map(named) }
    }
    expect(await refusal(many(33))).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await refusal({ ...baseline, tools: [], applicationTools: [] })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
    const host = createHost({
      providers: { double: { models: { small: scriptedModel(() => 'done') } } },
      applicationTools: { enabled: true },
    })
    const first = await host.stream(many(32)).next()
    expect(first.value).toMatchObject({ type: 'run.started', sequence: 1 })
  })

  test('has a name of the contract’s grammar [application/A11]', async () => {
    for (const name of [`_${'a'.repeat(63)}`, 'A9_']) {
      const stream = baselineHost().stream({ ...baseline, tools: [name], applicationTools: [named(name)] })
      expect((await stream.next()).value).toMatchObject({ type: 'run.started' })
      await stream.return()
    }
    for (const name of [`_${'a'.repeat(64)}`, '9a', 'a-b', 'ä']) {
      const request = { ...baseline, tools: [name], applicationTools: [named(name)] }
      expect(await refusal(request)).toMatchObject({ code: 'INVALID_REQUEST' })
    }
  })

  test('of 128,000 bytes is taken, and a larger one refused [application-tools/limit-definition-bytes]', async () => {
    const of = (bytes: number) => {
      const made = (description: string) => ({ ...lookup, inputSchema: { type: 'object', description } })
      const rest = bytes - Buffer.byteLength(JSON.stringify(made('')))
      return { ...baseline, applicationTools: [made(`ä${'x'.repeat(rest - 2)}`)] }
    }
    const stream = baselineHost().stream(of(128_000))
    expect((await stream.next()).value).toMatchObject({ type: 'run.started' })
    await stream.return()
    expect(await refusal(of(128_001))).toMatchObject({ code: 'TOOL_DEFINITION_LIMIT' })
  })

  test('with a schema that cannot be used is refused with the schema and the place in it [application-tools/schema-fault-path]', async () => {
    const wrong = { type: 'object', properties: { a: { type: 'int' } } }
    for (const key of ['inputSchema', 'outputSchema']) {
      const request = { ...baseline, applicationTools: [{ ...lookup, [key]: wrong }] }
      await expect(baselineHost().stream(request).next()).rejects.toMatchObject({
        code: 'INVALID_SCHEMA',
        message: expect.stringMatching(`${key} of "lookup": .*/properties/a/type`),
      })
    }
    await expect(
      baselineHost()
        .stream({ ...baseline, outputSchema: wrong })
        .next(),
    ).rejects.toThrow(/outputSchema: .*\/properties\/a\/type/)
  })
})

describe('a request', () => {
  test('that selects a name which nobody has is refused, and so is a name that stands twice [application/A12]', async () => {
    expect(await refusal({ ...baseline, tools: ['lookup', 'other'] })).toEqual({
      code: 'UNKNOWN_TOOL',
      status: 400,
    })
    expect(await refusal({ ...baseline, tools: ['lookup', 'lookup'] })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })

  test.each([
    ['false', { tools: true, images: false }, ['images']],
    ['unknown', undefined, ['telepathy']],
  ])(
    'with a required capability that is %s is refused, and no model is asked [application/A17]',
    async (_what, capabilities, requiredCapabilities) => {
      const asked = { count: 0 }
      const model = proposing(oneLookup, asked)
      const provider = { models: { small: model }, ...(capabilities === undefined ? {} : { capabilities }) }
      const host = createHost({ providers: { double: provider }, applicationTools: { enabled: true } })
      expect(await refusal({ ...baseline, requiredCapabilities }, host)).toEqual({
        code: 'UNSUPPORTED_CAPABILITY',
        status: 400,
      })
      await expect(
        host.run({ provider: 'double', model: 'small', input: 'x', requiredCapabilities }),
      ).rejects.toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' })
      expect(asked.count).toBe(0)
    },
  )

  test.each([['apiKey'], ['executable']])(
    'with the unknown field %s is refused [application/A18]',
    async (key) => {
      expect(await refusal({ ...baseline, [key]: 'x' })).toEqual({ code: 'INVALID_REQUEST', status: 400 })
    },
  )

  test('with application tools is not taken without a stream, and no model is asked', async () => {
    const asked = { count: 0 }
    const host = baselineHost({}, oneLookup, asked)
    await expect(host.run(baseline)).rejects.toMatchObject({ code: 'TOOL_STREAM_REQUIRED', status: 400 })
    await expect(
      host.run({ ...baseline, approvals: { mode: 'interactive', idlePolicy: 'pause' } }),
    ).rejects.toMatchObject({ code: 'TOOL_STREAM_REQUIRED' })
    const { tools: _tools, applicationTools: _definitions, ...plain } = baseline
    await expect(
      host.run({ ...plain, approvals: { mode: 'interactive', idlePolicy: 'pause' } }),
    ).rejects.toMatchObject({ code: 'APPROVAL_STREAM_REQUIRED', status: 400 })
    expect(asked.count).toBe(0)
  })

  test('of who has no grant learns nothing of provider, model or tool [application-tools/authorise-first]', async () => {
    const access = {
      ...{ providers: ['double'], tools: [], applicationTools: [{ name: 'lookup' }], approveTools: [] },
      ...{ sessions: [], reviewerGroups: [], administration: false },
    }
    const model = proposing(oneLookup)
    const existing = tool({ name: 'existing', description: 'The host’s', execute: () => 1 })
    const host = baselineHost({
      providers: { double: { models: { small: model } }, secret: { models: { small: model } } },
      tools: [existing],
    })
    const asynchronous = { ...named('other'), inputSchema: { $async: true } }
    for (const change of [
      { provider: 'other' },
      { provider: 'secret' },
      { provider: 'secret', model: 'large' },
      { tools: ['existing'], applicationTools: undefined },
      { tools: ['existing'], applicationTools: [named('existing')] },
      { tools: ['other'], applicationTools: [asynchronous] },
      { tools: ['other'], applicationTools: [named('other')] },
      { tools: ['hidden'], applicationTools: undefined },
    ]) {
      const { applicationTools, ...rest } = { ...baseline, ...change }
      const request = applicationTools === undefined ? rest : { ...rest, applicationTools }
      expect(await refusal(request, host, { subject: 'anna', access })).toEqual({
        code: 'FORBIDDEN',
        status: 403,
      })
    }
  })

  test('for a provider, or a model, that is not there is refused [application-tools/native-route]', async () => {
    expect(await refusal({ ...baseline, provider: 'other' })).toEqual({
      code: 'UNKNOWN_PROVIDER',
      status: 400,
    })
    expect(await refusal({ ...baseline, model: 'large' })).toEqual({ code: 'UNSUPPORTED_MODEL', status: 400 })
    const host = createHost({
      providers: { double: { models: { small: proposing([]) }, capabilities: { tools: false } } },
      applicationTools: { enabled: true },
    })
    expect(await refusal(baseline, host)).toEqual({ code: 'UNSUPPORTED_TOOLS', status: 400 })
  })

  test('for reviews that the host does not offer is refused before the run begins [application/E13]', async () => {
    const approvals = { mode: 'interactive', idlePolicy: 'pause' }
    expect(await refusal({ ...baseline, approvals })).toEqual({ code: 'APPROVAL_UNAVAILABLE', status: 400 })
    const host = baselineHost({ approvals: { interactive: true, allowIdlePause: false } })
    expect(await refusal({ ...baseline, approvals }, host)).toEqual({ code: 'APPROVAL_POLICY', status: 400 })
  })
})

test.each([
  ['no bound', { applicationTools: { enabled: true, maxPending: 0 } }, /maxPending/],
  ['half a bound', { applicationTools: { enabled: true, maxPending: 1.5 } }, /maxPending/],
  ['an option that is none', { aproovals: {} }, /aproovals/],
  ['a tool that is none', { tools: [{ name: 'x' }] }, /"tools"/],
  [
    'a model that is none',
    { providers: { double: { models: { small: 'gpt' } } } },
    /providers\.double\.models\.small/,
  ],
])('a host is not made with %s [application/C22]', (_what, options, sentence) => {
  expect(() => baselineHost(options as never)).toThrow(sentence)
  expect(() => baselineHost(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }))
})

test.each([
  ['a text', { type: 'string' }],
  ['a list', { type: 'array', items: { type: 'number' } }],
])('an output may be %s', async (_what, outputSchema) => {
  const stream = baselineHost().stream({
    ...baseline,
    applicationTools: [{ ...lookup, outputSchema }],
    outputSchema,
  })
  expect((await stream.next()).value).toMatchObject({ type: 'run.started' })
  await stream.return()
})

test('what governs all runs is checked when the host is made', () => {
  const killed = [{ kind: 'planet', name: 'lookup' }]
  expect(() => baselineHost({ killed: killed as never })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG' }),
  )
})
