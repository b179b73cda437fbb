import { eventsBelow, type Session } from '../../agent/session.ts'
import { ToolpostError } from '../../core/error.ts'
import type { CallOutcome, Event, EventOf } from '../../core/event.ts'
import { named } from '../../core/json/named.ts'
import { checkOptions, isRecord } from '../../core/known-keys.ts'
import type { Store } from '../../core/store.ts'
import { sessionStream } from '../../runtime/journal.ts'
import { type GivenEvent, type LoggedEvent, ownEvents } from '../logged-event.ts'
import { refuseArgument } from '../refuse-argument.ts'
import type { Cassette } from './cassette.ts'
import { childRecordings, type ReadLog } from './child-recordings.ts'
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

const optionKeys: readonly (keyof ExportOptions)[] = ['run', 'store', 'redact']

/** What a cassette is made from: a session, or its whole log as it is stored or streamed. */
export type CassetteSource = Session | readonly GivenEvent[]

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
  checkOptions(options, optionKeys, 'exportCassette()')
  if (options.redact !== undefined && typeof options.redact !== 'function')
    refuseArgument('"redact" of exportCassette() must be a function.')
  const events = await eventsOf(source)
  const kept = options.run === undefined ? events : untilEndOf(events, options.run)
  const cassette = await cassetteOf(kept, options.store, logsOf(source, options.store))
  return options.redact === undefined ? cassette : parseCassette(redacted(cassette, options.redact))
}

/** A log as a cassette, with those of the sessions that its calls started. */
async function cassetteOf(
  events: readonly LoggedEvent[],
  store: Store | undefined,
  read: ReadLog | undefined,
): Promise<Cassette> {
  const { session } = firstOf(events)
  const texts = await largeTexts(events, (handle) => storedText(store, session, handle))
  const below = await childRecordings(events, read, (log) => cassetteOf(log, store, read))
  return recordedFrom(events, texts, below)
}

/** How the logs of child runs are read: by the session, or from its store; without either they are left out. */
function logsOf(source: CassetteSource, store: Store | undefined): ReadLog | undefined {
  if (store !== undefined) return (session) => store.read(sessionStream(session))
  return isLive(source) ? (session) => source[eventsBelow](session) : undefined
}

function isLive(source: CassetteSource): source is Session {
  return eventsBelow in source
}

/** The cassette of a log whose large results and child runs are known. Errors: INVALID_ARGUMENT. */
export function recordedFrom(
  events: readonly LoggedEvent[],
  texts: ReadonlyMap<string, string>,
  below: ReadonlyMap<string, Cassette> = new Map(),
): Cassette {
  const recorder = new Recorder(firstOf(events), texts, below)
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
  const isSession = isRecord(source) && typeof source.events === 'function'
  if (!isSession && !Array.isArray(source))
    refuseArgument('exportCassette() takes a session, or the list of all of its events.')
  const given = isSession ? await (source as Session).events() : (source as readonly GivenEvent[])
  // Deltas stand in a stream between the events, and have no place in the log.
  return ownEvents(given).filter((event): event is LoggedEvent => 'sequence' in event)
}

function untilEndOf(events: readonly LoggedEvent[], run: string): readonly LoggedEvent[] {
  const isOfRun = (event: Event) => 'run' in event && event.run === run
  if (!events.some((event) => event.type === 'run.started' && isOfRun(event)))
    throw new ToolpostError('RUN_NOT_FOUND', `The session has no run ${named(run)}.`)
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
