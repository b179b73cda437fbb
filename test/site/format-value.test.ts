import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatError, formatValue } from '../../site/src/format-value.ts'
import { ToolpostError } from '../../src/core/error.ts'

class Point {
  x = 1
  get never(): number {
    throw new Error('read')
  }
}

const itself: Record<string, unknown> = { name: 'loop' }
itself.inner = [itself]

test.each([
  ['text', "'text'"],
  ["it's", '"it\'s"'],
  ['both \' and "', "'both \\' and \"'"],
  [-0, '-0'],
  [10n, '10n'],
  [[1, undefined, null], '[1, undefined, null]'],
  [{ a: 1, 'b-c': {} }, "{ a: 1, 'b-c': {} }"],
  [new Map([['a', new Set([1])]]), "Map(1) { 'a' => Set(1) { 1 } }"],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Uint8Array([1, 2]), 'Uint8Array(2) [1, 2]'],
  [new Point(), 'Point { x: 1 }'],
  [Point, '[class Point]'],
  [Math.max, '[function max]'],
  [Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }), '{ a: [getter] }'],
  [itself, "{ name: 'loop', inner: [[circular]] }"],
  [new RangeError('far'), '[RangeError: far]'],
])('%o is formatted', (value, text) => {
  expect(formatValue(value)).toBe(text)
})

test('what is long has a line for each member, and what is longer is cut', () => {
  expect(formatValue({ first: 'a'.repeat(40), second: 'b'.repeat(40) }).split('\n')).toHaveLength(4)
  expect(formatValue(Array.from({ length: 101 }, () => 'x'.repeat(9)))).toContain('... 1 more')
})

test('an error has its code where it has one', () => {
  expect(formatError(new ToolpostError('INVALID_ARGUMENT', 'No.'))).toBe(
    'ToolpostError INVALID_ARGUMENT: No.',
  )
})

test('whatever a value is, it is formatted', () => {
  fc.assert(
    fc.property(fc.anything({ withMap: true, withSet: true, withNullPrototype: true }), (value) => {
      expect(typeof formatValue(value)).toBe('string')
    }),
  )
})
