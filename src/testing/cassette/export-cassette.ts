import type { RunEvent } from '../../agent/run-event.ts'
import type { Session } from '../../agent/session.ts'
import { ToolpostError } from '../../core/error.ts'
import type { CallOutcome, Event, EventOf } from '../../core/event.ts'
import type { Store, StoredEvent } from '../../core/store.ts'
import { sessionStream } from '../../runtime/journal.ts'
import { asStreamed, type LoggedEvent } from '../logged-event.ts'
import type { Cassette } from './cassette.ts'
import { parseCassette } from './parse-cassette.ts'
import { Recorder } from './recorder.ts'
import { type Redact, redacted } from './redacted.ts'

/** How a session is exported. */
export interface ExportOptions {
  /** The last run that is wanted: what comes after its end is left out. What came before stays: the run stands on it. */
  readonly run?: string
  /** The session's store, which keeps the results that were too large for the conversation. */
  readonly store?: Store
  /**
   * Asked for every text, number and boolean of the cassette, with its place as a JSON pointer; what it gives stands
   * there instead. Arguments that it changed are not compared in a replay.
   */
  readonly redact?: Redact
}

/** What a cassette is made from: a session, or its whole log as it is stored or streamed. */
export type CassetteSource = Session | readonly (StoredEvent | RunEvent)[]

/**
 * Exports a session as a cassette, from its log alone. A run that waits is exported as far as it came.
 *
 * Errors: INVALID_ARGUMENT when the log does not begin with the session's first event, when it has large results and
 * no store was given, or when `redact` made something of it that is no cassette; RUN_NOT_FOUND.
 *
 * @example
 * const cassette = await exportCassette(session)
 * writeFileSync('refund.json', JSON.stringify(cassette))
 */
export async function exportCassette(source: CassetteSource, options: ExportOptions = {}): Promise<Cassette> {
  const events = await eventsOf(source)
  const kept = options.run === undefined ? events : untilEndOf(events, options.run)
  const { session } = firstOf(kept)
  const cassette = recordedFrom(
    kept,
    await largeTexts(kept, (handle) => storedText(options.store, session, handle)),
  )
  return options.redact === undefined ? cassette : parseCassette(redacted(cassette, options.redact))
}

/** The cassette of a log whose large results are known. Errors: INVALID_ARGUMENT. */
export function recordedFrom(events: readonly LoggedEvent[], texts: ReadonlyMap<string, string>): Cassette {
  const recorder = new Recorder(firstOf(events), texts)
  for (const event of events) recorder.add(event, event.at)
  return recorder.cassette
}

function firstOf([first]: readonly LoggedEvent[]): EventOf<'session.started'> {
  if (first?.type === 'session.started') return first
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    "A cassette is made from a session's whole log, which begins with session.started; pass the session, or all of its events.",
  )
}

async function eventsOf(source: CassetteSource): Promise<readonly LoggedEvent[]> {
  const given = 'events' in source ? await source.events() : source
  // Deltas stand in a stream between the events, and have no place in the log.
  return given.map(asStreamed).filter((event): event is LoggedEvent => 'sequence' in event)
}

function untilEndOf(events: readonly LoggedEvent[], run: string): readonly LoggedEvent[] {
  const isOfRun = (event: Event) => 'run' in event && event.run === run
  if (!events.some((event) => event.type === 'run.started' && isOfRun(event)))
    throw new ToolpostError('RUN_NOT_FOUND', `The session has no run "${run}".`)
  const end = events.findIndex((event) => event.type === 'run.ended' && isOfRun(event))
  return end === -1 ? events : events.slice(0, end + 1)
}

/** The whole of each large result of a log, by its handle. */
export async function largeTexts(
  events: readonly LoggedEvent[],
  read: (handle: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const handle of events.flatMap(handleIn)) {
    if (!texts.has(handle)) texts.set(handle, await read(handle))
  }
  return texts
}

function handleIn(event: Event): string[] {
  const outcome: CallOutcome | undefined = 'outcome' in event ? event.outcome : undefined
  return outcome?.status === 'completed' && 'blob' in outcome.text ? [outcome.text.blob] : []
}

async function storedText(store: Store | undefined, session: string, handle: string): Promise<string> {
  if (store === undefined) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The session has a result that was too large for its log (${handle}); pass its store: exportCassette(session, { store }).`,
    )
  }
  const bytes = await store.getBlob(sessionStream(session), handle)
  if (bytes !== undefined) return new TextDecoder().decode(bytes)
  throw new ToolpostError('INVALID_ARGUMENT', `The store does not hold the result ${handle} of "${session}".`)
}
