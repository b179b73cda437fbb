/** Time as the runtime is given it: real in production, in a test's hand otherwise. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `action` once after `durationMs`. Returns what takes it back; afterwards that does nothing. */
  timer(durationMs: number, action: () => void): () => void
  /** Resolves after `durationMs`; rejects with the signal's reason when it aborts first. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>
}

/** The sleep of a clock, from its timer. It keeps no more than that, and takes its listener back. */
export function sleepBy(timer: Clock['timer']): Clock['sleep'] {
  return (durationMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = timer(durationMs, () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
      signal?.addEventListener('abort', stop, { once: true })
    })
}
