import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foundJson } from '../../../src/core/json/found-json.ts'
import { stringifyJson } from '../../../src/core/json/stringify.ts'
import { safeValue } from './arbitrary-json.ts'

function valueIn(text: string): unknown {
  const found = foundJson(text)
  return found.ok ? found.value : found.fault.message
}

describe('a value is found', () => {
  test.each([
    ['as the whole text', ' {"a":1}\n', { a: 1 }],
    ['in a fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['in a fence among words', 'Here it is [1]:\n\n```\n[1,2]\n```\nDone {really}.', [1, 2]],
    ['in a fence, a number', '~~~\n42\n~~~', 42],
    ['among words', 'Sure! {"a":{"b":"}"}} is what you want.', { a: { b: '}' } }],
    ['beside braces that hold no JSON', 'For {name} it is {"a":"\\""}', { a: '"' }],
  ])('%s', (_where, text, value) => {
    expect(valueIn(text)).toEqual(value)
  })

  test('whatever it is, when it stands in one fence or is an object among words', () => {
    fc.assert(
      fc.property(safeValue, (value) => {
        const text = stringifyJson(value)
        expect(foundJson(`So:\n\`\`\`json\n${text}\n\`\`\``)).toEqual({ ok: true, value })
        const member = stringifyJson({ member: value })
        expect(foundJson(`So: ${member}, done.`)).toEqual({ ok: true, value: { member: value } })
      }),
    )
  })
})

describe('nothing is guessed', () => {
  test.each([
    ['two values', '{"a":1} or {"a":2}'],
    ['two fences', '```\n{"a":1}\n```\n```\n{"a":2}\n```'],
    ['a value inside of one that is broken', '{"total": 1, "old": {"a":1}, }'],
    ['a value inside of one that was cut off', '{"total": 1, "old": {"a":1}'],
    ['a scalar among words', 'The answer is 42.'],
    ['a key that stands twice', '{"a":1,"a":2}'],
    ['nothing', ''],
  ])('of %s', (_what, text) => {
    expect(foundJson(text).ok).toBe(false)
  })

  test('a text of brackets alone, which would keep a reader busy, is none', () => {
    expect(foundJson('['.repeat(300_000)).ok).toBe(false)
    expect(foundJson('[}'.repeat(300_000)).ok).toBe(false)
  })
})
