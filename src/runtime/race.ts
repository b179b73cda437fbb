import type { Clock } from '../core/clock.ts'

/** The message of a signal that stands for "out of time". */
export class OutOfTime extends Error {
  readonly afterMs: number
  constructor(what: string, afterMs: number) {
    super(`${what} timed out after ${afterMs} ms`)
    this.name = 'TimeoutError'
    this.afterMs = afterMs
  }
}

/** Lets go of what may be a promise: a rejection that nobody waits for must not end the process. */
export function leave(answer: unknown): void {
  Promise.resolve(answer).catch(() => undefined)
}

/**
 * A signal that aborts with the first of the given ones. `release` takes its listeners back; until then nothing
 * else is held. `AbortSignal.any` leaves a trace of each of its signals on one that lives on (seen in Node 22).
 */
export function linkedSignal(sources: readonly AbortSignal[]): {
  readonly signal: AbortSignal
  release(): void
} {
  const linked = new AbortController()
  const release = () => {
    for (const source of sources) source.removeEventListener('abort', forward)
  }
  const forward = () => {
    release()
    linked.abort(sources.find((source) => source.aborted)?.reason)
  }
  for (const source of sources) source.addEventListener('abort', forward)
  if (sources.some((source) => source.aborted)) forward()
  return { signal: linked.signal, release }
}

/**
 * Runs an action with a signal that aborts with `outer` or when the time is over. Listeners and timers are
 * gone when it is done. `withinMs` undefined = no limit of time.
 */
export async function withDeadline<Result>(
  clock: Clock,
  what: string,
  withinMs: number | undefined,
  outer: AbortSignal,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const inner = new AbortController()
  const forward = () => inner.abort(outer.reason)
  if (outer.aborted) forward()
  else outer.addEventListener('abort', forward, { once: true })
  const cancel =
    withinMs === undefined
      ? undefined
      : clock.timer(withinMs, () => inner.abort(new OutOfTime(what, withinMs)))
  try {
    return await action(inner.signal)
  } finally {
    cancel?.()
    outer.removeEventListener('abort', forward)
  }
}

/** Resolves with the value, or with `aborted` as soon as the signal aborts; leaves no listener. */
export function orAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<{ readonly value: Result } | { readonly aborted: true }> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ aborted: true })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const done = () => signal.removeEventListener('abort', stop)
    promise.then(
      (value) => {
        done()
        resolve({ value })
      },
      (error) => {
        done()
        reject(error)
      },
    )
  })
}
