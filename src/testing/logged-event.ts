import type { ChildEvent, RunEvent } from '../agent/run-event.ts'
import type { Event } from '../core/event.ts'
import type { StoredEvent } from '../core/store.ts'

/** An event with its place in the log: the sequence from 1, and milliseconds since 1970. */
export type LoggedEvent = Event & { readonly sequence: number; readonly at: number }

/** Stored events as a stream gives them. */
export function loggedEvents(stored: readonly StoredEvent[]): LoggedEvent[] {
  return stored.map(({ event, sequence, at }) => ({ ...event, sequence, at }))
}

/** An event in whatever form it is handed over: as it is stored, or as it is streamed. */
export type GivenEvent = StoredEvent | RunEvent | ChildEvent

/** The events of the session itself, as its stream gives them: those of the runs below have logs of their own. */
export function ownEvents(events: readonly GivenEvent[]): RunEvent[] {
  return events.flatMap((event) =>
    'type' in event && event.type === 'child.event' ? [] : [asStreamed(event)],
  )
}

function asStreamed(event: StoredEvent | RunEvent): RunEvent {
  if (!('event' in event)) return event
  return { ...event.event, sequence: event.sequence, at: event.at }
}
