import type { Clock } from '../core/clock.ts'
import { ToolpostError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { deepFreeze } from '../core/json/deep-freeze.ts'
import { limits } from '../core/limits.ts'
import { newSessionState } from '../core/run/draft.ts'
import { fold } from '../core/run/fold.ts'
import { rowsOf, sessionRow } from '../core/run/rows.ts'
import type { SessionState } from '../core/run/state.ts'
import type { AppendResult, LeaseProof, Store, StoredEvent } from '../core/store.ts'

/** What a write comes from: the state as it is now gives the events, or none when there is nothing to write. */
export type Decide = (state: SessionState) => readonly Event[]

/** The stream of a session's log. */
export function sessionStream(session: string): string {
  return `session:${session}`
}

/**
 * One session's log, folded. All writes of this process go through it one after another; a write that
 * loses a race for the sequence is decided anew on the state that won, so that a fact is never lost
 * and a claim is never made on what has changed.
 */
export class Journal {
  readonly stream: string
  readonly state: SessionState = newSessionState()
  readonly #store: Store
  readonly #clock: Clock
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(store: Store, session: string, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.stream = sessionStream(session)
  }

  /** Reads a session's whole log. Errors: SESSION_NOT_FOUND. */
  static async open(store: Store, session: string, clock: Clock): Promise<Journal> {
    const journal = new Journal(store, session, clock)
    await journal.refresh()
    if (journal.state.sequence > 0) return journal
    throw new ToolpostError('SESSION_NOT_FOUND', `The store holds no session "${session}".`)
  }

  /** Calls the listener with every event from now on, each once, in order. Returns what stops it. */
  listen(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes in what other processes have appended. */
  refresh(): Promise<void> {
    return this.#next(() => this.#readOn())
  }

  /**
   * Decides on the newest state and appends. With a lease, it is a claim: it holds only while the lease does.
   * Errors: LEASE_LOST, ILLEGAL_EVENT, STORE_CONFLICT, and what `decide` throws.
   */
  write(decide: Decide, lease?: LeaseProof): Promise<readonly StoredEvent[]> {
    return this.#next(async () => {
      for (let tries = 0; tries < limits.appendTriesMax; tries += 1) {
        const events = decide(this.state)
        if (events.length === 0) return []
        const written = await this.#append(events, lease)
        if (written !== undefined) return written
        await this.#readOn()
      }
      throw new ToolpostError(
        'STORE_CONFLICT',
        `The log of ${this.stream} changes faster than it can be written.`,
      )
    })
  }

  #next<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(action)
    this.#queue = result.catch(() => undefined)
    return result
  }

  async #append(
    events: readonly Event[],
    lease: LeaseProof | undefined,
  ): Promise<readonly StoredEvent[] | undefined> {
    const at = this.#clock.now()
    const stamped = events.map((event) => ({ at, event: deepFreeze(event) }))
    const after = this.state.sequence
    const draft = fold(this.state, stamped)
    const rows = [...sessionRow(draft, this.stream, events), ...rowsOf(draft, this.stream)]
    const streams = [{ stream: this.stream, after, events: stamped }]
    const result = await this.#store.append({ streams, rows, ...(lease === undefined ? {} : { lease }) })
    if (!this.#held(result)) return undefined
    draft.commit()
    const stored = stamped.map((each, index) => ({
      stream: this.stream,
      sequence: after + 1 + index,
      ...each,
    }))
    this.#publish(stored)
    return stored
  }

  #held(result: AppendResult): boolean {
    if (result.ok) return true
    if (result.conflict === 'sequence') return false
    throw new ToolpostError('LEASE_LOST', `Another process took over ${this.stream}; this one has stopped.`)
  }

  async #readOn(): Promise<void> {
    const events = await this.#store.read(this.stream, { after: this.state.sequence })
    if (events.length === 0) return
    for (const { event } of events) deepFreeze(event)
    fold(this.state, events).commit()
    this.#publish(events)
  }

  #publish(events: readonly StoredEvent[]): void {
    for (const event of events) for (const listener of this.#listeners) listener(event)
  }
}
