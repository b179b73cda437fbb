/** Values handed from one side to the other in order; the reader waits, the writer does not. */
export class Queue<Value> implements AsyncIterable<Value> {
  readonly #values: Value[] = []
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
      while (this.#values.length > 0) yield this.#values.shift() as Value
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
}
