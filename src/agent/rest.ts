import type { Task } from '../runtime/task.ts'
import type { Approver } from './approver.ts'

/**
 * Waits while every open call waits on a ticket: until the log grows, by this process or another, until the
 * run is stopped, or until the handler has left every ask to somebody else.
 */
export async function restOnTickets(
  task: Task,
  approver: Approver,
  changed: { wait(): Promise<void> },
  tickets: readonly string[],
): Promise<'again' | 'leave'> {
  const seen = task.journal.state.sequence
  const stopWatching = task.parts.store.watch(() => {
    task.journal.refresh().catch(() => undefined)
  })
  try {
    // What was written between the fold and the watch would otherwise wake nobody.
    await task.journal.refresh()
    for (;;) {
      if (task.signal.aborted || task.journal.state.sequence !== seen) return 'again'
      if (approver.hasLeft(tickets)) return 'leave'
      await changed.wait()
    }
  } finally {
    stopWatching()
  }
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
