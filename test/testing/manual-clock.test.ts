import { describe, expect, test } from 'vitest'
import { manualClock } from '../../src/testing.ts'

const refused = expect.objectContaining({ code: 'INVALID_ARGUMENT' })

describe('a manual clock', () => {
  test.each([Number.NaN, -1, 'x', undefined, null, Number.POSITIVE_INFINITY])(
    'is not moved on by %s, and goes on as before',
    async (wrong) => {
      const clock = manualClock(1_000)
      let isAwake = false
      const sleeping = clock.sleep(5).then(() => {
        isAwake = true
      })
      await expect(clock.advance(wrong as number)).rejects.toEqual(refused)
      expect([clock.now(), clock.sleeping, isAwake]).toEqual([1_000, 1, false])
      await clock.advance(5)
      await sleeping
      expect(clock.now()).toBe(1_005)
    },
  )

  test.each([Number.NaN, 'x', undefined, null])('does not wait for %s', async (wrong) => {
    const clock = manualClock(0)
    await expect(clock.sleep(wrong as number)).rejects.toEqual(refused)
    expect(() => clock.timer(wrong as number, () => undefined)).toThrow(refused)
    expect(clock.sleeping).toBe(0)
    await clock.advance(1)
    expect(clock.now()).toBe(1)
  })

  test.each([Number.NaN, 'x', null, Number.NEGATIVE_INFINITY, new Date(0)])(
    'does not start at %s',
    (wrong) => {
      expect(() => manualClock(wrong as number)).toThrow(refused)
    },
  )

  test('says what it was given', async () => {
    await expect(manualClock().advance(-1)).rejects.toThrow('0 or more, not -1')
    expect(() => manualClock(Number.NaN)).toThrow('not NaN')
  })

  test('never goes back, also when it is moved on twice at once', async () => {
    const clock = manualClock(0)
    const late = clock.sleep(3)
    await Promise.all([clock.advance(10), clock.advance(4), late])
    expect(clock.now()).toBe(10)
    await clock.advance(0)
    expect(clock.now()).toBe(10)
  })
})
