import { HostError } from '../../protocol/host-error.ts'
import { type EventPlace, parseEventId } from '../../protocol/stream/event-id.ts'

/** Where a reader was, by the id of the last event that he has seen. Errors: INVALID_REQUEST for a place that is none. */
export function readPlace(lastEventId: string | undefined, logSequence: number): EventPlace | undefined {
  if (lastEventId === undefined) return undefined
  const place = parseEventId(lastEventId)
  if (place !== undefined && place.logSequence <= logSequence) return place
  throw new HostError('INVALID_REQUEST', 'The id of the last event is not one of this run.')
}
