import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { equalJson, isJson } from '../../../src/core/policy/equal-json.ts'

const jsonValues = fc.jsonValue() as fc.Arbitrary<JsonValue>

test('a value equals its own copy, and two values are equal only when their text is', () => {
  fc.assert(
    fc.property(jsonValues, jsonValues, (a, b) => {
      expect(equalJson(a, structuredClone(a))).toBe(true)
      if (JSON.stringify(a) === JSON.stringify(b)) expect(equalJson(a, b)).toBe(true)
      expect(equalJson(a, b)).toBe(equalJson(b, a))
      expect(isJson(a)).toBe(true)
    }),
  )
})

test('the order of keys does not matter, their presence does', () => {
  expect(equalJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
  expect(equalJson({ a: 1 }, { a: 1, b: 2 })).toBe(false)
  expect(equalJson(JSON.parse('{"toString": 1}'), { a: 1 })).toBe(false)
  expect(equalJson([1], { 0: 1 })).toBe(false)
  expect(equalJson([], null)).toBe(false)
})

test('a number is never equal to its text, and big integers are compared exactly', () => {
  expect(equalJson(1, '1')).toBe(false)
  expect(equalJson(5n, 5)).toBe(true)
  expect(equalJson(9007199254740993n, 9007199254740992)).toBe(false)
  expect(equalJson(1n, '1')).toBe(false)
  expect(equalJson(1, true)).toBe(false)
})

test('what JSON cannot hold is not JSON', () => {
  for (const other of [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    () => 1,
    [undefined],
    { a: Symbol('a') },
  ]) {
    expect(isJson(other)).toBe(false)
  }
  const endless: unknown[] = []
  endless.push(endless)
  expect(isJson(endless)).toBe(false)
})
