import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatEventId, parseEventId } from '../../../src/protocol/stream/event-id.ts'

test('a place in a stream is read as it was written', () => {
  const place = fc.record({
    sequence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    logSequence: fc.maxSafeNat(),
    beyondLog: fc.maxSafeNat(),
  })
  fc.assert(
    fc.property(place, (one) => {
      expect(parseEventId(formatEventId(one))).toEqual(one)
    }),
  )
  expect(formatEventId({ sequence: 3, logSequence: 17, beyondLog: 0 })).toBe('3.17.0')
})

test.each([
  '',
  '3',
  '3.1',
  '3.1.2.4',
  '03.1.2',
  '3.-1.2',
  '3.1.2 ',
  ' 3.1.2',
  '3.1.x',
  '0.1.2',
  '1e3.1.2',
  '3.1.9007199254740993',
])('"%s" is no place', (text) => {
  expect(parseEventId(text)).toBeUndefined()
})
