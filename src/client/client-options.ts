import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/id.ts'

/** What carries a client's requests: the platform's `fetch`, or one that behaves like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What `createClient` takes. */
export interface ClientOptions {
  /** Where the host is: https, or http to this machine; a path is kept. */
  readonly baseUrl: string
  /** The caller's token, sent as a bearer token with every request and to no other address. */
  readonly token: string
  /**
   * Default: the platform's. That of Node waits no longer than five minutes for the head of an answer: stream what may
   * take longer.
   */
  readonly fetch?: Fetch
  /** Default: the platform's time. */
  readonly clock?: Clock
  /** Spreads pauses; default `Math.random`. */
  readonly random?: Random
}

/** What every request takes. */
export interface RequestOptions {
  /** Aborts the request: what waits for it rejects with the signal's reason, an `AbortError` by default. */
  readonly signal?: AbortSignal | undefined
}
