import type { Store } from '../../core/store.ts'

/** Waits until anything may have been appended to a store. A change before the wait is not lost. */
export class LogChanges {
  readonly #unwatch: () => void
  #hasChanged = false
  #isOver = false
  #wake: (() => void) | undefined

  constructor(store: Store) {
    this.#unwatch = store.watch(() => {
      this.#hasChanged = true
      this.#wake?.()
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** False when nobody waits any more. */
  async next(): Promise<boolean> {
    if (!this.#hasChanged && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    this.#hasChanged = false
    this.#wake = undefined
    return !this.#isOver
  }

  stop(): void {
    this.#isOver = true
    this.#unwatch()
    this.#wake?.()
  }
}
