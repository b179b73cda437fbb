import type { Progress } from '../core/executor.ts'
import { readProgress } from '../core/read-progress.ts'

type Listener = (call: string, progress: Progress) => void

/** What is reported of calls by those who carry them elsewhere, to whoever drives the run in this process. */
export class OutsideProgress {
  readonly #listeners = new Set<Listener>()

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** False when nobody here drives the run. A report of nothing says that the call is being carried: it is passed on too. */
  report(call: string, given: unknown): boolean {
    const progress = readProgress(given) ?? {}
    for (const listener of this.#listeners) listener(call, progress)
    return this.#listeners.size > 0
  }
}
