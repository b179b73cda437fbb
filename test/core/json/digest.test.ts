import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/core/json/canonical.ts'
import { digestBytes, digestOf } from '../../../src/core/json/digest.ts'
import { parseJson } from '../../../src/core/json/strict.ts'
import { jsonValue, longInteger } from './arbitrary-json.ts'

function digestOfText(text: string): string {
  const result = parseJson(text)
  if (!result.ok) throw new Error(result.fault.message)
  return digestOf(result.value)
}

test('a digest is SHA-256 over the canonical text in UTF-8', () => {
  expect(digestOf({})).toBe('sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  fc.assert(
    fc.property(jsonValue, (value) => {
      const hex = createHash('sha256').update(canonicalJson(value), 'utf8').digest('hex')
      expect(digestOf(value)).toBe(`sha256:${hex}`)
    }),
  )
})

test('the digest of bytes is their SHA-256', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(digestBytes(bytes)).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
    }),
  )
})

test('key order, white space and escapes do not change a digest [approvals/L6]', () => {
  expect(digestOfText('{"b":1,"a":"\\u0041"}')).toBe(digestOfText('{ "a": "A", "b": 1.0 }'))
})

test('the number 1 and the string "1" have different digests [approvals/L6]', () => {
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }))
})

test('strings are compared as they are: a composed and a decomposed letter differ', () => {
  expect(digestOf('\u00e9')).not.toBe(digestOf('e\u0301'))
})

test('different values have different digests', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, (left, right) => {
      fc.pre(canonicalJson(left) !== canonicalJson(right))
      expect(digestOf(left)).not.toBe(digestOf(right))
    }),
  )
  const texts = [
    'null',
    'false',
    '0',
    '""',
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '{"a":null}',
    '"null"',
    '"[]"',
    '[1,2]',
    '[2,1]',
  ]
  expect(new Set(texts.map(digestOfText)).size).toBe(texts.length)
})

test('two integers beyond 2^53 never share a digest, though a double could not tell them apart', () => {
  expect(digestOfText('9007199254740993')).not.toBe(digestOfText('9007199254740992'))
  expect(digestOfText('18446744073709551616.0')).not.toBe(digestOfText('18446744073709552000'))
  fc.assert(
    fc.property(longInteger, fc.bigInt({ min: 1n, max: 3n }), (integer, step) => {
      expect(digestOfText(String(integer))).not.toBe(digestOfText(String(integer + step)))
    }),
  )
})
