import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageOf } from '../../src/core/message-of.ts'

const boom = (): never => {
  throw new Error('boom')
}

test.each([
  [new Error('no page'), 'no page'],
  [new TypeError(''), 'TypeError'],
  ['plain text', 'plain text'],
  [{ message: 'like an error' }, 'like an error'],
  [{ toString: () => 'own text' }, 'own text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [42, '42'],
  [12n, '12'],
  [Symbol('s'), 'Symbol(s)'],
  [{ code: 1 }, 'An object without a message was thrown.'],
  [{ message: { text: 'no string' } }, 'An object without a message was thrown.'],
  [Object.create(null), 'An object without a message was thrown.'],
])('the message of a thrown value is read (%#)', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})

test('a value that throws while it is read has a message all the same [faults/F63]', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const getter = Object.defineProperty(new Error('x'), 'message', { get: boom })
  expect(
    messageOf({
      get message() {
        return boom()
      },
      toString: boom,
    }),
  ).toBe('A thrown value cannot be read.')
  expect(messageOf({ toString: () => ({}) })).toBe('A thrown value cannot be read.')
  expect(messageOf(proxy)).toBe('A thrown value cannot be read.')
  expect(messageOf(new Proxy({}, { get: boom }))).toBe('A thrown value cannot be read.')
  expect(messageOf(getter)).toBe('A thrown value cannot be read.')
})

test('a long message is cut, without half a character', () => {
  expect(messageOf(new Error('x'.repeat(8_000)))).toBe('x'.repeat(8_000))
  expect(messageOf(new Error('x'.repeat(9_000)))).toBe(`${'x'.repeat(7_999)}…`)
  expect(messageOf('😀😀😀', 4)).toBe('😀\ufffd…')
})

test('no value makes it throw [faults/F63]', () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withBigInt: true, withObjectString: true }),
      (thrown) => {
        expect(typeof messageOf(thrown)).toBe('string')
      },
    ),
  )
})
