import type { Clock } from '../../core/clock.ts'
import type { Progress } from '../../core/executor.ts'
import type { StoredEvent } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { isTerminal } from '../../protocol/stream/run-event.ts'
import type { SentEvent, TextPiece, WireWriter } from './wire-writer.ts'

/** What a run tells its readers, in the order in which it happened. */
export type RunNews =
  | { readonly kind: 'event'; readonly stored: Pick<StoredEvent, 'event' | 'sequence' | 'at'> }
  | ({ readonly kind: 'text' } & TextPiece)
  | { readonly kind: 'progress'; readonly call: string; readonly progress: Progress }
  | { readonly kind: 'ask'; readonly ticket: string }

const behindMax = 1_024
const textCharactersMax = 2_000_000
const progressEveryMs = 1_000

/** One who reads a run's stream. What he does not fetch is kept up to a bound; who falls behind further is let go. */
export class RunReader implements AsyncIterable<SentEvent> {
  readonly #writer: WireWriter
  readonly #clock: Clock
  readonly #news: RunNews[] = []
  readonly #ready: SentEvent[] = []
  readonly #told = new Map<string, number>()
  readonly #untold = new Map<string, Progress>()
  readonly #onLeave: (reason: 'left' | 'behind') => void
  readonly #onFetch: (count: number) => void
  #characters = 0
  #wake: (() => void) | undefined
  #isOver = false
  #isBehind = false
  #isClosed = false
  #error: unknown
  #fetched = 0
  #hasEnded = false

  constructor(
    writer: WireWriter,
    clock: Clock,
    on: { readonly leave: (reason: 'left' | 'behind') => void; readonly fetch: (count: number) => void },
  ) {
    this.#writer = writer
    this.#clock = clock
    this.#onLeave = on.leave
    this.#onFetch = on.fetch
  }

  /** Hands news over; what the reader has seen already is left out. */
  push(news: RunNews): void {
    if (this.#isClosed || this.#isBehind) return
    if (news.kind === 'event' && news.stored.sequence <= this.#writer.logSequence) return
    if (news.kind === 'text') this.#characters += news.delta.length
    this.#news.push(news)
    if (this.#news.length > behindMax || this.#characters > textCharactersMax) this.#fallBehind()
    this.#ring()
  }

  /** Nothing follows. */
  end(error?: unknown): void {
    this.#isOver = true
    this.#error ??= error
    this.#ring()
  }

  /** The reader goes. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#ring()
    this.#onLeave('left')
  }

  [Symbol.asyncIterator](): AsyncIterator<SentEvent, void, undefined> {
    const over = { done: true as const, value: undefined }
    return {
      next: async () => {
        if (this.#hasEnded) return over
        this.#fetched += 1
        this.#onFetch(this.#fetched)
        const sent = await this.#next()
        this.#hasEnded = sent === undefined || isTerminal(sent.event)
        if (this.#hasEnded) this.close()
        return sent === undefined ? over : { done: false, value: sent }
      },
      // A read that waits is not waited for.
      return: async () => {
        this.#hasEnded = true
        this.close()
        return over
      },
    }
  }

  async #next(): Promise<SentEvent | undefined> {
    for (;;) {
      const sent = this.#ready.shift()
      if (sent !== undefined) return sent
      if (this.#isClosed) return undefined
      const news = this.#news.shift()
      if (news !== undefined) this.#ready.push(...(await this.#written(news)))
      else if (this.#error !== undefined) throw this.#error
      else if (this.#isOver) return undefined
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  async #written(news: RunNews): Promise<readonly SentEvent[]> {
    const now = this.#clock.now()
    switch (news.kind) {
      case 'event': {
        // Another stream may have caught up with the log in the meantime.
        if (news.stored.sequence <= this.#writer.logSequence) return []
        const said = this.#unsaid(news.stored.event)
        return [...said, ...(await this.#writer.write(news.stored))]
      }
      case 'text':
        this.#characters -= news.delta.length
        return this.#writer.text(news, now)
      case 'ask':
        return this.#writer.ask(news.ticket, now)
      case 'progress':
        return this.#progress(news.call, news.progress, now)
    }
  }

  /** At most one a second for each call; the newest of those in between is told when the call ends, if not before. */
  #progress(call: string, progress: Progress, now: number): readonly SentEvent[] {
    const last = this.#told.get(call)
    if (last !== undefined && now - last < progressEveryMs) {
      this.#untold.set(call, progress)
      return []
    }
    this.#told.set(call, now)
    this.#untold.delete(call)
    return [this.#writer.progress(call, progress, now)]
  }

  #unsaid(event: StoredEvent['event']): readonly SentEvent[] {
    if (event.type !== 'call.completed' && event.type !== 'call.failed') return []
    const progress = this.#untold.get(event.call)
    this.#untold.delete(event.call)
    this.#told.delete(event.call)
    if (progress === undefined || Object.keys(progress).length === 0) return []
    return [this.#writer.progress(event.call, progress, this.#clock.now())]
  }

  #fallBehind(): void {
    this.#isBehind = true
    this.#news.length = 0
    this.#error = new HostError('OUTPUT_BUFFER_LIMIT', 'The reader did not keep up with the run.')
    this.#onLeave('behind')
  }

  #ring(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}
