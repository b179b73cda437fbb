import type { LanguageModelV2, LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelMessage, ProviderData } from '../../src/core/driver.ts'
import { aiSdkDriver } from '../../src/models/ai-sdk.ts'
import { answerOf, ask, failureOf } from './answer-of.ts'
import { finish, streamModel } from './stream-model.ts'

test('an answer is reported as it streams, and whole at the end', async () => {
  const model = streamModel([
    {
      type: 'stream-start',
      warnings: [{ type: 'unsupported', feature: 'topK', details: 'Not for this model.' }],
    },
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: 'They ask.' },
    { type: 'reasoning-end', id: 'r' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'I ' },
    { type: 'text-delta', id: 't', delta: 'look.' },
    { type: 'text-end', id: 't' },
    { type: 'tool-input-start', id: 'c', toolName: 'look' },
    { type: 'tool-input-delta', id: 'c', delta: '{"sku":"A"}' },
    { type: 'tool-input-end', id: 'c' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"sku":"A"}' },
    finish('tool-calls', 'tool_use'),
  ])
  const driver = aiSdkDriver(model)
  const { parts } = await answerOf(driver, ask('Hello'))
  expect(driver.name).toBe('house/one')
  expect(parts).toEqual([
    { type: 'warning', message: 'unsupported topK: Not for this model.' },
    { type: 'reasoning', delta: 'They ask.' },
    { type: 'text', delta: 'I ' },
    { type: 'text', delta: 'look.' },
    { type: 'call', modelCallId: 'c', name: 'look' },
    {
      type: 'finish',
      reason: 'calls',
      rawReason: 'tool_use',
      parts: [
        { kind: 'reasoning', text: 'They ask.' },
        { kind: 'text', text: 'I look.' },
        { kind: 'call', modelCallId: 'c', name: 'look', argumentsText: '{"sku":"A"}' },
      ],
      usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4, reasoningTokens: 2 },
    },
  ])
})

test.each([
  ['stop', 'stop'],
  ['tool-calls', 'calls'],
  ['length', 'length'],
  ['content-filter', 'filter'],
  ['error', 'error'],
  ['other', 'other'],
  ['something-new', 'other'],
])('the finish reason %s is %s', async (unified, reason) => {
  const model = streamModel([finish(unified as 'stop')])
  expect((await answerOf(aiSdkDriver(model), ask('Hello'))).finish.reason).toBe(reason)
})

test('a call that was begun and never completed is left out, with a warning [faults/F7]', async () => {
  const model = streamModel([
    { type: 'tool-input-start', id: 'c', toolName: 'pay' },
    { type: 'tool-input-delta', id: 'c', delta: '{"amount":1}' },
    finish('stop'),
  ])
  const { parts, finish: end } = await answerOf(aiSdkDriver(model), ask('Pay'))
  expect(end.parts).toEqual([])
  expect(parts).toContainEqual({
    type: 'warning',
    message: 'A call of pay was begun and never completed; it is left out.',
  })
})

test('a call that comes whole at once is announced first; parsed arguments become text, none stay none', async () => {
  const calls = ['', { sku: 'A' }, undefined].map(
    (input, place) =>
      ({ type: 'tool-call', toolCallId: `c${place}`, toolName: 'look', input }) as LanguageModelV4StreamPart,
  )
  const { parts, finish: end } = await answerOf(
    aiSdkDriver(streamModel([...calls, finish('tool-calls')])),
    ask('Look'),
  )
  expect(parts.filter((part) => part.type === 'call')).toHaveLength(3)
  expect(end.parts.map((part) => part.kind === 'call' && part.argumentsText)).toEqual(['', '{"sku":"A"}', ''])
})

test('tools that the provider runs itself are no calls of ours; what they did is kept, previews are not', async () => {
  const model = streamModel([
    { type: 'tool-input-start', id: 's', toolName: 'web_search', providerExecuted: true },
    { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { found: 0 }, preliminary: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: { found: 1 } },
    { type: 'text-delta', id: 't', delta: 'Found.' },
    finish('stop'),
  ])
  const { parts, finish: end } = await answerOf(aiSdkDriver(model), ask('Search'))
  const own = { at: 'house', modelCallId: 's', name: 'web_search' }
  expect(end.parts).toEqual([
    { kind: 'provider-call', ...own, argumentsText: '{}' },
    { kind: 'provider-result', ...own, value: { found: 1 }, isError: false },
    { kind: 'text', text: 'Found.' },
  ])
  expect(parts.map(({ type }) => type)).toEqual(['text', 'finish'])
})

test.each<[string, (LanguageModelV4StreamPart | Error)[], object]>([
  ['ends without an end marker', [], { details: { model: 'house/one', retryable: true } }],
  ['is called interrupted by its provider', [finish('interrupted')], { details: { retryable: true } }],
  ['is cut', [new TypeError('terminated')], { message: expect.stringContaining('broke off') }],
  [
    'reports an error',
    [
      { type: 'error', error: { message: 'Overloaded', statusCode: 529, isRetryable: true } },
      finish('error'),
    ],
    { message: 'house/one answered with status 529: Overloaded', details: { status: 529, retryable: true } },
  ],
  ['reports a bare word', [{ type: 'error', error: 'down' }], { message: 'house/one failed: down' }],
  [
    'reports what cannot be read',
    [
      {
        type: 'error',
        error: Object.defineProperty({}, 'statusCode', { get: () => raise(new Error('unreadable')) }),
      },
    ],
    { message: expect.stringContaining('house/one failed') },
  ],
])('a stream that %s throws MODEL_FAILED', async (_title, parts, expected) => {
  const model = streamModel([{ type: 'text-delta', id: 't', delta: 'Half' }, ...parts])
  const { parts: seen, thrown } = await failureOf(aiSdkDriver(model), ask('Hello'))
  expect(seen).toEqual([{ type: 'text', delta: 'Half' }])
  expect(thrown).toMatchObject({ code: 'MODEL_FAILED', ...expected })
})

function raise(thrown: Error): never {
  throw thrown
}

test('a provider that throws before it streams throws MODEL_FAILED with the cause', async () => {
  const cause = new Error('No key')
  const model: LanguageModelV4 = { ...streamModel([]), doStream: () => raise(cause) }
  const { thrown } = await failureOf(aiSdkDriver(model), ask('Hello'))
  expect(thrown).toMatchObject({ code: 'MODEL_FAILED', message: 'house/one failed: No key', cause })
})

test('a reader who leaves early and an abort both let go of the stream; a whole answer does not cut it', async () => {
  const words: LanguageModelV4StreamPart[] = [
    { type: 'text-delta', id: 't', delta: 'One ' },
    { type: 'text-delta', id: 't', delta: 'two' },
  ]
  const left = streamModel(words, { staysOpen: true })
  for await (const _part of aiSdkDriver(left).propose(ask('Hello'), new AbortController().signal)) break
  expect(left.cancelled).toHaveLength(1)

  const aborted = streamModel(words, { staysOpen: true })
  const controller = new AbortController()
  const failing = failureOf(aiSdkDriver(aborted), ask('Hello'), controller.signal)
  controller.abort('enough')
  expect((await failing).thrown).toBe('enough')
  await expect.poll(() => aborted.cancelled.length).toBe(1)

  const whole = streamModel([...words, finish('stop'), { type: 'ping' }])
  await answerOf(aiSdkDriver(whole), ask('Hello'))
  expect(whole.cancelled).toEqual([])
})

test('a stream that opens after the abort is let go of', async () => {
  const model = streamModel([finish('stop')], { staysOpen: true })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const late: LanguageModelV4 = { ...model, doStream: (options) => gate.then(() => model.doStream(options)) }
  const controller = new AbortController()
  const failing = failureOf(aiSdkDriver(late), ask('Hello'), controller.signal)
  controller.abort('enough')
  expect((await failing).thrown).toBe('enough')
  open()
  await expect.poll(() => model.cancelled.length).toBe(1)
})

test('a signal that is aborted already asks nobody', async () => {
  const model = streamModel([finish('stop')])
  const { thrown } = await failureOf(aiSdkDriver(model), ask('Hello'), AbortSignal.abort('enough'))
  expect(thrown).toBe('enough')
  expect(model.asked).toEqual([])
})

test('a request becomes a prompt, function tools and options; what is not asked for is not sent', async () => {
  const model = streamModel([finish('stop')])
  const driver = aiSdkDriver(model, { providerOptions: { house: { store: false } } })
  const tool = { name: 'pay', description: 'Pays.', jsonSchema: { type: 'integer', maximum: 2n ** 63n } }
  await answerOf(driver, ask('Hello', { tools: [tool], outputTokensMax: 9, temperature: 0 }))
  await answerOf(aiSdkDriver(model), ask('Hello'))
  const { abortSignal: _first, ...first } = model.asked[0] ?? {}
  expect(first).toEqual({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [
      {
        type: 'function',
        name: 'pay',
        description: 'Pays.',
        inputSchema: { type: 'integer', maximum: 2 ** 63 },
      },
    ],
    maxOutputTokens: 9,
    temperature: 0,
    providerOptions: { house: { store: false } },
  })
  expect(Object.keys(model.asked[1] ?? {})).toEqual(['prompt', 'abortSignal'])
})

test('results that cannot be paired fail the request before a provider is asked', async () => {
  const model = streamModel([finish('stop')])
  const results = [{ modelCallId: 'c', name: 'look', text: '', isError: false }]
  const { thrown } = await failureOf(aiSdkDriver(model), { messages: [{ role: 'tool', results }], tools: [] })
  expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(model.asked).toEqual([])
})

test('the older versions of the provider interface are read as well', async () => {
  const model = streamModel([
    { type: 'stream-start', warnings: [{ type: 'unsupported-setting', setting: 'topK' }] },
    { type: 'text-delta', id: 't', delta: 'Hi' },
    {
      type: 'finish',
      finishReason: 'stop',
      usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
    },
  ] as never)
  const old = { ...model, specificationVersion: 'v2' } as unknown as LanguageModelV2
  const { parts, finish: end } = await answerOf(aiSdkDriver(old), ask('Hello'))
  expect(parts[0]).toEqual({ type: 'warning', message: 'unsupported-setting topK' })
  expect(end).toMatchObject({
    reason: 'stop',
    usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
  })
})

test('a version that is not known is refused with what to install', () => {
  const model = { ...streamModel([]), specificationVersion: 'v9' } as never
  expect(() => aiSdkDriver(model)).toThrow(
    expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining('@ai-sdk/openai 4') }),
  )
})

/** JSON as a provider's wire gives it: negative zero does not exist there. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)))
const providerData = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.dictionary(fc.string(), json), {
  minKeys: 1,
}) as fc.Arbitrary<ProviderData>

test('what a provider attaches to a part comes back to it unchanged with the next request [faults/F30]', async () => {
  await fc.assert(
    fc.asyncProperty(providerData, providerData, providerData, async (reasoning, text, call) => {
      const attached = (data: ProviderData) => ({ providerMetadata: structuredClone(data) as never })
      const model = streamModel([
        { type: 'reasoning-start', id: 'r', providerMetadata: { house: { early: true } } },
        { type: 'reasoning-end', id: 'r', ...attached(reasoning) },
        { type: 'text-start', id: 't', ...attached(text) },
        { type: 'text-delta', id: 't', delta: 'Hi' },
        { type: 'text-end', id: 't' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}', ...attached(call) },
        finish('tool-calls'),
      ])
      const driver = aiSdkDriver(model)
      const { finish: end } = await answerOf(driver, ask('Hello'))
      const assistant: ModelMessage = { role: 'assistant', parts: JSON.parse(JSON.stringify(end.parts)) }
      await answerOf(driver, { messages: [assistant], tools: [] })
      const [returned, result] = model.asked[1]?.prompt ?? []
      expect(
        Array.isArray(returned?.content) && returned.content.map((part) => part.providerOptions),
      ).toEqual([reasoning, text, call])
      expect(result).toMatchObject({ role: 'tool', content: [{ providerOptions: call }] })
    }),
  )
})

test('what a provider attaches and a log cannot hold is left out', async () => {
  const metadata = { house: { id: 'x', when: new Date(), gone: undefined, big: 5n }, list: [1], word: 'x' }
  const model = streamModel([
    { type: 'text-start', id: 't', providerMetadata: metadata as never },
    { type: 'text-delta', id: 't', delta: 'Hi' },
    finish('stop'),
  ])
  const { finish: end } = await answerOf(aiSdkDriver(model), ask('Hello'))
  expect(end.parts).toEqual([{ kind: 'text', text: 'Hi', provider: { house: { id: 'x', big: 5 } } }])
})
