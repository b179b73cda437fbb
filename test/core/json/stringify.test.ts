import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../../src/core/json/strict.ts'
import { stringifyJson } from '../../../src/core/json/stringify.ts'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { jsonValue, safeValue } from './arbitrary-json.ts'

test('what is written is read back as the same value, bigints, -0 and hostile keys included [faults/F9]', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      assert.deepStrictEqual(parseJson(stringifyJson(value)), { ok: true, value })
    }),
    { numRuns: 500 },
  )
})

test('a value without -0 and long integers has the text that JSON.stringify gives it', () => {
  const hasMinusZero = (value: unknown): boolean =>
    Object.is(value, -0) ||
    (typeof value === 'object' && value !== null && Object.values(value).some(hasMinusZero))
  fc.assert(
    fc.property(
      safeValue.filter((value) => !hasMinusZero(value)),
      (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value))
      },
    ),
  )
})

test('a bigint is written as its digits, a long number with an exponent', () => {
  expect(stringifyJson([2n ** 64n, 2 ** 60])).toBe('[18446744073709551616,1.152921504606847e+18]')
})

test('a value that only the types forbid still gives a text that can be read back', () => {
  const value = { a: undefined, b: Number.NaN, c: '\ud83d' } as unknown as JsonValue
  expect(stringifyJson(value)).toBe('{"b":null,"c":"\ufffd"}')
})

test('a value too deep to be read back is not written', () => {
  let value: JsonValue = 1
  for (let level = 0; level < 1_000; level += 1) value = [value]
  expect(parseJson(stringifyJson(value), { depthMax: 1_000 }).ok).toBe(true)
  expect(() => stringifyJson([value])).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }))
})
