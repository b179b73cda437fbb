import { type Clock, sleepBy } from '../core/clock.ts'
import { soon } from '../runtime/soon.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves the time on and wakes who is due, in order; resolves when everything that this set off has come to rest.
   * Errors: INVALID_ARGUMENT for what is no number of milliseconds, 0 or more.
   */
  advance(durationMs: number): Promise<void>
  /** How many sleeps are under way. */
  readonly sleeping: number
}

/** Lets everything that is ready run, timers of the platform aside. */
async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, 0))
  // A run that lets the event loop turn goes on before this.
  await new Promise<void>(soon)
}

/**
 * Makes a clock that starts at the given time, in milliseconds since 1970; default the beginning of 2026. Sleeps and
 * timers that are due already wait for the next `advance` too. Errors: INVALID_ARGUMENT for a time that is no number;
 * its sleeps and timers refuse a duration that is none.
 */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  if (!isTime(start))
    refuseArgument(`A clock starts at a number of milliseconds since 1970, not ${shown(start)}.`)
  let now = start
  const sleepers = new Set<Sleeper>()
  const nextDue = (until: number) =>
    [...sleepers].filter((sleeper) => sleeper.at <= until).sort((a, b) => a.at - b.at)[0]
  const timer = (durationMs: number, wake: () => void) => {
    if (typeof durationMs !== 'number' || Number.isNaN(durationMs))
      refuseArgument(`A clock waits for a number of milliseconds, not ${shown(durationMs)}.`)
    const sleeper = { at: now + durationMs, wake }
    sleepers.add(sleeper)
    return () => {
      sleepers.delete(sleeper)
    }
  }
  return {
    now: () => now,
    timer,
    sleep: sleepBy(timer),
    advance: async (durationMs) => {
      if (!(isTime(durationMs) && durationMs >= 0))
        refuseArgument(`A clock moves on by a number of milliseconds, 0 or more, not ${shown(durationMs)}.`)
      const until = now + durationMs
      await settled()
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        now = Math.max(now, due.at)
        sleepers.delete(due)
        due.wake()
        await settled()
      }
      // Another advance may have gone further in the meantime.
      now = Math.max(now, until)
      await settled()
    },
    get sleeping() {
      return sleepers.size
    },
  }
}

/** The most milliseconds since 1970, or before it, that a date can have (ECMAScript, time values). */
const timeMax = 8.64e15

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= timeMax
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : shownValue(value)
}
