import type { ManualClock } from '../../src/testing.ts'

/** Lets the time of clocks pass, and the platform's events, until something has settled. */
export async function within<Value>(clocks: readonly ManualClock[], promise: Promise<Value>): Promise<Value> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  while (!isSettled) {
    for (const clock of clocks) await clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return await promise
}
