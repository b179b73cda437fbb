import type { RunEvent as AgentRunEvent } from '../../agent/run-event.ts'
import type { RunResult as AgentRunResult } from '../../agent/run-result.ts'
import type { Session } from '../../agent/session.ts'
import type { Clock } from '../../core/clock.ts'
import { isToolpostError, ToolpostError } from '../../core/error.ts'
import { limits } from '../../core/limits.ts'
import { messageOf } from '../../core/message-of.ts'
import type { Store, StoredEvent } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { readOutcome } from './read-outcome.ts'
import { readPlace } from './read-place.ts'
import { type RunNews, RunReader } from './run-reader.ts'
import { eventsOf } from './stored-stream.ts'
import type { WireRun } from './wire-run.ts'
import { type TextPiece, WireWriter } from './wire-writer.ts'

type AgentStream = AsyncGenerator<AgentRunEvent, AgentRunResult, undefined>

/** What a run in this process is made of. */
export interface LiveParts {
  readonly run: WireRun
  readonly session: Session
  readonly store: Store
  readonly clock: Clock
  /** Called with everything that happens, before readers are told. */
  readonly onNews: (news: RunNews) => void
}

/** A run that this process drives, and those who read its stream. */
export class LiveRun {
  readonly run: WireRun
  readonly session: Session
  readonly #parts: LiveParts
  readonly #readers = new Set<RunReader>()
  readonly #watchers = new Set<() => void>()
  readonly #stop = new AbortController()
  readonly #begun = Promise.withResolvers<void>()
  /** Asks that are before people. */
  readonly #shown = new Set<string>()
  /** The step that is being written, and its text. */
  #step: number
  #text = ''
  #isOver = false
  #endedBy: unknown
  #done: Promise<void> = Promise.resolve()

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.run = parts.run
    this.session = parts.session
    this.#step = (parts.session.state.runs.get(parts.run.runId)?.step ?? 0) + 1
  }

  /** Whether nothing of the run happens in this process any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Aborts when the run has to be stopped. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Resolves when the first reader has seen the beginning: until then the model is not asked. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Resolves when nothing of the run is in this process any more. Never rejects. */
  get done(): Promise<void> {
    return this.#done
  }

  /** Nobody is waited for. */
  begin(): void {
    this.#begun.resolve()
  }

  /** Takes what the session gives, to its end; `first` has been taken out of it. */
  follow(stream: AgentStream, first?: AgentRunEvent): void {
    if (first !== undefined) this.#take(first)
    this.#done = this.#pump(stream).then(
      () => this.#end(undefined),
      (error: unknown) => this.#end(asHostError(error)),
    )
  }

  /** The same for a run that an earlier process may still seem to own: it is waited for as long as its lease says. */
  followWhenFree(open: () => AgentStream): void {
    const tryOften = async (): Promise<void> => {
      for (;;) {
        try {
          return await this.#pump(open())
        } catch (error) {
          if (!isToolpostError(error) || error.code !== 'SESSION_BUSY') throw error
          const waitMs = Math.max(1, Number(error.details.expiresAt) - this.#parts.clock.now())
          await this.#parts.clock.sleep(Number.isFinite(waitMs) ? waitMs : limits.leaseMs, this.signal)
        }
      }
    }
    this.#done = tryOften().then(
      () => this.#end(undefined),
      (error: unknown) => this.#end(asHostError(error)),
    )
  }

  /** Whether anybody reads its stream. */
  get isRead(): boolean {
    return this.#readers.size > 0
  }

  /** Lets the run rest in the store, as soon as nothing of it is at work in this process, or when there is no more time. */
  async rest(noMoreTime: AbortSignal): Promise<void> {
    const leave = () =>
      this.#stop.abort(new ToolpostError('LEASE_LOST', 'The host is closing; the run rests.'))
    const isAtWork = () => {
      const { calls, runs } = this.session.state
      const run = runs.get(this.run.runId)
      const isEntered = [...calls.values()].some(({ status }) => status === 'started')
      // Who waits for nobody waits for the model.
      return isEntered || (run?.ended === undefined && run?.openTickets.length === 0)
    }
    const unlisten = this.#onAny(() => {
      if (!isAtWork()) leave()
    })
    noMoreTime.addEventListener('abort', leave, { once: true })
    if (!isAtWork() || noMoreTime.aborted) leave()
    await this.#done
    unlisten()
    noMoreTime.removeEventListener('abort', leave)
  }

  /** Stops the run; its end says the sentence. */
  cancel(sentence: string): void {
    this.#stop.abort(new Error(sentence))
    this.begin()
  }

  /** An ask goes before people. */
  show(ticket: string): void {
    if (this.#shown.has(ticket)) return
    this.#shown.add(ticket)
    this.#tell({ kind: 'ask', ticket })
  }

  /** Whether an ask is before people: one that the host itself may still refuse is not. */
  isShown(ticket: string): boolean {
    return this.#shown.has(ticket)
  }

  /** A reader of the whole stream, from its beginning; with an id, of what comes behind the event of this id. */
  async read(
    lastEventId: string | undefined,
    onLeave: (reason: 'left' | 'behind') => void,
  ): Promise<RunReader> {
    const place = lastEventId === undefined ? undefined : readPlace(lastEventId, await this.#ownEvents())
    const writer = this.#writer(place?.sequence ?? 0)
    const reader: RunReader = new RunReader(writer, this.#parts.clock, {
      leave: (reason) => {
        this.#readers.delete(reader)
        onLeave(reason)
      },
      // Whoever fetches a second event has seen the first.
      fetch: (count) => {
        if (count > 1) this.begin()
      },
    })
    // From here on nothing new is missed; what the log has already is put before it.
    this.#readers.add(reader)
    const held: RunNews[] = []
    const push = reader.push.bind(reader)
    reader.push = (news) => held.push(news)
    const written: TextPiece = { delta: this.#text, step: this.#step, offset: 0 }
    for (const stored of await this.#ownEvents()) {
      if (place !== undefined && stored.sequence <= place.logSequence) writer.skip(stored)
      else push({ kind: 'event', stored })
    }
    if (place !== undefined) writer.startAt(place.beyondLog)
    reader.push = push
    for (const ticket of this.#shown) push({ kind: 'ask', ticket })
    if (written.delta !== '') push({ kind: 'text', ...written })
    for (const news of held) push(news)
    // It may have ended while the log was looked at.
    if (this.#isOver) reader.end(this.#endedBy)
    return reader
  }

  async #ownEvents(): Promise<readonly StoredEvent[]> {
    return eventsOf(this.run.runId, await this.session.events())
  }

  #writer(sequence: number): WireWriter {
    const { run, session, store } = this.#parts
    return new WireWriter(
      { run, state: () => session.state, readOutput: (outcome) => readOutcome(store, session.id, outcome) },
      sequence,
    )
  }

  async #pump(stream: AgentStream): Promise<void> {
    let next = await stream.next()
    while (next.done !== true) {
      this.#take(next.value)
      next = await stream.next()
    }
  }

  #take(event: AgentRunEvent): void {
    if (event.type === 'text.delta') {
      const offset = this.#text.length
      this.#text += event.delta
      this.#tell({ kind: 'text', delta: event.delta, step: this.#step, offset })
    } else if (event.type === 'call.progressed') {
      this.#tell({ kind: 'progress', call: event.call, progress: event.progress })
    } else if ('sequence' in event) {
      const { sequence, at, ...fact } = event
      if (fact.type === 'message.added' && fact.message.role === 'assistant') {
        this.#text = ''
        this.#step = fact.message.step + 1
      }
      if (fact.type === 'approval.decided') this.#shown.delete(fact.ticket)
      this.#tell({ kind: 'event', stored: { event: fact, sequence, at } })
    }
  }

  #tell(news: RunNews): void {
    this.#parts.onNews(news)
    for (const reader of [...this.#readers]) reader.push(news)
    for (const watcher of [...this.#watchers]) watcher()
  }

  #onAny(listener: () => void): () => void {
    this.#watchers.add(listener)
    return () => this.#watchers.delete(listener)
  }

  #end(error: unknown): void {
    this.#isOver = true
    this.#endedBy = error
    this.begin()
    for (const reader of [...this.#readers]) reader.end(error)
  }
}

function asHostError(error: unknown): unknown {
  if (!isToolpostError(error)) return new HostError('INTERNAL_ERROR', undefined, { cause: error })
  if (error.code === 'LEASE_LOST') return new HostError('HOST_SHUTTING_DOWN', error.message, { cause: error })
  if (error.code === 'SESSION_BUSY') return new HostError('SESSION_BUSY', error.message, { cause: error })
  return new HostError('INTERNAL_ERROR', messageOf(error), { cause: error })
}
