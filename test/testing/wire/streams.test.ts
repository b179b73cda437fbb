import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Driver } from '../../../src/index.ts'
import { type WireStep, wireServer } from '../../../src/testing-wire.ts'
import { answerOf, ask, failureOf } from '../../models/answer-of.ts'
import { providers } from '../../models/providers.ts'
import { eventsOf, hello, post, type WireName, wireNames } from './post.ts'

/** The events that a server streams for one step. */
async function streamOf(wire: WireName, step: WireStep, more: object = {}) {
  await using server = await wireServer({ script: [step] })
  const { status, text } = await post(server, wire, { ...hello[wire], ...more })
  expect(status).toBe(200)
  return { text, events: eventsOf(text) }
}

async function bodyOf(wire: WireName, step: WireStep, more: object = {}) {
  await using server = await wireServer({ script: [step] })
  const { status, json } = await post(server, wire, { ...hello[wire], ...more, stream: false })
  expect(status).toBe(200)
  return json() as Record<string, unknown>
}

/** Types in order, repeats told once. */
function typesOf(events: readonly Record<string, unknown>[]): unknown[] {
  return events.map((event) => event.type).filter((type, index, types) => type !== types[index - 1])
}

const full: WireStep = {
  reasoning: 'Look at both.',
  text: 'I look it up.',
  calls: [{ name: 'check_stock', args: { sku: 'ADK-1', quantity: 3 } }],
  usage: { inputTokens: 25, outputTokens: 15, cachedInputTokens: 4, reasoningTokens: 6 },
}

describe("Anthropic's messages", () => {
  const wire = 'anthropic.messages'
  const on = { thinking: { type: 'enabled', budget_tokens: 1024 } }
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop']

  test('stream as in the published examples: thinking with its signature, text, a call', async () => {
    const { events, text } = await streamOf(wire, full, on)
    expect(typesOf(events)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      ...block,
      ...block,
      'message_delta',
      'message_stop',
    ])
    expect(text.startsWith('event: message_start\ndata: {"type":"message_start","message":{')).toBe(true)
    expect(events[0]).toMatchObject({
      message: {
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 25 },
      },
    })
    const starts = events.filter((event) => event.type === 'content_block_start')
    expect(starts).toMatchObject([
      { index: 0, content_block: { type: 'thinking', thinking: '' } },
      { index: 1, content_block: { type: 'text', text: '' } },
      { index: 2, content_block: { type: 'tool_use', id: 'call-1-1', name: 'check_stock', input: {} } },
    ])
    const deltas = events.flatMap(({ delta }) =>
      delta === undefined ? [] : [(delta as { type: string }).type],
    )
    expect(deltas.filter((type, index) => type !== deltas[index - 1])).toEqual([
      'thinking_delta',
      'signature_delta',
      'text_delta',
      'input_json_delta',
      undefined,
    ])
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 15 },
    })
  })

  test('come whole for who does not stream', async () => {
    expect(await bodyOf(wire, full, on)).toMatchObject({
      id: 'msg_1',
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'Look at both.', signature: expect.any(String) },
        { type: 'text', text: 'I look it up.' },
        { type: 'tool_use', id: 'call-1-1', input: { sku: 'ADK-1', quantity: 3 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 25, output_tokens: 15, cache_read_input_tokens: 4 },
    })
  })
})

describe("OpenAI's responses", () => {
  const wire = 'openai.responses'
  const wishes = { reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] }

  test('stream as in the published examples: a summary, a message, a call, every event with its number', async () => {
    const { events } = await streamOf(wire, full, wishes)
    expect(typesOf(events)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index))
    const { response } = events.at(-1) as unknown as { response: { output: object[] } }
    expect(response).toMatchObject({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [
        {
          type: 'reasoning',
          id: 'rs_1',
          encrypted_content: expect.any(String),
          summary: [{ text: 'Look at both.' }],
        },
        { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'I look it up.' }] },
        {
          type: 'function_call',
          id: 'fc_1_1',
          call_id: 'call-1-1',
          arguments: '{"sku":"ADK-1","quantity":3}',
        },
      ],
      usage: { input_tokens: 25, output_tokens: 15, total_tokens: 40 },
    })
    const done = events.filter((event) => event.type === 'response.output_item.done')
    expect(done.map((event) => event.item)).toEqual(response.output)
    expect(await bodyOf(wire, full, wishes)).toEqual(response)
  })

  test('give no summary and no encrypted content that was not asked for', async () => {
    const { output } = (await bodyOf(wire, full)) as { output: object[] }
    expect(output[0]).toEqual({ type: 'reasoning', id: 'rs_1', summary: [] })
  })

  test.each([
    ['length', 'max_output_tokens'],
    ['filter', 'content_filter'],
  ] as const)('that end by %s are incomplete', async (finish, reason) => {
    const { events } = await streamOf(wire, { text: 'Half', finish })
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason } },
    })
  })
})

describe("OpenAI's chat", () => {
  const wire = 'openai.chat'

  test('streams as in the published examples: a role, pieces, calls by their index, the reason, the end', async () => {
    const { events, text } = await streamOf(wire, full, { stream_options: { include_usage: true } })
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const chunks = events.slice(0, -1) as unknown as {
      choices: { delta: Record<string, never>; finish_reason: string | null }[]
      usage: object | null
    }[]
    expect(chunks[0]).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant' }, logprobs: null, finish_reason: null }],
      usage: null,
    })
    const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta))
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('I look it up.')
    const calls = deltas.flatMap((delta): object[] => delta.tool_calls ?? [])
    expect(calls[0]).toEqual({
      index: 0,
      id: 'call-1-1',
      type: 'function',
      function: { name: 'check_stock', arguments: '' },
    })
    expect(calls[1]).toEqual({ index: 0, function: { arguments: expect.any(String) } })
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 25, completion_tokens: 15 } })
  })

  test('comes whole for who does not stream', async () => {
    expect(await bodyOf(wire, full)).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'I look it up.',
            tool_calls: [{ function: { name: 'check_stock', arguments: '{"sku":"ADK-1","quantity":3}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { total_tokens: 40 },
    })
  })
})

describe.each(wireNames)('over %s', (wire) => {
  const driverAt = (url: string): Driver => providers[wire](url)

  test('what a script says is what the real provider reads, whatever it is', async () => {
    let step: WireStep = ''
    await using server = await wireServer({ script: () => step })
    const driver = driverAt(server.url)
    const args = fc.dictionary(fc.string(), fc.jsonValue())
    const said = fc.record({
      text: fc.string({ unit: 'binary' }),
      calls: fc.array(fc.record({ name: fc.constantFrom('one', 'two'), args }), { maxLength: 3 }),
    })
    const property = fc.asyncProperty(said, async ({ text, calls }) => {
      step = { text, calls }
      const { finish } = await answerOf(driver, ask('Go'))
      const found = finish.parts.map((part) =>
        part.kind === 'call' ? [part.name, part.argumentsText] : part.kind === 'text' ? part.text : part,
      )
      const expected = calls.map(({ name, args }) => [name, JSON.stringify(args)])
      expect(found).toEqual(text === '' ? expected : [text, ...expected])
    })
    await fc.assert(property, { numRuns: 40 })
  })

  test('a refusal bears the status and the words of the script', async () => {
    await using server = await wireServer({ script: [{ status: 429, error: 'Too much at once' }, 'Now.'] })
    const { thrown } = await failureOf(driverAt(server.url), ask('Hello'))
    expect(thrown).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('Too much at once'),
      details: { status: 429, retryable: true },
    })
    expect((await answerOf(driverAt(server.url), ask('Hello'))).text).toBe('Now.')
  })

  test('a connection is cut after exactly as many bytes as the script says, and not before they arrive', async () => {
    const whole = (await streamOf(wire, 'One two three four five.')).text
    for (const cutAfterBytes of [0, 1, 200, whole.length - 1]) {
      await using server = await wireServer({ script: [{ text: 'One two three four five.', cutAfterBytes }] })
      const { bytes, failed } = await bytesBeforeCut(server.url, wire)
      expect(failed).toBe(true)
      expect(new TextDecoder().decode(bytes)).toBe(whole.slice(0, cutAfterBytes))
    }
  })

  test('a cut, a missing end and a failure half-way are failures to the real provider', async () => {
    const calls = [{ name: 'pay', args: { amount: 1 } }]
    const faults: WireStep[] = [
      { calls, cutAfterBytes: 300 },
      { calls, breakOff: true },
      { calls, error: 'Overloaded' },
      { calls, finish: 'error' },
    ]
    await using server = await wireServer({ script: faults })
    for (const _fault of faults) {
      const { parts, thrown } = await failureOf(driverAt(server.url), ask('Hello'))
      expect(thrown).toMatchObject({ code: 'MODEL_FAILED' })
      expect(parts.filter((part) => part.type === 'finish')).toEqual([])
    }
    expect(server.remaining()).toBe(0)
  })

  test('the reason to stop reaches the real provider', async () => {
    const reasons = ['stop', 'length', 'filter'] as const
    await using server = await wireServer({ script: reasons.map((finish) => ({ text: 'Half', finish })) })
    for (const reason of reasons)
      expect((await answerOf(driverAt(server.url), ask('Hello'))).finish.reason).toBe(reason)
  })

  test('two servers share nothing', async () => {
    await using first = await wireServer({ script: ['First.'] })
    await using second = await wireServer({ script: ['Second.', 'Third.'] })
    const [one, two] = await Promise.all(
      [first, second].map((server) => answerOf(driverAt(server.url), ask('Hello'))),
    )
    expect([one?.text, two?.text]).toEqual(['First.', 'Second.'])
    expect([first.remaining(), second.remaining()]).toEqual([0, 1])
    expect(first.requests).toHaveLength(1)
  })
})

test('a script may be a function of the request', async () => {
  const script = (body: object, step: number) => `${step}: ${String((body as { model: string }).model)}`
  await using server = await wireServer({ script })
  expect((await answerOf(providers['openai.chat'](server.url), ask('Hi'))).text).toBe('1: gpt-4.1')
  expect((await answerOf(providers['anthropic.messages'](server.url), ask('Hi'))).text).toBe(
    '2: claude-sonnet-4-5',
  )
  expect(server.remaining()).toBe(Infinity)
})

test('a closed server is gone, and can be closed again', async () => {
  const server = await wireServer({ script: ['Hi.'] })
  await server.close()
  await server.close()
  await expect(fetch(server.url)).rejects.toThrow()
})

/** What arrives of a stream before its connection breaks. */
async function bytesBeforeCut(url: string, wire: WireName): Promise<{ bytes: Uint8Array; failed: boolean }> {
  const path = {
    'openai.chat': 'chat/completions',
    'openai.responses': 'responses',
    'anthropic.messages': 'messages',
  }
  const response = await fetch(`${url}/v1/${path[wire]}`, {
    method: 'POST',
    headers: { authorization: 'Bearer none', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(hello[wire]),
  })
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return { bytes: new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()), failed: false }
  } catch {
    return { bytes: new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()), failed: true }
  }
}
