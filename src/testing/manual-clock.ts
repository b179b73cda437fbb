import type { Clock } from '../core/clock.ts'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves the time on and wakes who is due, in order; resolves when everything that this set off has come to rest. */
  advance(durationMs: number): Promise<void>
  /** How many sleeps are under way. */
  readonly sleeping: number
}

/** Lets everything that is ready run, timers of the platform aside. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Makes a clock that starts at the given time, in milliseconds since 1970. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start
  const sleepers = new Set<Sleeper>()
  const nextDue = (until: number) =>
    [...sleepers].filter((sleeper) => sleeper.at <= until).sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const wake = () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const sleeper = { at: now + durationMs, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', stop, { once: true })
      }),
    advance: async (durationMs) => {
      const until = now + durationMs
      await settled()
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        now = Math.max(now, due.at)
        sleepers.delete(due)
        due.wake()
        await settled()
      }
      now = until
      await settled()
    },
    get sleeping() {
      return sleepers.size
    },
  }
}
