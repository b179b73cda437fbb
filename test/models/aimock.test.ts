import { LLMock } from '@copilotkit/aimock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ModelMessage, ToolResultPart, ToolSpecification } from '../../src/core/driver.ts'
import { answerOf, ask, failureOf } from './answer-of.ts'
import { keepNothing, providerNames, providers } from './providers.ts'

const server = new LLMock({ port: 0, host: '127.0.0.1' })

beforeAll(async () => {
  await server.start()
})
afterEach(() => {
  server.reset()
})
afterAll(async () => {
  await server.stop()
})

const checkStock: ToolSpecification = {
  name: 'check_stock',
  description: 'Looks up how many units of an article there are.',
  jsonSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
}
const tools = [checkStock]
const twoCalls = {
  toolCalls: [
    { name: 'check_stock', arguments: '{"sku":"A"}', id: 'call_a' },
    { name: 'check_stock', arguments: '{"sku":"B"}', id: 'call_b' },
  ],
}

describe.each(providerNames)('over %s', (name) => {
  const driver = () => providers[name](server.url)

  test('a text answers, streamed, with its tokens', async () => {
    server.onMessage('Hello', { content: 'Good day to you.', usage: { input_tokens: 7, output_tokens: 5 } })
    const { finish, text } = await answerOf(driver(), ask('Hello'))
    expect(text).toBe('Good day to you.')
    expect(finish).toMatchObject({ reason: 'stop', parts: [{ kind: 'text', text: 'Good day to you.' }] })
    if (name !== 'openai.chat') expect(finish.usage).toMatchObject({ inputTokens: 7, outputTokens: 5 })
  })

  test('two calls of one tool in an answer both come, in order [faults/F15]', async () => {
    server.onMessage('Both', twoCalls)
    const { parts, finish } = await answerOf(driver(), ask('Both', { tools }))
    expect(finish.reason).toBe('calls')
    expect(finish.parts).toMatchObject([
      { kind: 'call', modelCallId: 'call_a', name: 'check_stock', argumentsText: '{"sku":"A"}' },
      { kind: 'call', modelCallId: 'call_b', name: 'check_stock', argumentsText: '{"sku":"B"}' },
    ])
    expect(parts.filter((part) => part.type === 'call').map((part) => part.modelCallId)).toEqual([
      'call_a',
      'call_b',
    ])
  })

  test('results go back paired with their calls, step after step', async () => {
    server.on({ userMessage: 'Both', turnIndex: 0, hasToolResult: false }, twoCalls)
    server.on(
      { toolCallId: 'call_b' },
      { toolCalls: [{ name: 'check_stock', arguments: '{"sku":"C"}', id: 'call_c' }] },
    )
    server.on({ toolCallId: 'call_c' }, { content: 'There are six.' })
    const messages: ModelMessage[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Both' },
    ]
    const reasons: string[] = []
    for (let step = 0; step < 3; step += 1) {
      const { finish } = await answerOf(driver(), { messages, tools })
      reasons.push(finish.reason)
      const results = finish.parts.flatMap((part): ToolResultPart[] =>
        part.kind === 'call'
          ? [
              {
                modelCallId: part.modelCallId,
                name: part.name,
                text: `2 of ${part.argumentsText}`,
                isError: false,
              },
            ]
          : [],
      )
      messages.push({ role: 'assistant', parts: finish.parts })
      if (results.length > 0) messages.push({ role: 'tool', results })
    }
    expect(reasons).toEqual(['calls', 'calls', 'stop'])
    expect(messages.at(-1)).toMatchObject({ parts: [{ text: 'There are six.' }] })
    expect(seenByServer()).toEqual([
      'system: Be brief.',
      'user: Both',
      'assistant: call_a',
      'assistant: call_b',
      'call_a: 2 of {"sku":"A"}',
      'call_b: 2 of {"sku":"B"}',
      'assistant: call_c',
      'call_c: 2 of {"sku":"C"}',
    ])
  })

  test('a connection that is cut fails, and no finish is reported', async () => {
    const content = 'One two three four five six seven eight nine ten.'
    server.onMessage('Count', { content }, { chunkSize: 4, truncateAfterChunks: 6 })
    const { parts, thrown } = await failureOf(driver(), ask('Count'))
    expect(thrown).toMatchObject({ code: 'MODEL_FAILED' })
    expect(parts.filter((part) => part.type === 'finish')).toEqual([])
  })

  test.each([429, 500])(
    "a refusal with status %i fails with the status and the provider's words",
    async (status) => {
      server.onMessage('Hello', { error: { message: 'Too much at once', type: 'rate_limit' }, status })
      const { thrown } = await failureOf(driver(), ask('Hello'))
      expect(thrown).toMatchObject({
        code: 'MODEL_FAILED',
        message: expect.stringContaining('Too much at once'),
        details: { status, retryable: true },
      })
      expect(server.getRequests()).toHaveLength(1)
    },
  )

  test('a wrong request fails as one that is not worth another try', async () => {
    server.onMessage('Hello', { error: { message: 'No such model' }, status: 400 })
    const { thrown } = await failureOf(driver(), ask('Hello'))
    expect(thrown).toMatchObject({ details: { status: 400, retryable: false } })
  })

  test('the bound on tokens and the temperature reach the provider', async () => {
    server.onMessage('Hello', { content: 'Hi' })
    await answerOf(
      driver(),
      ask('Hello', { outputTokensMax: 50, ...(name !== 'openai.responses' && { temperature: 0.5 }) }),
    )
    const body: Record<string, unknown> = { ...server.getLastRequest()?.body }
    expect([body.max_tokens, body.max_completion_tokens, body.max_output_tokens]).toContain(50)
    if (name !== 'openai.responses') expect(body.temperature).toBe(0.5)
  })
})

test("Anthropic's server takes the second step of a thinking answer, signature and all [faults/F30]", async () => {
  server.on(
    { userMessage: 'Both', hasToolResult: false },
    { ...twoCalls, reasoning: 'Look at both.', reasoningSignature: 'c2lnbmVk' },
  )
  server.on({ toolCallId: 'call_b' }, { content: 'Done.' })
  const driver = providers['anthropic.messages'](server.url, {
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  })
  const first = await answerOf(driver, ask('Both', { tools }))
  expect(first.finish.parts[0]).toMatchObject({
    kind: 'reasoning',
    provider: { anthropic: { signature: 'c2lnbmVk' } },
  })
  const second = await answerOf(driver, { messages: history(first.finish.parts), tools })
  expect(second.text).toBe('Done.')
})

test("OpenAI's server takes the second step of an answer with encrypted reasoning [faults/F30]", async () => {
  server.on({ userMessage: 'Both', hasToolResult: false }, { ...twoCalls, reasoning: 'Look at both.' })
  server.on({ toolCallId: 'call_b' }, { content: 'Done.' })
  const driver = providers['openai.responses'](server.url, { providerOptions: keepNothing })
  const first = await answerOf(driver, ask('Both', { tools }))
  expect(first.finish.parts[0]).toMatchObject({
    kind: 'reasoning',
    provider: { openai: { reasoningEncryptedContent: expect.any(String) } },
  })
  const second = await answerOf(driver, { messages: history(first.finish.parts), tools })
  expect(second.text).toBe('Done.')
})

function history(parts: Extract<ModelMessage, { role: 'assistant' }>['parts']): ModelMessage[] {
  const results = ['call_a', 'call_b'].map((modelCallId) => {
    return { modelCallId, name: 'check_stock', text: '2', isError: false }
  })
  return [
    { role: 'user', text: 'Both' },
    { role: 'assistant', parts },
    { role: 'tool', results },
  ]
}

/** The last request's messages and calls, a line each. */
function seenByServer(): string[] {
  const messages = server.getLastRequest()?.body?.messages
  if (!Array.isArray(messages)) throw new Error('The server saw no messages.')
  return messages.flatMap(({ role, content, tool_calls, tool_call_id }) => {
    if (role === 'tool') return `${tool_call_id}: ${content}`
    if (role === 'assistant') return tool_calls?.map(({ id }: { id: string }) => `assistant: ${id}`) ?? []
    return `${role}: ${content}`
  })
}
