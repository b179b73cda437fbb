import { HostError } from '../../protocol/host-error.ts'

/** Whether a server takes requests, and the streams that are open on it. */
export class HostLife {
  #state: 'starting' | 'open' | 'closing'
  readonly #closing = new AbortController()
  #quiet = Promise.withResolvers<void>()
  readonly #streams = new Set<() => void>()

  constructor(state: 'starting' | 'open' = 'open') {
    this.#state = state
  }

  get isClosing(): boolean {
    return this.#state === 'closing'
  }

  /** Aborts when no more requests are taken: what would never end by itself ends then. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  open(): void {
    if (this.#state === 'starting') this.#state = 'open'
  }

  /** Takes no more requests. What goes on goes on. */
  close(): void {
    this.#state = 'closing'
    this.#closing.abort()
  }

  /** Errors: HOST_STARTING, HOST_SHUTTING_DOWN. */
  requireOpen(): void {
    if (this.#state === 'starting') throw new HostError('HOST_STARTING')
    if (this.#state === 'closing') throw new HostError('HOST_SHUTTING_DOWN')
  }

  /** Notes down a stream by what ends it; returns what takes the note back. */
  keepStream(end: () => void): () => void {
    this.#streams.add(end)
    return () => {
      this.#streams.delete(end)
      if (this.#streams.size === 0) this.#quiet.resolve()
    }
  }

  /** Resolves when no stream is open. */
  async quiet(): Promise<void> {
    if (this.#streams.size === 0) return
    this.#quiet = Promise.withResolvers()
    await this.#quiet.promise
  }

  endStreams(): void {
    for (const end of [...this.#streams]) end()
  }
}
