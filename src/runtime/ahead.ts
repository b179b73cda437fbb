import type { Event } from '../core/event.ts'
import type { IndexRow, LeaseProof } from '../core/store.ts'

/** An event with the time at which it was decided. */
export interface Stamped {
  readonly at: number
  readonly event: Event
}

/** What is told, or done, once everything before it is stored. */
export type News = Stamped | (() => void)

/** What is folded into a session's state and not in the store yet, and what waits until it is. */
export class Ahead {
  /** The sequence of the last event that the store has. */
  readonly after: number
  readonly events: Stamped[] = []
  /** The claim that all of it holds under. */
  lease: LeaseProof | undefined
  readonly #rows = new Map<string, IndexRow>()
  readonly news: News[] = []

  constructor(after: number) {
    this.after = after
  }

  add(events: readonly Stamped[], rows: readonly IndexRow[], lease: LeaseProof | undefined): void {
    for (const event of events) {
      this.events.push(event)
      this.news.push(event)
    }
    for (const row of rows) this.#rows.set(`${row.kind} ${row.id}`, row)
    this.lease ??= lease
  }

  /** The newest of each row. */
  rowsWith(newer: readonly IndexRow[]): readonly IndexRow[] {
    if (this.#rows.size === 0) return newer
    const rows = new Map(this.#rows)
    for (const row of newer) rows.set(`${row.kind} ${row.id}`, row)
    return [...rows.values()]
  }

  /** Keeps what is to be done once everything before it is stored. */
  hold(action: () => void): void {
    this.news.push(action)
  }
}
