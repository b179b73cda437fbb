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

  /** The next part; undefined at the end. Throws the signal's reason once that has aborted. */
  async next(): Promise<Part | undefined> {
    const { value } = await this.#reader.read()
    if (this.#signal.aborted) throw this.#signal.reason
    return value
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
