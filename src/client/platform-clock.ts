import { type Clock, sleepBy } from '../core/clock.ts'

function timer(durationMs: number, action: () => void): () => void {
  const running = setTimeout(action, durationMs)
  return () => clearTimeout(running)
}

/** The time of the platform, for pauses that are short enough for its timers. */
export const platformClock: Clock = { now: () => Date.now(), timer, sleep: sleepBy(timer) }
