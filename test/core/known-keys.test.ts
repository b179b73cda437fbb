import { expect, test } from 'vitest'
import { checkKeys, checkOptions, isRecord } from '../../src/core/known-keys.ts'

test('an object of known keys passes, whatever their values', () => {
  expect(() => checkOptions({}, ['a'], 'it')).not.toThrow()
  expect(() => checkOptions({ a: undefined }, ['a'], 'it')).not.toThrow()
  expect(() => checkKeys({ a: 1 }, ['a', 'b'], 'it has')).not.toThrow()
})

test.each([
  [{ b: 1 }, 'it has no "b"; there are a, c.'],
  [{ a: 1, toString: 2 }, 'it has no "toString"; there are a, c.'],
  [null, 'it takes an object with a, c, not null.'],
  [[], 'it takes an object with a, c, not a list.'],
  ['x', 'it takes an object with a, c, not a value of the type string.'],
  [undefined, 'it takes an object with a, c, not a value of the type undefined.'],
])('%j is refused in a sentence', (given, sentence) => {
  expect(() => checkOptions(given, ['a', 'c'], 'it')).toThrow(sentence)
})

test('a record is an object with members', () => {
  expect([{}, Object.create(null), new Map()].map(isRecord)).toEqual([true, true, true])
  expect([null, undefined, [], () => 1, 'a', 1].some(isRecord)).toBe(false)
})
