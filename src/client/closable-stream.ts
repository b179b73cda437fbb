/**
 * A stream that can be closed while a read of it waits: that read rejects with the signal's reason, an `AbortError` by
 * default, and the request is aborted. A plain generator would wait for the read first.
 */
export class ClosableStream<Event> implements AsyncGenerator<Event, void, undefined> {
  readonly #events: AsyncGenerator<Event, void, undefined>
  readonly #closing = new AbortController()

  /** `read` must not begin before its first event is asked for, and must stop when its signal aborts. */
  constructor(read: (signal: AbortSignal) => AsyncGenerator<Event, void, undefined>, signal?: AbortSignal) {
    const { signal: closing } = this.#closing
    this.#events = read(signal === undefined ? closing : AbortSignal.any([signal, closing]))
  }

  next(): Promise<IteratorResult<Event, void>> {
    return this.#events.next()
  }

  return(): Promise<IteratorResult<Event, void>> {
    this.#closing.abort()
    return this.#events.return()
  }

  throw(fault: unknown): Promise<IteratorResult<Event, void>> {
    this.#closing.abort()
    return this.#events.throw(fault)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }
}
