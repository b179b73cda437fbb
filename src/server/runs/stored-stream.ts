import type { Session } from '../../agent/session.ts'
import type { Store, StoredEvent } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { parseEventId } from '../../protocol/stream/event-id.ts'
import { readOutcome } from './read-outcome.ts'
import type { RunStream } from './run-stream.ts'
import type { WireRun } from './wire-run.ts'
import { type SentEvent, WireWriter } from './wire-writer.ts'

/** A run that nobody drives in this process. */
export interface StoredRun {
  readonly run: WireRun
  readonly session: Session
  readonly store: Store
}

/**
 * The stream of a run as its log has it: of one that has ended, to its end. A replay asks nobody and hands nothing out,
 * and is numbered anew.
 */
export async function storedStream(
  { run, session, store }: StoredRun,
  lastEventId: string | undefined,
  isReplay: boolean,
): Promise<RunStream> {
  const place = lastEventId === undefined ? undefined : parseEventId(lastEventId)
  if (lastEventId !== undefined && place === undefined)
    throw new HostError('INVALID_REQUEST', 'The id of the last event is not one of this host.')
  const events = eventsOf(run.runId, await session.events())
  const readOutput = (outcome: Parameters<typeof readOutcome>[2]) => readOutcome(store, session.id, outcome)
  const writer = new WireWriter({ run, state: () => session.state, readOutput, isReplay }, place?.sequence)
  async function* sent(): AsyncGenerator<SentEvent, void, undefined> {
    for (const stored of events) {
      if (place !== undefined && stored.sequence <= place.logSequence) {
        writer.skip(stored)
        if (stored.sequence === place.logSequence) writer.startAt(place.beyondLog)
      } else yield* await writer.write(stored)
    }
  }
  return { runId: run.runId, [Symbol.asyncIterator]: sent, close: () => undefined }
}

/** The events of one run in its session's log. */
export function eventsOf(runId: string, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const first = events.findIndex(({ event }) => event.type === 'run.started' && event.run === runId)
  if (first < 0) return []
  const last = events.findIndex(({ event }) => event.type === 'run.ended' && event.run === runId)
  return events.slice(first, last < 0 ? undefined : last + 1)
}
