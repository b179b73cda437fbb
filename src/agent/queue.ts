import { soon } from '../runtime/soon.ts'

/** Values that a reader is given before the event loop turns, where all of them lie ready. */
const readyMax = 256

/** Values handed from one side to the other in order; the reader waits, the writer does not. */
export class Queue<Value> implements AsyncIterable<Value> {
  #values: Value[] = []
  /** What is read next, the last first: there each is taken at the same cost, however many there are. */
  #left: Value[] = []
  #wake: (() => void) | undefined
  #ended: { readonly error?: unknown } | undefined

  push(value: Value): void {
    if (this.#ended !== undefined) return
    this.#values.push(value)
    this.#wake?.()
  }

  /** Ends the queue after what is in it; with an error, the reader gets the error last. */
  end(error?: unknown): void {
    this.#ended ??= error === undefined ? {} : { error }
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (;;) {
      for (let given = 1; this.#isReady(); given += 1) {
        yield this.#left.pop() as Value
        // A reader that does nothing with them would keep signals and timers from being heard.
        if (given % readyMax === 0) await new Promise<void>(soon)
      }
      if (this.#ended !== undefined) {
        if ('error' in this.#ended) throw this.#ended.error
        return
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  #isReady(): boolean {
    if (this.#left.length > 0) return true
    this.#left = this.#values.reverse()
    this.#values = []
    return this.#left.length > 0
  }
}
