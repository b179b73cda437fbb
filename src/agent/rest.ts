import { limits } from '../core/limits.ts'
import type { CallState } from '../core/run/state.ts'
import type { Rest } from '../runtime/advance.ts'
import { expireAsks, nextExpiry } from '../runtime/expire.ts'
import type { Task } from '../runtime/task.ts'
import type { Approver } from './approver.ts'
import { ChildLogs } from './children/child-logs.ts'
import { type Looking, lookBelow } from './look-below.ts'

/** Who waits while a run rests, and what rings when something has changed. */
export interface Waiting extends Omit<Looking, 'below'> {
  readonly approver: Approver
  readonly bell: Bell
}

/**
 * Waits while every open call waits: until the log grows, by this process or another, until what a resting call waits
 * for is there, until the run is stopped, or until there is nothing that this process would bring on: the handler has
 * left every ask to somebody else, no child runs, and no time is near.
 */
export async function restUntilChange(
  { task, approver, bell, children, answersInputs }: Waiting,
  { tickets, resting, busy }: Rest,
): Promise<'again' | 'leave' | readonly CallState[]> {
  const { journal, parts } = task
  const seen = journal.state.sequence
  const below = new ChildLogs(parts)
  let isOver = false
  const settled = () => {
    isOver = true
    bell.ring()
  }
  busy?.then(settled, settled)
  // What a resting call waits for stands in other logs.
  const own = resting.length > 0 ? undefined : journal.stream
  const stopWatching = parts.store.watch((changed) => {
    if (resting.length > 0) bell.ring()
    if (changed?.has(journal.stream) !== false) journal.refresh().catch(() => undefined)
  }, own)
  let cancelTimer = () => {}
  try {
    // What was written between the fold and the watch would otherwise wake nobody.
    await journal.refresh()
    for (;;) {
      await expireAsks(journal, parts.clock.now())
      if (isOver || task.signal.aborted || journal.state.sequence !== seen) return 'again'
      const { ready, until } = await lookBelow({ below, task, children, answersInputs }, resting)
      if (ready.length > 0) return ready
      const isNear = until !== undefined && until - parts.clock.now() <= limits.restInProcessMs
      const nobodyActs = busy === undefined && !children.isBusy && !isNear
      if (nobodyActs && approver.hasLeft(tickets)) return 'leave'
      cancelTimer()
      cancelTimer = ringAt(task, bell, [nextExpiry(journal.state), isNear ? until : undefined])
      await bell.wait()
    }
  } finally {
    cancelTimer()
    stopWatching()
  }
}

/** What runs out, or is due, while the run waits happens at its time. */
function ringAt({ parts }: Task, bell: Bell, times: readonly (number | undefined)[]): () => void {
  const known = times.filter((time) => time !== undefined)
  if (known.length === 0) return () => {}
  return parts.clock.timer(Math.max(0, Math.min(...known) - parts.clock.now()), () => bell.ring())
}

/** A bell that many can ring and one waits for; a ring before the wait is not lost. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#rung = false
    this.#wake = undefined
  }
}
