import type { Session } from '../../agent/session.ts'
import type { Store, StoredEvent } from '../../core/store.ts'
import { isTerminal } from '../../protocol/stream/run-event.ts'
import { LogChanges } from './log-changes.ts'
import { readOutcome } from './read-outcome.ts'
import { readPlace } from './read-place.ts'
import type { RunStream } from './run-stream.ts'
import type { WireRun } from './wire-run.ts'
import { type SentEvent, WireWriter } from './wire-writer.ts'

/** A run that nobody drives in this process. */
export interface StoredRun {
  readonly run: WireRun
  readonly session: Session
  readonly store: Store
  /** Whether the host has a word before people: then asks that are open may not be before them yet. */
  readonly asksHost: boolean
}

/**
 * The stream of a run as its log has it, to the run's end, whoever writes on it. A replay asks nobody and hands nothing
 * out, and is numbered anew.
 */
export async function storedStream(
  stored: StoredRun,
  lastEventId: string | undefined,
  isReplay: boolean,
): Promise<RunStream> {
  const { run, session, store } = stored
  const first = await session.events()
  const place = readPlace(lastEventId, session.state.sequence)
  const changes = new LogChanges(store)
  const readOutput = (outcome: Parameters<typeof readOutcome>[2]) => readOutcome(store, session.id, outcome)
  const writer = new WireWriter({ run, state: () => session.state, readOutput, isReplay }, place?.sequence)
  if (!stored.asksHost) writer.showOpen()
  async function* sent(): AsyncGenerator<SentEvent, void, undefined> {
    try {
      let events = eventsOf(run.runId, first)
      for (;;) {
        for (const event of events) {
          if (place !== undefined && event.sequence <= place.logSequence) {
            writer.skip(event)
            if (event.sequence === place.logSequence) writer.startAt(place.beyondLog)
            continue
          }
          for (const one of await writer.write(event)) {
            yield one
            if (isTerminal(one.event)) return
          }
        }
        if (changes.isOver || !(await changes.next())) return
        const seen = writer.logSequence
        events = eventsOf(run.runId, await session.events()).filter(({ sequence }) => sequence > seen)
      }
    } finally {
      changes.stop()
    }
  }
  return { runId: run.runId, [Symbol.asyncIterator]: sent, close: () => changes.stop() }
}

/** The events of one run in its session's log. */
export function eventsOf(runId: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const first = events.findIndex(({ event }) => event.type === 'run.started' && event.run === runId)
  if (first < 0) return []
  const last = events.findIndex(({ event }) => event.type === 'run.ended' && event.run === runId)
  return events.slice(first, last < 0 ? undefined : last + 1)
}
