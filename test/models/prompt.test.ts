import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantPart, ModelMessage } from '../../src/core/driver.ts'
import { toPrompt } from '../../src/models/prompt.ts'
import { sentNames } from '../../src/models/sent-names.ts'

const provider = { house: { signature: 'x' } }

test('system messages stand at the front, in their order', () => {
  const prompt = toPrompt([
    { role: 'system', text: 'One' },
    { role: 'user', text: 'Hello' },
    { role: 'system', text: 'Two' },
  ])
  expect(prompt).toEqual([
    { role: 'system', content: 'One' },
    { role: 'system', content: 'Two' },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  ])
})

test('results of one answer stand in one tool message, failures marked as errors', () => {
  const result = { name: 'look', text: 'Nothing there' }
  const prompt = toPrompt([
    { role: 'assistant', parts: [callPart('a', '{"sku":"A"}'), callPart('b', '')] },
    { role: 'tool', results: [{ ...result, modelCallId: 'a', isError: false }] },
    { role: 'tool', results: [{ ...result, modelCallId: 'b', isError: true }] },
  ])
  expect(prompt).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { sku: 'A' } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'look',
          output: { type: 'text', value: 'Nothing there' },
        },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'look',
          output: { type: 'error-text', value: 'Nothing there' },
        },
      ],
    },
  ])
})

test.each(['', '{"a":', '[1]', '5', 'null', '"text"'])(
  'arguments %j, which are no object, are sent as an empty one',
  (argumentsText) => {
    const [answer] = toPrompt([{ role: 'assistant', parts: [callPart('a', argumentsText)] }])
    expect(answer).toMatchObject({ content: [{ input: {} }] })
  },
)

test('the argument __proto__ is an argument like any other [faults/F9]', () => {
  const [answer] = toPrompt([{ role: 'assistant', parts: [callPart('a', '{"__proto__":{"admin":true}}')] }])
  expect(JSON.stringify(answer)).toContain('"input":{"__proto__":{"admin":true}}')
})

test('empty words are not sent, but an empty part with data of its provider is [faults/F30]', () => {
  const parts: AssistantPart[] = [
    { kind: 'text', text: '' },
    { kind: 'reasoning', text: '', provider },
  ]
  expect(toPrompt([{ role: 'assistant', parts }])).toEqual([
    { role: 'assistant', content: [{ type: 'reasoning', text: '', providerOptions: provider }] },
  ])
  expect(toPrompt([{ role: 'assistant', parts: [{ kind: 'text', text: '' }] }])).toEqual([])
})

const result = { name: 'look', text: 'Nothing there', isError: false }

/** One addition to a conversation: an answer with its results, of whom results come one message each, or words. */
const additions = fc.array(
  fc.oneof(
    fc.constantFrom<ModelMessage[]>(
      [{ role: 'user', text: 'Go on' }],
      [{ role: 'system', text: 'Be brief' }],
    ),
    fc
      .uniqueArray(fc.nat(9), { maxLength: 3 })
      .map((ids): ModelMessage[] => [
        { role: 'assistant', parts: ids.map((id) => ({ ...callPart(`${id}`, '{"a":1}'), provider })) },
        ...ids.map((id): ModelMessage => ({ role: 'tool', results: [{ ...result, modelCallId: `${id}` }] })),
      ]),
  ),
  { minLength: 1, maxLength: 6 },
)

test('a conversation that is sent again and again reads as if it were sent for the first time', () => {
  const inParts = fc.array(fc.boolean(), { minLength: 1 })
  fc.assert(
    fc.property(additions, additions, inParts, (some, others, sends) => {
      const opening = Object.freeze<ModelMessage>({ role: 'user', text: 'Hello' })
      // The second conversation shares a beginning with the first, as one does whose end was changed.
      for (const added of [some, [...some.slice(0, 1), ...others], some]) {
        const messages: ModelMessage[] = [{ role: 'system', text: 'Instructions' }, opening]
        for (const [place, message] of added.flat().entries()) {
          messages.push(Object.freeze(message))
          if (sends[place % sends.length]) expect(toPrompt(messages)).toEqual(toPrompt(unknown(messages)))
        }
        expect(toPrompt(messages)).toEqual(toPrompt(unknown(messages)))
      }
    }),
  )
})

test('what a middleware writes on the end of a prompt is gone with the next one', () => {
  const messages: ModelMessage[] = [Object.freeze({ role: 'user', text: 'Hello' })]
  for (const added of [undefined, callPart('a', '{}'), callPart('b', '{}')]) {
    if (added !== undefined) messages.push(Object.freeze({ role: 'assistant', parts: [added] }))
    const prompt = toPrompt(messages)
    expect(JSON.stringify(prompt)).not.toContain('mark')
    const end = prompt.at(-1)
    Object.assign(end ?? {}, { providerOptions: { house: { mark: true } } })
    Object.assign(end?.content[0] ?? {}, { providerOptions: { house: { mark: true } } })
  }
})

test('names that only the history holds are sent as if the history were sent for the first time', () => {
  const tools = Object.freeze([{ name: 'look.up', description: '', jsonSchema: {} }])
  const messages: ModelMessage[] = [Object.freeze({ role: 'user', text: 'Hello' })]
  for (const name of ['look.up', 'gone.away', 'look.up', 'look_up', 'gone.away']) {
    const part: AssistantPart = { kind: 'call', modelCallId: 'a', name, argumentsText: '{}' }
    messages.push(Object.freeze({ role: 'assistant', parts: [part] }))
    const anew = sentNames({ tools: [...tools], messages: unknown(messages) })
    expect(sentNames({ tools, messages }).toModel(name)).toBe(anew.toModel(name))
    expect(toPrompt(messages, { toModel: sentNames({ tools, messages }).toModel })).toEqual(
      toPrompt(unknown(messages), { toModel: anew.toModel }),
    )
  }
})

test('a conversation that is sent by other names than before bears none of the old ones', () => {
  const messages = [Object.freeze<ModelMessage>({ role: 'assistant', parts: [callPart('a', '{}')] })]
  for (const suffix of ['one', 'two', 'one'])
    expect(toPrompt(messages, { toModel: (name) => `${name}_${suffix}` })).toMatchObject([
      { content: [{ toolName: `look_${suffix}` }] },
      { content: [{ toolName: `look_${suffix}` }] },
    ])
})

/** The same messages as objects that were never seen. */
function unknown(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => ({ ...message }))
}

function callPart(modelCallId: string, argumentsText: string): AssistantPart {
  return { kind: 'call', modelCallId, name: 'look', argumentsText }
}
