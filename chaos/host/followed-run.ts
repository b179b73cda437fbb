import type { RunEvent } from '../../src/host.ts'
import { parseEventId } from '../../src/protocol/stream/event-id.ts'
import { EventStreamParser } from '../../src/protocol/stream/event-stream-parser.ts'
import { isTerminal } from '../../src/protocol/stream/run-event.ts'
import { openStream } from './wire.ts'

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

interface Watcher {
  readonly isIt: (event: RunEvent) => boolean
  readonly tell: (event: RunEvent) => void
}

/** A run as its reader sees it, over as many connections as it takes. What breaks a rule of streams is a fault. */
export class FollowedRun {
  readonly events: RunEvent[] = []
  readonly faults: string[] = []
  readonly #onEvent: (event: RunEvent) => void
  readonly #watchers = new Set<Watcher>()
  #runId: string | undefined
  #lastEventId: string | undefined
  #sequence = 0
  #reading: Promise<void> = Promise.resolve()
  connections = 0

  constructor(onEvent: (event: RunEvent) => void = () => undefined, runId?: string) {
    this.#onEvent = onEvent
    this.#runId = runId
  }

  /** Undefined until the run's first event has come. */
  get runId(): string | undefined {
    return this.#runId
  }

  get end(): RunEvent | undefined {
    return this.events.find(isTerminal)
  }

  /** Reads a stream beside whatever else goes on. */
  read(response: Response): void {
    this.connections += 1
    this.#reading = this.#readAll(response)
  }

  /** Resolves when the connection is gone. */
  async gone(): Promise<void> {
    await this.#reading
  }

  /** Goes on behind the last event that came. */
  async attach(url: string): Promise<void> {
    if (this.#runId === undefined) throw new Error('A run without an id cannot be followed.')
    const path = `/v1/runs/${encodeURIComponent(this.#runId)}/events`
    this.read(await openStream(url, path, { lastEventId: this.#lastEventId }))
  }

  /** The first event of this type that is so, as soon as it is there. */
  async first<Type extends RunEvent['type']>(
    type: Type,
    isSo: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const isIt = (event: RunEvent) => event.type === type && isSo(event as EventOf<Type>)
    const found = this.events.find(isIt)
    if (found !== undefined) return found as EventOf<Type>
    return await new Promise((resolve) => {
      const watcher: Watcher = {
        isIt,
        tell: (event) => {
          this.#watchers.delete(watcher)
          resolve(event as EventOf<Type>)
        },
      }
      this.#watchers.add(watcher)
    })
  }

  async ended(): Promise<RunEvent> {
    return await Promise.race([
      this.first('run.completed'),
      this.first('run.failed'),
      this.first('run.cancelled'),
    ])
  }

  async #readAll(response: Response): Promise<void> {
    const parser = new EventStreamParser()
    try {
      for await (const chunk of response.body ?? []) {
        for (const frame of parser.read(chunk)) this.#take(frame.id ?? '', JSON.parse(frame.data) as RunEvent)
      }
    } catch {
      // The host was killed. Half a frame is left behind, and what was in it comes again.
    }
  }

  #take(id: string, event: RunEvent): void {
    this.#check(id, event)
    this.#runId ??= event.runId
    this.#lastEventId = id
    this.#sequence = event.sequence
    this.events.push(event)
    this.#onEvent(event)
    for (const watcher of [...this.#watchers]) if (watcher.isIt(event)) watcher.tell(event)
  }

  #check(id: string, event: RunEvent): void {
    const { type, sequence } = event
    const fault = (sentence: string) => this.faults.push(`${type} (${id}): ${sentence}`)
    if (sequence !== this.#sequence + 1) fault(`came as ${sequence} behind ${this.#sequence}`)
    if (parseEventId(id)?.sequence !== sequence) fault('has another sequence than its id')
    if ((type === 'run.started') !== (this.events.length === 0)) fault('stands where it must not')
    if (this.end !== undefined) fault('came behind the end of the run')
    if (this.#runId !== undefined && event.runId !== this.#runId) fault('belongs to another run')
  }
}
