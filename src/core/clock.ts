/** Time as the runtime is given it: real in production, in a test's hand otherwise. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `durationMs`; rejects with the signal's reason when it aborts first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>
}
