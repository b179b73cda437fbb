import type { Actor, Event } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { TicketState } from '../core/run/state.ts'
import type { Coercion } from '../core/schema/schema.ts'

/** A value that a tool's schema took, and what was converted for it. */
export interface GivenAnswer {
  readonly value: JsonValue
  readonly coerced?: readonly Coercion[]
}

/** The event of an answer. */
export function givenEvent(
  ticket: TicketState,
  { value, coerced = [] }: GivenAnswer,
  by: Actor,
  now: number,
): Event {
  const waitedMs = Math.max(0, now - ticket.requestedAt)
  const converted = coerced.length === 0 ? {} : { coerced }
  return { type: 'input.given', ticket: ticket.id, call: ticket.call, value, ...converted, by, waitedMs }
}
