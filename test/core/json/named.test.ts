import { expect, test } from 'vitest'
import { named } from '../../../src/core/json/named.ts'

test('a name stands in quotes as it is', () => {
  expect(named('ask_1')).toBe('"ask_1"')
  expect(named(undefined)).toBe('"undefined"')
})

test('a name of a million characters is cut, and no half of a pair is left', () => {
  expect(named('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(199)}…"`)
  expect(named('😀'.repeat(500)).isWellFormed()).toBe(true)
})

test('a value that throws when it is read is named all the same', () => {
  const hostile = {
    toString: () => {
      throw new Error('no')
    },
  }
  expect(named(hostile)).toBe('"a value that cannot be read"')
})
