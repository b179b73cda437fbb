import { type Suspended, suspend } from '../../agent/suspend.ts'

/** The asks that wait in this process, and whether the person has left them to somebody else. */
export class OpenAsks {
  readonly #left = new AbortController()
  readonly #older = new Set<string>()
  #count = 0

  /** Aborts when the person leaves. */
  get left(): AbortSignal {
    return this.#left.signal
  }

  /** Says which asks stood open before this process drove the run: somebody was promised that they wait. */
  stoodBefore(tickets: readonly string[]): void {
    for (const ticket of tickets) this.#older.add(ticket)
  }

  /** Whether an ask is older than this process's drive of the run. */
  isOlder(ticket: string): boolean {
    return this.#older.has(ticket)
  }

  /** Leaves every ask, open now or later, to somebody else. False when none is open: then there is nothing to leave. */
  leave(): boolean {
    if (this.#count === 0) return false
    this.#left.abort(new Error('The ask was left open.'))
    return true
  }

  /** Counts an ask as open while it is worked on. */
  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
    }
  }

  /** Waits until somebody else has answered (then nothing is to be said), or the person leaves. */
  wait(signal: AbortSignal): Promise<Suspended> {
    return this.during(async () => {
      const either = AbortSignal.any([signal, this.left])
      if (!either.aborted)
        await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }))
      return suspend()
    })
  }
}
