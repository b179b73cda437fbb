/**
 * Reads a stream part by part. One listener serves the whole stream: an abort cancels it, which ends the read that
 * waits. However the reading ends, `letGo` must be called.
 */
export class StreamReader<Part> {
  readonly #reader: ReadableStreamDefaultReader<Part>
  readonly #signal: AbortSignal
  readonly #stop = () => this.#cancel()

  constructor(stream: ReadableStream<Part>, signal: AbortSignal) {
    this.#reader = stream.getReader()
    this.#signal = signal
    if (signal.aborted) this.#cancel()
    else signal.addEventListener('abort', this.#stop, { once: true })
  }

  /** The next part, or the end, which is also what an abort makes of the stream. */
  read(): Promise<ReadableStreamReadResult<Part>> {
    return this.#reader.read()
  }

  /**
   * Before the last part the stream is cancelled, which closes the connection behind it; after it the rest is read
   * out, so that the connection can serve the next request.
   */
  letGo(sawLast: boolean): void {
    this.#signal.removeEventListener('abort', this.#stop)
    if (sawLast) this.#readOut().catch(() => undefined)
    else this.#cancel()
  }

  // Not awaited: a provider that is slow to let go must hold up neither an abort nor an answer.
  #cancel(): void {
    this.#reader.cancel(this.#signal.reason).catch(() => undefined)
  }

  async #readOut(): Promise<void> {
    while (!(await this.#reader.read()).done);
  }
}
