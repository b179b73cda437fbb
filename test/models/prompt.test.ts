import { expect, test } from 'vitest'
import type { AssistantPart } from '../../src/core/driver.ts'
import { toPrompt } from '../../src/models/prompt.ts'

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

function callPart(modelCallId: string, argumentsText: string): AssistantPart {
  return { kind: 'call', modelCallId, name: 'look', argumentsText }
}
