import { describe, expect, test } from 'vitest'
import type { ModelMessage } from '../../src/core/driver.ts'
import { answerOf, ask, failureOf } from './answer-of.ts'
import { keepNothing, providerNames, providers } from './providers.ts'
import { sseServer } from './sse-server.ts'
import { event, wireCall, wireFormats } from './wire-formats.ts'

const pay = { name: 'pay', description: 'Pays an amount.', jsonSchema: { type: 'object' } }

describe.each(providerNames)('over %s', (name) => {
  const format = wireFormats[name]
  const driverAt = providers[name]

  test('a text arrives in the pieces in which it was written, and whole at the end', async () => {
    const events = [...format.start, ...format.text(0, ['Good ', 'day', '.']), ...format.finish('stop')]
    await using server = await sseServer([{ events }])
    const { parts, finish } = await answerOf(driverAt(server.url), ask('Hello'))
    expect(parts.filter((part) => part.type === 'text').map((part) => part.delta)).toEqual([
      'Good ',
      'day',
      '.',
    ])
    expect(finish.reason).toBe('stop')
    expect(finish.parts).toMatchObject([{ kind: 'text', text: 'Good day.' }])
  })

  test('arguments that parse before they are whole are taken whole [faults/F7]', async () => {
    const call = { id: 'call_1', name: 'pay', pieces: ['{"amount":1}', '', ' '] }
    const number = { id: 'call_2', name: 'pay', pieces: ['12', '345'] }
    const events = [...format.start, ...wireCall(format, 0, call), ...wireCall(format, 1, number)]
    await using server = await sseServer([{ events: [...events, ...format.finish('calls')] }])
    const { finish } = await answerOf(driverAt(server.url), ask('Pay', { tools: [pay] }))
    expect(finish.reason).toBe('calls')
    expect(finish.parts.map((part) => part.kind === 'call' && part.argumentsText)).toEqual([
      '{"amount":1} ',
      '12345',
    ])
  })

  test('a call whose stream is cut is never taken, though what came parses [faults/F7]', async () => {
    const call = { id: 'call_1', name: 'pay', pieces: ['{"amount":', '1}'] }
    const events = [...format.start, ...format.callBegun(0, call)]
    for (const end of ['cut', 'whole'] as const) {
      await using server = await sseServer([{ events, end }])
      const { parts, thrown } = await failureOf(driverAt(server.url), ask('Pay', { tools: [pay] }))
      expect(thrown).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining('broke off') })
      expect(parts.filter((part) => part.type !== 'warning')).toEqual([
        { type: 'call', modelCallId: 'call_1', name: 'pay' },
      ])
    }
  })

  test('a call that is whole is not taken either when the end marker is missing [faults/F7]', async () => {
    const call = { id: 'call_1', name: 'pay', pieces: ['{"amount":1}'] }
    await using server = await sseServer([{ events: [...format.start, ...wireCall(format, 0, call)] }])
    const { thrown } = await failureOf(driverAt(server.url), ask('Pay', { tools: [pay] }))
    expect(thrown).toMatchObject({ code: 'MODEL_FAILED', details: { retryable: true } })
  })

  test('a call that was half written when the tokens ran out ends as length, not as calls [faults/F7]', async () => {
    const call = { id: 'call_1', name: 'pay', pieces: ['{"amount":1'] }
    const events = [...format.start, ...wireCall(format, 0, call), ...format.finish('length')]
    await using server = await sseServer([{ events }])
    const { finish } = await answerOf(driverAt(server.url), ask('Pay', { tools: [pay] }))
    expect(finish.reason).toBe('length')
  })

  test('calls written side by side keep the order in which they began [faults/F15]', async () => {
    const first = { id: 'call_1', name: 'pay', pieces: ['{"amount":1}'] }
    const second = { id: 'call_2', name: 'pay', pieces: ['{"amount":2}'] }
    const events = [
      ...format.start,
      ...format.callBegun(0, first),
      ...format.callBegun(1, second),
      ...format.callEnded(1, second),
      ...format.callEnded(0, first),
      ...format.finish('calls'),
    ]
    await using server = await sseServer([{ events }])
    const { parts, finish } = await answerOf(driverAt(server.url), ask('Pay', { tools: [pay] }))
    const announced = parts.flatMap((part) => (part.type === 'call' ? [part.modelCallId] : []))
    expect(announced).toEqual(['call_1', 'call_2'])
    expect(finish.parts).toMatchObject([
      { kind: 'call', modelCallId: 'call_1', argumentsText: '{"amount":1}' },
      { kind: 'call', modelCallId: 'call_2', argumentsText: '{"amount":2}' },
    ])
  })

  test('an abort while the answer streams ends it with the reason and closes the connection', async () => {
    const events = [...format.start, ...format.text(0, ['Wait'])]
    await using server = await sseServer([{ events, end: 'hold' }])
    const controller = new AbortController()
    const reason = new Error('Stopped by a person')
    const parts: unknown[] = []
    const reading = (async () => {
      for await (const part of driverAt(server.url).propose(ask('Hello'), controller.signal)) {
        parts.push(part)
        controller.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
    expect(parts.length).toBeGreaterThan(0)
    await server.released
  })

  test('an abort before the provider answers at all ends it with the reason', async () => {
    await using server = await sseServer([{ events: [], end: 'hold' }])
    const controller = new AbortController()
    const reading = failureOf(driverAt(server.url), ask('Hello'), controller.signal)
    controller.abort(new Error('Stopped'))
    expect((await reading).thrown).toBe(controller.signal.reason)
  })

  test('a reader who leaves early closes the connection', async () => {
    const events = [...format.start, ...format.text(0, ['Wait'])]
    await using server = await sseServer([{ events, end: 'hold' }])
    for await (const part of driverAt(server.url).propose(ask('Hello'), new AbortController().signal)) {
      if (part.type === 'text') break
    }
    await server.released
  })
})

/** The second request of a session whose first answer was `parts`, with one result. */
function nextRequest(parts: readonly object[]): ModelMessage[] {
  return [
    { role: 'user', text: 'Pay' },
    { role: 'assistant', parts: JSON.parse(JSON.stringify(parts)) },
    { role: 'tool', results: [{ modelCallId: 'call_1', name: 'pay', text: 'Paid.', isError: false }] },
  ]
}

test("Anthropic's thinking goes back signed, with the redacted block before it [faults/F30]", async () => {
  const format = wireFormats['anthropic.messages']
  const block = (index: number, content_block: object, deltas: object[]) => [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
  const events = [
    ...format.start,
    ...block(0, { type: 'redacted_thinking', data: 'c2VjcmV0' }, []),
    ...block(1, { type: 'thinking', thinking: '' }, [
      { type: 'thinking_delta', thinking: 'They owe ' },
      { type: 'thinking_delta', thinking: 'five.' },
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ]),
    ...format.text(2, ['I pay.']),
    ...wireCall(format, 3, { id: 'call_1', name: 'pay', pieces: ['{"amount":5}'] }),
    ...format.finish('calls'),
  ]
  const last = [...format.start, ...format.text(0, ['Done.']), ...format.finish('stop')]
  await using server = await sseServer([{ events }, { events: last }])
  const driver = providers['anthropic.messages'](server.url)

  const first = await answerOf(driver, ask('Pay', { tools: [pay] }))
  expect(first.parts.filter((part) => part.type === 'reasoning').map((part) => part.delta)).toEqual([
    'They owe ',
    'five.',
  ])
  await answerOf(driver, { messages: nextRequest(first.finish.parts), tools: [pay] })

  expect(server.requests[1]?.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Pay' }] },
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'c2VjcmV0' },
        { type: 'thinking', thinking: 'They owe five.', signature: 'c2lnbmVk' },
        { type: 'text', text: 'I pay.' },
        { type: 'tool_use', id: 'call_1', name: 'pay', input: { amount: 5 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Paid.' }] },
  ])
})

const reasoned = [
  ...wireFormats['openai.responses'].start,
  event('response.output_item.added', {
    output_index: 0,
    item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'first' },
  }),
  event('response.reasoning_summary_part.added', { item_id: 'rs_1', output_index: 0, summary_index: 0 }),
  event('response.reasoning_summary_text.delta', {
    item_id: 'rs_1',
    output_index: 0,
    summary_index: 0,
    delta: 'They owe five.',
  }),
  event('response.reasoning_summary_part.done', { item_id: 'rs_1', output_index: 0, summary_index: 0 }),
  event('response.output_item.done', {
    output_index: 0,
    item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'whole' },
  }),
  ...wireCall(wireFormats['openai.responses'], 1, { id: 'call_1', name: 'pay', pieces: ['{"amount":5}'] }),
  ...wireFormats['openai.responses'].finish('calls'),
]
const done = [
  ...wireFormats['openai.responses'].start,
  ...wireFormats['openai.responses'].text(0, ['Done.']),
  ...wireFormats['openai.responses'].finish('stop'),
]
const callAndResult = [
  { type: 'function_call', call_id: 'call_1', name: 'pay', arguments: '{"amount":5}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'Paid.' },
]

test("OpenAI's reasoning goes back encrypted where nothing is kept there [faults/F30]", async () => {
  await using server = await sseServer([{ events: reasoned }, { events: done }])
  const driver = providers['openai.responses'](server.url, { providerOptions: keepNothing })
  const first = await answerOf(driver, ask('Pay', { tools: [pay] }))
  await answerOf(driver, { messages: nextRequest(first.finish.parts), tools: [pay] })

  expect(server.requests[0]).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  expect(server.requests[1]?.input).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'Pay' }] },
    {
      type: 'reasoning',
      id: 'rs_1',
      encrypted_content: 'whole',
      summary: [{ type: 'summary_text', text: 'They owe five.' }],
    },
    ...callAndResult,
  ])
})

test("OpenAI's reasoning goes back by its id where OpenAI keeps it [faults/F30]", async () => {
  await using server = await sseServer([{ events: reasoned }, { events: done }])
  const driver = providers['openai.responses'](server.url)
  const first = await answerOf(driver, ask('Pay', { tools: [pay] }))
  await answerOf(driver, { messages: nextRequest(first.finish.parts), tools: [pay] })
  expect(server.requests[1]?.input).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'Pay' }] },
    { type: 'item_reference', id: 'rs_1' },
    ...callAndResult,
  ])
})

test('calls that a provider unwrapped from one are answered as that one, in a conversation that it keeps', async () => {
  const format = wireFormats['openai.responses']
  const wrapped = JSON.stringify({
    tool_uses: [1, 2].map((amount) => ({ recipient_name: 'functions.pay', parameters: { amount } })),
  })
  const events = [
    ...format.start,
    ...wireCall(format, 0, { id: 'call_1', name: 'parallel', pieces: [wrapped] }),
    ...format.finish('calls'),
  ]
  await using server = await sseServer([{ events }, { events: done }])
  const providerOptions = { openai: { conversation: 'conv_1' } }
  const driver = providers['openai.responses'](server.url, { providerOptions })
  const { finish } = await answerOf(driver, ask('Pay', { tools: [pay] }))
  const calls = finish.parts.filter((part) => part.kind === 'call')
  expect(calls.map((call) => call.argumentsText)).toEqual(['{"amount":1}', '{"amount":2}'])
  const results = calls.map(({ modelCallId, name, argumentsText }) => {
    return { modelCallId, name, text: `Paid ${argumentsText}.`, isError: false }
  })
  const messages = [
    { role: 'user', text: 'Pay' } as const,
    { role: 'assistant', parts: finish.parts } as const,
    { role: 'tool', results } as const,
  ]
  await answerOf(driver, { messages, tools: [pay] })
  expect(server.requests[1]?.input).toMatchObject([
    { role: 'user' },
    { type: 'function_call_output', call_id: 'call_1', output: 'Paid {"amount":1}.\nPaid {"amount":2}.' },
  ])
})
