import { expect, test } from 'vitest'
import { stopReason } from '../../src/runtime/stop-reason.ts'

test.each([
  [new Error('Enough.'), 'Enough.'],
  ['Enough.', 'Enough.'],
  [{ message: 'Enough.', a: 1 }, 'Enough.'],
  [{ a: 1 }, '{"a":1}'],
  [['a', 1], '["a",1]'],
  [AbortSignal.abort().reason, 'This operation was aborted'],
])('the reason %o is said in words', (reason, text) => {
  expect(stopReason(reason)).toBe(text)
})

test('a long reason is cut', () => {
  expect(stopReason({ a: 'x'.repeat(5_000) })).toHaveLength(500)
})
