import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainJson } from '../../src/core/json/encode.ts'
import { matchesValue } from '../../src/testing/matches-value.ts'
import { shownValue } from '../../src/testing/shown-value.ts'

const json = fc.jsonValue({ maxDepth: 3 })

test('every value matches itself, and its copy', () => {
  fc.assert(
    fc.property(json, (value) => matchesValue(value, value) && matchesValue(value, structuredClone(value))),
  )
})

test('an object with more members matches, and one with fewer does not', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), json, (members, more) => {
      const larger = { ...members, 'one more': more ?? 0 }
      expect(matchesValue(larger, members)).toBe(true)
      expect(matchesValue(members, larger)).toBe(Object.hasOwn(members, 'one more'))
    }),
  )
})

test.each([
  ['a list of another length', [1, 2], [1]],
  ['a list for an object', [], {}],
  ['nothing for an object', null, {}],
  ['a text for a number', '1', 1],
  ['an inherited member', {}, { constructor: Object }],
  ['a class for any object', { a: 1 }, new Date(0)],
  ['a text that the expression does not find', 'abc', /d/],
  ['a number that the expression would find', 1, /1/],
])('%s does not match', (_says, actual, expected) => {
  expect(matchesValue(actual, expected)).toBe(false)
})

test('what is no plain data counts as its JSON', () => {
  expect(matchesValue(plainJson(new Date(0)), new Date(0))).toBe(true)
})

test('an expression that remembers its place is asked from the beginning', () => {
  const expression = /a/g
  expect([matchesValue('a', expression), matchesValue('a', expression)]).toEqual([true, true])
})

test('values are shown on one line, whatever they are', () => {
  expect(shownValue({ a: /b/i, c: 3n, d: expect.any(Number) })).toBe('{"a":"/b/i","c":"3","d":"Any<Number>"}')
  expect(shownValue(undefined)).toBe('undefined')
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(shownValue(circle)).toBe('[object Object]')
  expect(shownValue('x'.repeat(1_000))).toHaveLength(301)
})
