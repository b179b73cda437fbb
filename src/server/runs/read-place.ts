import type { StoredEvent } from '../../core/store.ts'
import { HostError } from '../../protocol/host-error.ts'
import { type EventPlace, parseEventId } from '../../protocol/stream/event-id.ts'

/**
 * Where a reader was, by the id of the last event that he has seen, among the run's own events. A number is checked as
 * far as the log knows it, since progress and pieces of text are counted and not logged.
 * Errors: INVALID_REQUEST for a place that is none of this run.
 */
export function readPlace(
  lastEventId: string | undefined,
  events: readonly StoredEvent[],
): EventPlace | undefined {
  if (lastEventId === undefined) return undefined
  const place = parseEventId(lastEventId)
  if (place !== undefined && isPlaceAmong(events, place)) return place
  throw new HostError('INVALID_REQUEST', 'The id of the last event is not one of this run.')
}

function isPlaceAmong(
  events: readonly StoredEvent[],
  { sequence, logSequence, beyondLog }: EventPlace,
): boolean {
  const seen = events.filter((event) => event.sequence <= logSequence)
  const last = seen.at(-1)
  if (last?.sequence !== logSequence) return false
  if (last.event.type === 'run.ended') return beyondLog === 0
  const asks = openAsks(seen)
  if (asks > 0 && beyondLog >= 2 ** asks) return false
  // At first there are the beginning, the step, and its text: at least one letter a piece.
  return !seen.every(isBeginning) || sequence <= 1 + beyondLog
}

function isBeginning({ event }: StoredEvent): boolean {
  return event.type === 'run.started' || (event.type === 'message.added' && event.message.role === 'user')
}

/** How many asks were open behind these events. */
function openAsks(events: readonly StoredEvent[]): number {
  const open = new Set<string>()
  for (const { event } of events) {
    if (event.type === 'approval.requested') open.add(event.ticket)
    if (event.type === 'approval.decided') open.delete(event.ticket)
  }
  return open.size
}
