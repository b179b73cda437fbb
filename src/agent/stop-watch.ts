import type { StoredEvent } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import type { RuntimeParts } from '../runtime/parts.ts'

/** How soon a run at work sees what others have written to its log, in milliseconds. */
const lookMs = 100

/** Sees, while this process drives a run, that somebody else asks for its end. */
export class StopWatch {
  readonly #parts: RuntimeParts
  readonly #journal: Journal
  readonly #stopped = new AbortController()
  #cancel: (() => void) | undefined
  #unlisten = () => {}
  #unwatch = () => {}

  constructor(parts: RuntimeParts, journal: Journal) {
    this.#parts = parts
    this.#journal = journal
  }

  /** Aborts when the run has to be stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  /** Begins to watch; what was asked before is seen at once. */
  start(run: string): void {
    const { store } = this.#parts
    const asked = this.#journal.state.runs.get(run)?.stopRequested
    if (asked !== undefined) {
      this.#stopped.abort(new Error(asked.reason))
      return
    }
    this.#unlisten = this.#journal.listen((stored) => this.#take(run, stored))
    this.#unwatch = store.watch(() => this.#lookSoon(), this.#journal.stream)
  }

  stop(): void {
    this.#cancel?.()
    this.#unlisten()
    this.#unwatch()
  }

  #take(run: string, { event }: StoredEvent): void {
    if (event.type === 'stop.requested' && event.run === run) this.#stopped.abort(new Error(event.reason))
  }

  // Most of what a log tells is this process's own: it is not read again for each event.
  #lookSoon(): void {
    this.#cancel ??= this.#parts.clock.timer(lookMs, () => {
      this.#cancel = undefined
      this.#journal.refresh().catch(() => undefined)
    })
  }
}
