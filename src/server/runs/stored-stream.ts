import type { Session } from '../../agent/session.ts'
import type { Store, StoredEvent } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { isTerminal } from '../../protocol/stream/run-event.ts'
import { LogChanges } from './log-changes.ts'
import { readOutcome } from './read-outcome.ts'
import { readPlace } from './read-place.ts'
import type { RunStream } from './run-stream.ts'
import { shownAsks } from './shown-asks.ts'
import type { WireRun } from './wire-run.ts'
import { type SentEvent, WireWriter } from './wire-writer.ts'

/** A run that nobody drives in this process. */
export interface StoredRun {
  readonly run: WireRun
  readonly session: Session
  readonly store: Store
  /** Whether the host has a word before people: then asks that are open are before them when the log says so. */
  readonly asksHost: boolean
}

/**
 * The stream of a run as its log has it, to the run's end, whoever writes on it. A replay asks nobody and hands nothing
 * out, and is numbered anew. Errors, also later: RUN_NOT_FOUND when the run was removed.
 */
export async function storedStream(
  stored: StoredRun,
  lastEventId: string | undefined,
  isReplay: boolean,
): Promise<RunStream> {
  const { run, session, store } = stored
  const first = await eventsNow(stored)
  const place = readPlace(lastEventId, first)
  const changes = new LogChanges(store)
  const readOutput = (outcome: Parameters<typeof readOutcome>[2]) => readOutcome(store, session.id, outcome)
  const writer = new WireWriter({ run, state: () => session.state, readOutput, isReplay }, place?.sequence)
  if (!stored.asksHost) writer.showOpen()
  async function* sent(): AsyncGenerator<SentEvent, void, undefined> {
    try {
      let events = first
      for (;;) {
        for (const event of events) {
          if (place !== undefined && event.sequence <= place.logSequence) {
            writer.skip(event)
            if (event.sequence === place.logSequence) writer.startAt(place.beyondLog)
            // Who has seen the end has seen all.
            if (event.event.type === 'run.ended') return
            continue
          }
          for (const one of await writer.write(event)) {
            yield one
            if (isTerminal(one.event)) return
          }
        }
        const { state } = session
        const folded = stored.asksHost ? state.runs.get(run.runId) : undefined
        for (const ticket of folded === undefined ? [] : shownAsks(folded))
          yield* writer.ask(ticket, state.tickets.get(ticket)?.requestedAt ?? 0)
        if (changes.isOver || !(await changes.next())) return
        const seen = writer.logSequence
        events = (await eventsNow(stored)).filter(({ sequence }) => sequence > seen)
      }
    } finally {
      changes.stop()
    }
  }
  return { runId: run.runId, [Symbol.asyncIterator]: sent, close: () => changes.stop() }
}

/** Errors: RUN_NOT_FOUND when the run was removed since it was found: nothing more comes of it, and nobody waits for that. */
async function eventsNow({ run, session }: StoredRun): Promise<readonly StoredEvent[]> {
  const events = eventsOf(run.runId, await session.events())
  if (events.length > 0) return events
  throw new HostError('RUN_NOT_FOUND', 'The run was removed while its stream was read.')
}

/** The events of one run in its session's log. */
export function eventsOf(runId: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const first = events.findIndex(({ event }) => event.type === 'run.started' && event.run === runId)
  if (first < 0) return []
  const last = events.findIndex(({ event }) => event.type === 'run.ended' && event.run === runId)
  return events.slice(first, last < 0 ? undefined : last + 1)
}
