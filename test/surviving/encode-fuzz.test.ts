import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asJson } from '../../src/core/json/as-json.ts'
import { canonicalJson } from '../../src/core/json/canonical.ts'
import { encodeResult, plainJson } from '../../src/core/json/encode.ts'
import { parseJson } from '../../src/core/json/strict.ts'
import { stringifyJson } from '../../src/core/json/stringify.ts'
import { messageOf } from '../../src/core/message-of.ts'
import { isToolpostError } from '../../src/index.ts'
import { jsonValue } from '../core/json/arbitrary-json.ts'
import { hostileValues } from './hostile-values.ts'

const unbounded = { bytesMax: Infinity, membersMax: Infinity, depthMax: 1_000 }

/** Checks all that holds of every encoder, whatever the value is. */
function expectEncoded(make: () => unknown): void {
  const { text, kind, lossy } = encodeResult(make())
  expect(text.isWellFormed()).toBe(true)
  expect(lossy.length).toBeLessThanOrEqual(20)
  if (kind === 'json') expect(parseJson(text, unbounded).ok).toBe(true)
  const plain = plainJson(make())
  expect(asJson(plain)).toEqual(plain)
  const json = asJson(make())
  if (json !== undefined) expect(asJson(json)).toEqual(json)
  expect(messageOf(make()).length).toBeLessThanOrEqual(8_000)
  try {
    expect(typeof canonicalJson(make())).toBe('string')
  } catch (error) {
    expect(isToolpostError(error) && ['NOT_ENCODABLE', 'LIMIT_EXCEEDED'].includes(error.code)).toBe(true)
  }
}

test.each(Object.keys(hostileValues))(
  '%s is encoded, copied, told and digested without an exception',
  (name) => {
    expectEncoded(hostileValues[name]!)
  },
)

test('so is every other value', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
    withObjectString: true,
    withUnicodeString: true,
  })
  fc.assert(
    fc.property(anything, (value) => expectEncoded(() => value)),
    { numRuns: 1_000 },
  )
})

test('a JSON value is its own copy, its own encoding, and one text in canonical form however its keys are ordered', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      expect(asJson(value)).toEqual(value)
      expect(parseJson(stringifyJson(value), unbounded)).toEqual({ ok: true, value })
      expect(canonicalJson(turned(value))).toBe(canonicalJson(value))
    }),
    { numRuns: 500 },
  )
})

/** The same value with the keys of every object the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(entries.map(([key, member]) => [key, turned(member)]))
}

describe('a small value with very many places', () => {
  test('of one text of quotation marks stays within the longest text of the engine', () => {
    const { text, lossy } = encodeResult(new Array(1_000).fill('"'.repeat(1_000_000)))
    expect(text).toContain('"[1000000 characters]"')
    expect(text.length).toBeLessThan(2 ** 29 - 24)
    expect(lossy).toHaveLength(20)
  })

  test('of one buffer does not become gigabytes', () => {
    const { text } = encodeResult(new Array(50_000).fill(new Uint8Array(65_536)))
    expect(text).toContain('"[65536 bytes]"')
    expect(text.length).toBeLessThan(100_000_000)
  })

  test('of one long integer does not become gigabytes', () => {
    const { text } = encodeResult(new Array(2_000).fill(10n ** 50_000n))
    expect(text).toContain('"[too many digits]"')
    expect(text.length).toBeLessThan(140_000_000)
  })

  test('of one long key does not become gigabytes', () => {
    const { text } = encodeResult(new Array(2_000).fill({ ['k'.repeat(100_000)]: 1 }))
    expect(text).toContain('"[too many values]"')
    expect(text.length).toBeLessThan(280_000_000)
  })

  test('is no JSON beyond a million of them', () => {
    let value: unknown = 'leaf'
    for (let level = 0; level < 40; level += 1) value = [value, value]
    expect(asJson(value)).toBeUndefined()
  })
})
