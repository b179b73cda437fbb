import type { Clock } from '../core/clock.ts'
import { isToolpostError, ToolpostError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { deepFreeze } from '../core/json/deep-freeze.ts'
import { named } from '../core/json/named.ts'
import { limits } from '../core/limits.ts'
import { clearState } from '../core/run/clear-state.ts'
import { type Draft, newSessionState } from '../core/run/draft.ts'
import { fold } from '../core/run/fold.ts'
import { rowsOf, sessionRow } from '../core/run/rows.ts'
import type { SessionState } from '../core/run/state.ts'
import { isUrgent } from '../core/run/urgent.ts'
import type { IndexRow, LeaseProof, Store, StoredEvent } from '../core/store.ts'
import { Ahead, type News, type Stamped } from './ahead.ts'
import { leaseLost } from './ownership.ts'
import { soon } from './soon.ts'

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
 *
 * What protects no effect is folded at once and stored with the next write, or at the end of this turn of the event
 * loop. Nobody is told of an event before it is stored: no listener, no person, no effect (decision 0004).
 */
export class Journal {
  readonly stream: string
  readonly state: SessionState = newSessionState()
  readonly #store: Store
  readonly #clock: Clock
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  #queue: Promise<unknown> = Promise.resolve()
  #queued = 0
  #ahead = new Ahead(0)
  #isFlushing = false
  #hasFailed = false
  #lostEpoch: number | undefined

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
    throw new ToolpostError('SESSION_NOT_FOUND', `The store holds no session ${named(session)}.`)
  }

  /** What a session's log said at one of its events. Errors: INVALID_ARGUMENT when it has no such event. */
  static async stateAt(
    { store, clock }: { readonly store: Store; readonly clock: Clock },
    session: string,
    sequence: number,
  ): Promise<SessionState> {
    const journal = new Journal(store, session, clock)
    const isPlace = Number.isSafeInteger(sequence) && sequence > 0
    if (isPlace) await journal.#readOn(sequence)
    if (isPlace && journal.state.sequence === sequence) return journal.state
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The session "${session}" has no event ${String(sequence)}; events are counted from 1.`,
    )
  }

  /** Calls the listener with every event from now on, each once, in order, when it is stored. Returns what stops it. */
  listen(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Does something once all that was written before is stored: at once when it is. */
  afterStored(action: () => void): void {
    if (this.#ahead.events.length === 0) action()
    else this.#ahead.hold(action)
  }

  /** Resolves when all that was written before is stored. Errors: what the store throws. */
  async stored(): Promise<void> {
    if (this.#queued > 0 || this.#ahead.events.length > 0) await this.#next(() => this.#flush())
  }

  /** Stores what was folded ahead, and takes in what other processes have appended. */
  refresh(): Promise<void> {
    return this.#next(async () => {
      await this.#flush()
      await this.#readOn()
    })
  }

  /**
   * Decides on the newest state and appends. With a lease, it is a claim: it holds only while the lease does.
   * What protects an effect, or a person's answer, is stored when this resolves.
   * Errors: LEASE_LOST, ILLEGAL_EVENT, STORE_CONFLICT, SESSION_NOT_FOUND when the log was removed, and what `decide` throws.
   */
  async write(decide: Decide, lease?: LeaseProof): Promise<void> {
    try {
      await this.#decideAndWrite(decide, lease)
    } catch (error) {
      if (lease === undefined || !isToolpostError(error) || error.code !== 'ILLEGAL_EVENT') throw error
      // What does not follow from the log may be a late word of somebody whose session another has taken over.
      throw (await this.#isLost(lease)) ? leaseLost(this.stream) : error
    }
  }

  async #isLost({ epoch }: LeaseProof): Promise<boolean> {
    return (await this.#store.readLease(this.stream))?.epoch !== epoch
  }

  async #decideAndWrite(decide: Decide, lease: LeaseProof | undefined): Promise<void> {
    if (this.#queued > 0) return await this.#next(() => this.#write(decide(this.state), decide, lease))
    const events = decide(this.state)
    if (events.length === 0) return
    if (this.#mayWait(events)) return this.#foldAhead(events, lease)
    await this.#next(() => this.#write(events, decide, lease))
  }

  async #write(first: readonly Event[], decide: Decide, lease: LeaseProof | undefined): Promise<void> {
    let events = first
    for (let tries = 0; tries < limits.appendTriesMax; tries += 1) {
      if (events.length === 0) return
      if (this.#mayWait(events)) return this.#foldAhead(events, lease)
      if (await this.#append(events, lease)) return
      events = decide(this.state)
    }
    throw new ToolpostError(
      'STORE_CONFLICT',
      `The log of ${this.stream} changes faster than it can be written.`,
    )
  }

  #mayWait(events: readonly Event[]): boolean {
    if (this.#hasFailed || this.#ahead.events.length >= limits.eventsAheadMax) return false
    return !events.some((event) => isUrgent(this.state, event))
  }

  #next<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#queued += 1
    const result = this.#inTurn(this.#queue, action)
    this.#queue = result.catch(() => undefined)
    return result
  }

  async #inTurn<Result>(before: Promise<unknown>, action: () => Promise<Result>): Promise<Result> {
    await before
    try {
      return await action()
    } finally {
      this.#queued -= 1
    }
  }

  /** Folds events that protect no effect; the store gets them with the next write, or soon by themselves. */
  #foldAhead(events: readonly Event[], lease: LeaseProof | undefined): void {
    if (lease !== undefined && lease.epoch === this.#lostEpoch) throw leaseLost(this.stream)
    const stamped = this.#stamp(events)
    this.#ahead.add(stamped, this.#fold(stamped), lease)
    if (this.#isFlushing) return
    this.#isFlushing = true
    soon(() => this.#flushSoon())
  }

  #flushSoon(): void {
    this.#isFlushing = false
    this.#next(() => this.#flush()).catch(() => {
      // Whoever writes next meets the same failure.
      this.#hasFailed = true
    })
  }

  async #flush(): Promise<void> {
    while (this.#ahead.events.length > 0) await this.#append([], undefined)
  }

  /** Appends what was folded ahead, and these events behind it. False when others have written in between. */
  async #append(events: readonly Event[], lease: LeaseProof | undefined): Promise<boolean> {
    const ahead = this.#ahead
    const stamped = this.#stamp(events)
    const draft = fold(this.state, stamped)
    const rows = ahead.rowsWith(this.#rowsOf(draft, stamped))
    const claim = lease ?? ahead.lease
    const result = await this.#store.append({
      streams: [{ stream: this.stream, after: ahead.after, events: [...ahead.events, ...stamped] }],
      rows,
      ...(claim === undefined ? {} : { lease: claim }),
    })
    this.#hasFailed = false
    if (!result.ok) {
      await this.#settleConflict(result.conflict, lease)
      return false
    }
    draft.commit()
    this.#ahead = new Ahead(this.state.sequence)
    this.#publish(ahead.after, [...ahead.news, ...stamped])
    return true
  }

  /** Others have written, or the lease is another's: what was folded ahead goes behind that, or is given up. */
  async #settleConflict(
    conflict: 'sequence' | 'lease' | 'unique',
    lease: LeaseProof | undefined,
  ): Promise<void> {
    const ahead = this.#ahead
    if (ahead.events.length === 0 && conflict === 'sequence') {
      if (!(await this.#readOn())) await this.#refuseRemoved()
      return
    }
    await this.#foldAgain(ahead)
    if (conflict === 'sequence') {
      this.#ahead = this.#foldBehind(ahead)
      return
    }
    this.#lostEpoch = (lease ?? ahead.lease)?.epoch
    for (const news of ahead.news) if (typeof news === 'function') news()
    if (lease !== undefined) throw leaseLost(this.stream)
  }

  /** Folds again what still follows from the log; what another process has meanwhile ended does not. */
  #foldBehind(ahead: Ahead): Ahead {
    const behind = new Ahead(this.state.sequence)
    for (const news of ahead.news) {
      if (typeof news === 'function') behind.hold(news)
      else if (this.#follows(news)) behind.add([news], this.#fold([news]), ahead.lease)
    }
    return behind
  }

  #follows(event: Stamped): boolean {
    try {
      fold(this.state, [event])
      return true
    } catch (error) {
      if (isToolpostError(error) && error.code === 'ILLEGAL_EVENT') return false
      throw error
    }
  }

  /** Folds the whole log anew, without what was folded ahead of it. */
  async #foldAgain(ahead: Ahead): Promise<void> {
    const log = await this.#store.read(this.stream)
    if (log.length < ahead.after) throw this.#notFound()
    for (const { event } of log) deepFreeze(event)
    clearState(this.state)
    fold(this.state, log).commit()
    this.#ahead = new Ahead(this.state.sequence)
    this.#publish(ahead.after, log.slice(ahead.after))
  }

  /** Nobody has written, and the log does not go on from here: it is gone, or another one by now. */
  async #refuseRemoved(): Promise<void> {
    const { sequence } = this.state
    if (sequence === 0) return
    const last = await this.#store.read(this.stream, { after: sequence - 1, limit: 1 })
    if (last.length === 0) throw this.#notFound()
  }

  #notFound(): ToolpostError {
    const session = this.state.id
    return new ToolpostError('SESSION_NOT_FOUND', `The store holds no session "${session}": it was removed.`)
  }

  /** Takes in what the store has beyond the state; false when there is nothing. */
  async #readOn(limit?: number): Promise<boolean> {
    const after = this.state.sequence
    const events = await this.#store.read(this.stream, limit === undefined ? { after } : { after, limit })
    if (events.length === 0) return false
    for (const { event } of events) deepFreeze(event)
    fold(this.state, events).commit()
    this.#ahead = new Ahead(this.state.sequence)
    this.#publish(after, events)
    return true
  }

  #stamp(events: readonly Event[]): Stamped[] {
    const at = this.#clock.now()
    return events.map((event) => ({ at, event: deepFreeze(event) }))
  }

  /** Lays events into the state and gives the rows that they change. */
  #fold(events: readonly Stamped[]): readonly IndexRow[] {
    const draft = fold(this.state, events)
    const rows = this.#rowsOf(draft, events)
    draft.commit()
    return rows
  }

  #rowsOf(draft: Draft, events: readonly Stamped[]): readonly IndexRow[] {
    return [...sessionRow(draft, this.stream, events), ...rowsOf(draft, this.stream)]
  }

  #publish(after: number, news: readonly News[]): void {
    let sequence = after
    for (const each of news) {
      if (typeof each === 'function') {
        each()
        continue
      }
      sequence += 1
      const { at, event } = each
      for (const listener of this.#listeners) listener({ stream: this.stream, sequence, at, event })
    }
  }
}
