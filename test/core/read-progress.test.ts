import { expect, test } from 'vitest'
import { limits } from '../../src/core/limits.ts'
import { readProgress } from '../../src/core/read-progress.ts'

test('a report is a text and a number from 0 to 1, and nothing else of it is shown', () => {
  expect(readProgress({ message: 'half', fraction: 0.5, secret: 'x' })).toEqual({
    message: 'half',
    fraction: 0.5,
  })
  expect(readProgress({ fraction: 7 })).toEqual({ fraction: 1 })
  expect(readProgress({ fraction: -1 })).toEqual({ fraction: 0 })
})

test.each([undefined, null, 'half', { fraction: Number.NaN }, { fraction: '1' }, { message: 1 }, {}])(
  '%j says nothing',
  (given) => expect(readProgress(given)).toBeUndefined(),
)

test('a long text is cut, and a getter that throws says nothing', () => {
  const { message } = readProgress({ message: 'x'.repeat(1_000_000) }) ?? {}
  expect(message).toHaveLength(limits.messageCharactersMax)
  const hostile = Object.defineProperty({}, 'message', {
    get: () => {
      throw new Error('no')
    },
  })
  expect(readProgress(hostile)).toBeUndefined()
})
