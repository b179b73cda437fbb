import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantPart, ModelMessage, ToolResultPart } from '../../src/core/driver.ts'
import { pairResults } from '../../src/models/pair-results.ts'
import { toPrompt } from '../../src/models/prompt.ts'

const call = (modelCallId: string): AssistantPart => ({
  kind: 'call',
  modelCallId,
  name: 'look',
  argumentsText: '{}',
})
const result = (modelCallId: string, text = modelCallId): ToolResultPart => {
  return { modelCallId, name: 'look', text, isError: false }
}
const user: ModelMessage = { role: 'user', text: 'Hello' }

interface Turn {
  readonly calls: number
  readonly answered: number
  readonly seed: readonly number[]
  readonly splits: readonly boolean[]
  readonly spoken: boolean
}

/** A turn whose results come in any order, in any number of messages, some never, with a user's words between. */
function turnOf(
  { calls, answered, seed, splits, spoken }: Turn,
  index: number,
  reuseIds: boolean,
): ModelMessage[] {
  const ids = Array.from({ length: calls }, (_, place) => (reuseIds ? `c${place}` : `c${index}-${place}`))
  const order = ids
    .slice(0, answered)
    .toSorted((a, b) => (seed[ids.indexOf(a)] ?? 0) - (seed[ids.indexOf(b)] ?? 0))
  const groups: ToolResultPart[][] = []
  for (const [place, id] of order.entries()) {
    if (place === 0 || splits[place] === true) groups.push([])
    groups.at(-1)?.push(result(id, `${id} of ${index}`))
  }
  return [
    user,
    { role: 'assistant', parts: [{ kind: 'text', text: 'I look.' }, ...ids.map(call)] },
    ...(spoken ? [user] : []),
    ...groups.map((results) => ({ role: 'tool', results }) as const),
  ]
}

const turns = fc.array(
  fc.record({
    calls: fc.nat(5),
    answered: fc.nat(5),
    seed: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
    splits: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    spoken: fc.boolean(),
  }),
  { maxLength: 6 },
)

test('every prompt pairs each call with one result, at once and in order [faults/F15]', () => {
  fc.assert(
    fc.property(turns, fc.boolean(), (all, reuseIds) => {
      const messages = all.flatMap((turn, index) => turnOf(turn, index, reuseIds))
      const prompt = toPrompt(messages)
      for (const [place, message] of prompt.entries()) {
        if (message.role !== 'assistant') continue
        const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        const next = prompt[place + 1]
        const results = next?.role === 'tool' ? next.content : []
        expect(results.map((part) => part.type === 'tool-result' && part.toolCallId)).toEqual(calls)
      }
      const kept = (role: string) => prompt.filter((message) => message.role === role).length
      expect(kept('assistant')).toBe(all.length)
      expect(kept('user')).toBe(messages.filter((message) => message.role === 'user').length)
      expect(kept('tool')).toBe(all.filter((turn) => turn.calls > 0).length)
    }),
  )
})

test('each result stays with its own call, though another step has a call of the same id [faults/F16]', () => {
  const messages: ModelMessage[] = [
    user,
    { role: 'assistant', parts: [call('c')] },
    { role: 'tool', results: [result('c', 'first')] },
    { role: 'assistant', parts: [call('c')] },
    { role: 'tool', results: [result('c', 'second')] },
  ]
  expect(pairResults(messages)).toEqual(messages)
})

test('what a user said while a call ran comes after its result', () => {
  const messages: ModelMessage[] = [
    { role: 'assistant', parts: [call('c')] },
    { role: 'user', text: 'Hurry' },
    { role: 'tool', results: [result('c')] },
  ]
  expect(pairResults(messages).map((message) => message.role)).toEqual(['assistant', 'tool', 'user'])
})

test('a call without a result is told to have no known outcome', () => {
  expect(pairResults([{ role: 'assistant', parts: [call('c')] }, user])).toEqual([
    { role: 'assistant', parts: [call('c')] },
    {
      role: 'tool',
      results: [{ modelCallId: 'c', name: 'look', text: 'No outcome of this call is known.', isError: true }],
    },
    user,
  ])
})

test.each<[string, ModelMessage[], string]>([
  ['a result without a call', [user, { role: 'tool', results: [result('c')] }], 'does not hold'],
  [
    'two results of a call',
    [
      { role: 'assistant', parts: [call('c')] },
      { role: 'tool', results: [result('c'), result('c')] },
    ],
    'has two results',
  ],
  [
    'two calls of one id',
    [
      { role: 'assistant', parts: [call('c'), call('c')] },
      { role: 'tool', results: [result('c')] },
    ],
    'the same id',
  ],
])('%s is refused, never guessed at', (_title, messages, words) => {
  expect(() => pairResults(messages)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(words) }),
  )
})
