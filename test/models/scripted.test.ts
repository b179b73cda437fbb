import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import type { ModelMessage } from '../../src/core/driver.ts'
import { scriptedModel } from '../../src/models/scripted.ts'
import { answerOf, ask, failureOf } from './answer-of.ts'

const assistant: ModelMessage = { role: 'assistant', parts: [{ kind: 'text', text: 'Yes.' }] }

test('a step streams its reasoning, its text and its calls, then the whole answer', async () => {
  const model = scriptedModel([
    {
      reasoning: 'They ask.',
      text: 'I look it up.',
      calls: [
        { name: 'look', args: { sku: 'A' } },
        { name: 'look', argumentsText: '{"sku":' },
        { name: 'wait', id: 'own' },
      ],
      usage: { inputTokens: 3 },
    },
  ])
  const { parts, finish } = await answerOf(model, ask('Hello'))
  expect(parts.slice(0, -1)).toEqual([
    { type: 'reasoning', delta: 'They ' },
    { type: 'reasoning', delta: 'ask.' },
    { type: 'text', delta: 'I ' },
    { type: 'text', delta: 'look ' },
    { type: 'text', delta: 'it ' },
    { type: 'text', delta: 'up.' },
    { type: 'call', modelCallId: 'call-1-1', name: 'look' },
    { type: 'call', modelCallId: 'call-1-2', name: 'look' },
    { type: 'call', modelCallId: 'own', name: 'wait' },
  ])
  expect(finish).toEqual({
    type: 'finish',
    reason: 'calls',
    parts: [
      { kind: 'reasoning', text: 'They ask.' },
      { kind: 'text', text: 'I look it up.' },
      { kind: 'call', modelCallId: 'call-1-1', name: 'look', argumentsText: '{"sku":"A"}' },
      { kind: 'call', modelCallId: 'call-1-2', name: 'look', argumentsText: '{"sku":' },
      { kind: 'call', modelCallId: 'own', name: 'wait', argumentsText: '{}' },
    ],
    usage: { inputTokens: 3 },
  })
})

test('the pieces of a text are the text, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      expect((await answerOf(scriptedModel([{ text }]), ask('Hello'))).text).toBe(text)
    }),
  )
})

test('an array plays a step for each request and says how many are left', async () => {
  const model = scriptedModel(['One.', 'Two.'])
  expect(model.remaining()).toBe(2)
  expect((await answerOf(model, ask('Hello'))).text).toBe('One.')
  expect(model.remaining()).toBe(1)
  expect((await answerOf(model, ask('Hello'))).text).toBe('Two.')
  expect(model.remaining()).toBe(0)
})

test('a script that is used up says so', async () => {
  const model = scriptedModel(['One.'])
  await answerOf(model, ask('Hello'))
  const { thrown } = await failureOf(model, ask('Hello'))
  expect(thrown).toMatchObject({
    code: 'SCRIPT_EXHAUSTED',
    message: 'The script has 1 step and was asked for step 2; add a step, or end the conversation before it.',
  })
  expect(model.remaining()).toBe(0)
})

test('with fromHistory another driver of the same script goes on where the messages end', async () => {
  const script = ['One.', 'Two.', { calls: [{ name: 'look' }] }]
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Hello' },
    assistant,
    { role: 'user', text: 'And?' },
    assistant,
  ]
  const resumed = scriptedModel(script, { fromHistory: true })
  const { finish } = await answerOf(resumed, { messages, tools: [] })
  expect(finish.parts).toMatchObject([{ modelCallId: 'call-3-1' }])
  expect(resumed.remaining()).toBe(0)
  const again = await answerOf(resumed, { messages: messages.slice(0, 1), tools: [] })
  expect(again.text).toBe('One.')
})

test('a function answers from the request and the number of the step', async () => {
  const model = scriptedModel(async ({ messages }, stepNumber) => `${stepNumber}: ${messages.length}`)
  expect((await answerOf(model, ask('Hello'))).text).toBe('1: 1')
  expect((await answerOf(model, ask('Hello'))).text).toBe('2: 1')
  expect(model.remaining()).toBe(Infinity)
})

test('a step may finish for any reason, with calls that nothing should run', async () => {
  const model = scriptedModel([{ finish: 'length', calls: [{ name: 'pay', argumentsText: '{"amount":1' }] }])
  expect((await answerOf(model, ask('Hello'))).finish.reason).toBe('length')
})

test.each([
  [{ text: 'Half ', error: 'The provider is down' } as const, 'The provider is down'],
  [{ text: 'Half ', breakOff: true } as const, 'broke off'],
])('a step that fails streams what it says and then throws (%#)', async (step, words) => {
  const { parts, thrown } = await failureOf(scriptedModel([step]), ask('Hello'))
  expect(parts).toEqual([{ type: 'text', delta: 'Half ' }])
  expect(thrown).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining(words) })
})

test('a delay waits on the given clock before each part, and ends when the signal aborts', async () => {
  const waits: number[] = []
  const controller = new AbortController()
  const clock: Clock = {
    now: () => 0,
    timer: () => () => undefined,
    async sleep(durationMs, signal) {
      if (waits.push(durationMs) === 3) controller.abort(new Error('Stopped'))
      signal?.throwIfAborted()
    },
  }
  const model = scriptedModel(['One two three four.'], { delayMs: 20, clock })
  const { parts, thrown } = await failureOf(model, ask('Hello'), controller.signal)
  expect(parts).toHaveLength(2)
  expect(waits).toEqual([20, 20, 20])
  expect(thrown).toBe(controller.signal.reason)
})

test('an abort ends a script that is still thinking', async () => {
  const controller = new AbortController()
  const model = scriptedModel(() => new Promise(() => undefined))
  const failing = failureOf(model, ask('Hello'), controller.signal)
  controller.abort(new Error('Stopped'))
  expect((await failing).thrown).toBe(controller.signal.reason)
})

test('a script of the wrong kind and a delay without a clock are refused at once', () => {
  expect(() => scriptedModel('Hello' as never)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  expect(() => scriptedModel([], { delayMs: 5 })).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
  )
})

test('arguments may hold integers of any size', async () => {
  const model = scriptedModel([
    { calls: [{ name: 'look', args: { id: 12345678901234567890n, n: undefined } }] },
  ])
  const { finish } = await answerOf(model, ask('Hello'))
  expect(finish.parts).toMatchObject([{ argumentsText: '{"id":12345678901234567890}' }])
})

test.each([
  [
    { calls: [{ name: 'x', args: { at: () => 1 } }] },
    'calls[0] has "args" that no model could write: /at is a function.',
  ],
  [
    { calls: [{ name: 'x' }, { name: 'x', args: [undefined] }] },
    'calls[1] has "args" that no model could write: /0 is undefined.',
  ],
  [
    { providerCalls: [{ name: 'x', result: Number.NaN }] },
    'providerCalls[0] has "result" that no model could write: it is NaN.',
  ],
  [{ calls: { name: 'x' } }, 'calls must be a list.'],
  [{ calls: [null] }, 'calls[0] takes an object with name, args, argumentsText, id, not null.'],
  [{ txt: 'x' }, 'no "txt"; there are text, reasoning, calls,'],
  [undefined, 'takes an object with text'],
])(
  'a step that no model could say is named when the script is made, or asked for: %j',
  async (step, part) => {
    const refused = expect.objectContaining({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(part),
    })
    expect(() => scriptedModel(['Hi', step as never])).toThrow(refused)
    expect(() => scriptedModel(['Hi', step as never])).toThrow('Step 2 of the script')
    const { thrown } = await failureOf(
      scriptedModel(() => step as never),
      ask('Hello'),
    )
    expect(thrown).toEqual(refused)
  },
)
