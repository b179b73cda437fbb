import type { StoredEvent } from '../../core/store.ts'
import { type LoggedEvent, loggedEvents } from '../logged-event.ts'
import type { Cassette } from './cassette.ts'

/** Reads the log of a session; nothing of it where there is none. */
export type ReadLog = (session: string) => Promise<readonly StoredEvent[]>

/** Makes a cassette of the log of a child's session. */
type RecordChild = (events: readonly LoggedEvent[]) => Promise<Cassette>

/** The recordings of the sessions that the calls of a log started, by their ids; those whose log is not there are left out. */
export async function childRecordings(
  events: readonly LoggedEvent[],
  read: ReadLog | undefined,
  record: RecordChild,
): Promise<ReadonlyMap<string, Cassette>> {
  const recordings = new Map<string, Cassette>()
  for (const event of read === undefined ? [] : events) {
    if (event.type !== 'child.started') continue
    const log = (await read?.(event.session)) ?? []
    if (log.length > 0) recordings.set(event.session, await record(loggedEvents(log)))
  }
  return recordings
}
