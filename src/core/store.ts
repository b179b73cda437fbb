import type { Event } from './event.ts'
import type { JsonValue } from './json/value.ts'
import type { OnChange } from './watchers.ts'

/** An event as the store keeps it. `(stream, sequence)` is its key; sequences start at 1 and have no gaps. */
export interface StoredEvent {
  readonly stream: string
  readonly sequence: number
  /** Milliseconds since 1970, by the clock of who appended it. */
  readonly at: number
  readonly event: Event
}

/** What kinds of rows the index holds. Rows can be rebuilt from the log; the log never depends on them. */
export type IndexKind = 'session' | 'run' | 'ticket' | 'call' | 'timer'

/** One row of the index, written in the same transaction as the events that it follows from. */
export interface IndexRow {
  readonly kind: IndexKind
  /** Unique within its kind; writing it again replaces the row. */
  readonly id: string
  readonly stream: string
  readonly subject: string
  /** What a query selects by: `open`, `waiting`, `decided`, `uncertain`, ... */
  readonly status: string
  /** Milliseconds since 1970; rows are listed by it, oldest first. */
  readonly at: number
  readonly data: { readonly [key: string]: JsonValue }
}

/** Events for one stream. */
export interface StreamAppend {
  readonly stream: string
  /** The sequence of the last event that the writer has seen; 0 = the stream must be empty. */
  readonly after: number
  readonly events: readonly { readonly at: number; readonly event: Event }[]
}

/** Everything that one append writes, in one transaction or not at all. */
export interface Append {
  readonly streams: readonly StreamAppend[]
  readonly rows?: readonly IndexRow[]
  /** Keys that must never have been written before, by anyone (idempotency keys). */
  readonly uniqueKeys?: readonly string[]
  /** When given, the append holds only while this is the lease in force (a claim). */
  readonly lease?: LeaseProof
}

export interface LeaseProof {
  readonly stream: string
  readonly epoch: number
}

/** A lease on a stream: who owns a session. The epoch grows with each new owner and never shrinks. */
export interface Lease extends LeaseProof {
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export type AppendResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly conflict: 'sequence' | 'lease' | 'unique' }

/** A question to the index; the rows come ordered by `(at, id)`. */
export interface IndexQuery {
  readonly kind: IndexKind
  readonly id?: string
  readonly stream?: string
  readonly subject?: string
  readonly status?: string | readonly string[]
  /** Default 100, at most 1,000. */
  readonly limit?: number
  /** Continue after this row. */
  readonly after?: { readonly at: number; readonly id: string }
  /** Newest first instead of oldest first. */
  readonly newestFirst?: boolean
}

/**
 * Where facts are kept. Every store passes one suite (`toolpost/testing`).
 *
 * Contract: when `append` has resolved with `ok`, the events are as durable as the store can make
 * them, and every later `read` and `list`, in any process, sees them. A refused append wrote nothing.
 * Values that go in come out equal, exact big integers included.
 *
 * Errors: STORE_CLOSED after `close`; STORE_CORRUPT for what cannot be read; NOT_ENCODABLE for an append with something
 * that is no plain JSON (a function, a symbol, NaN, an object of a class): nothing of it is written.
 */
export interface Store {
  append(append: Append): Promise<AppendResult>
  /** Events of one stream after a sequence, in order. `limit` defaults to no limit. */
  read(stream: string, options?: { after?: number; limit?: number }): Promise<readonly StoredEvent[]>
  list(query: IndexQuery): Promise<readonly IndexRow[]>
  /**
   * Keeps bytes for a stream, under their digest (`sha256:` and 64 hex digits); the same bytes are kept once,
   * however many streams hold them.
   */
  putBlob(stream: string, bytes: Uint8Array): Promise<string>
  /** The bytes, if the stream holds them: a digest that is known from elsewhere opens nothing. */
  getBlob(stream: string, digest: string): Promise<Uint8Array | undefined>
  /**
   * Removes a stream for ever: its events, its index rows, and the blobs that no other stream holds. It holds
   * only while the lease is in force, and ends the lease; false when it was not in force and nothing was removed.
   */
  removeStream(lease: LeaseProof): Promise<boolean>
  /**
   * Takes or renews the lease on a stream. Undefined when another owner holds one that has not expired.
   * The same owner keeps its epoch; a new owner gets the next.
   */
  acquireLease(stream: string, owner: string, durationMs: number, now: number): Promise<Lease | undefined>
  /** The newest lease on a stream, in force or not; undefined when there never was one. */
  readLease(stream: string): Promise<Lease | undefined>
  /** Ends the lease if it is still in force; the epoch is remembered. */
  releaseLease(lease: LeaseProof): Promise<void>
  /**
   * Calls `onChange` soon after anything may have been appended, or a lease given back, in this process or another. It may
   * call too often, never too seldom. `changed` names the streams of which something may have been appended or removed;
   * absent: any. With `stream`, what the store knows to be of other streams is not told. Returns the function that stops
   * it. A watch keeps no process alive.
   */
  watch(onChange: OnChange, stream?: string): () => void
  close(): Promise<void>
}
