import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../src/core/json/strict.ts'
import type { JsonValue } from '../../src/core/json/value.ts'
import { fromJsonText, toJsonText } from '../../src/stores/sqlite/json-text.ts'

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 1e15, 1e16, 1e20, 1e21, 1e300, 2 ** 53, 2 ** 53 + 2, 5e-324),
)
const bigInteger = fc
  .bigInt({ min: -(2n ** 90n), max: 2n ** 90n })
  .filter((value) => value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^\d{14,20}$/))
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', ''))
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, true, false),
    number,
    bigInteger,
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
}))

test('the quick way and the strict parser read the same from every text that the store writes', () => {
  fc.assert(
    fc.property(value, (written) => {
      const stored = toJsonText(written)
      const read = fromJsonText(stored)
      expect(isDeepStrictEqual(read, written)).toBe(true)
      expect(isDeepStrictEqual(parseJson(stored), { ok: true, value: read })).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('values nested deeper than the strict parser takes by default come back', () => {
  let deep: JsonValue = 9007199254740993n
  for (let level = 0; level < 500; level += 1) deep = [deep]
  expect(fromJsonText(toJsonText(deep))).toStrictEqual(deep)
})

test('a text that was damaged is undefined', () => {
  for (const damaged of ['', '{', '{"a":1234567890123456789']) expect(fromJsonText(damaged)).toBe(undefined)
})
