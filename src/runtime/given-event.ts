import type { Actor, Event } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { TicketState } from '../core/run/state.ts'

/** The event of an answer. */
export function givenEvent(ticket: TicketState, value: JsonValue, by: Actor, now: number): Event {
  const waitedMs = Math.max(0, now - ticket.requestedAt)
  return { type: 'input.given', ticket: ticket.id, call: ticket.call, value, by, waitedMs }
}
