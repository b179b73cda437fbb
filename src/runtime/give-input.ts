import type { Catalog } from '../core/catalog.ts'
import type { Clock } from '../core/clock.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import { asJson } from '../core/json/as-json.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import type { CallState, SessionState, TicketState } from '../core/run/state.ts'
import { checkSchema } from './check-schema.ts'
import type { Journal } from './journal.ts'
import { openTicketOf } from './tickets.ts'

/** What a value is given with. */
export interface GiveOptions {
  readonly journal: Journal
  /** Knows what the tools ask for. */
  readonly catalog: Catalog
  readonly clock: Clock
  readonly by: Actor
}

/**
 * Gives a tool what it stopped to ask for, from any process. `id` is the ask's, or the call's. The value is checked
 * against the tool's `yieldSchema`; one that does not pass leaves the question open.
 * Errors: TICKET_NOT_FOUND, TICKET_DECIDED with who answered, TICKET_MISMATCH, INVALID_INPUT with every fault.
 */
export async function giveInput(options: GiveOptions, id: string, value: unknown): Promise<void> {
  const { journal, clock, by } = options
  await journal.refresh()
  const ticket = ticketIdOf(journal.state, id)
  const { call } = openInputOf(journal.state, ticket)
  const given = await checkedInput(options, call, value)
  await journal.write((state) => {
    const open = openInputOf(state, ticket)
    return [givenEvent(open.ticket, given, by, clock.now())]
  })
}

/** The event of an answer. */
export function givenEvent(ticket: TicketState, value: JsonValue, by: Actor, now: number): Event {
  const waitedMs = Math.max(0, now - ticket.requestedAt)
  return { type: 'input.given', ticket: ticket.id, call: ticket.call, value, by, waitedMs }
}

/** A question is known by its own id and by its call's. */
function ticketIdOf(state: SessionState, id: string): string {
  return state.calls.get(id)?.ticket ?? id
}

function openInputOf(state: SessionState, id: string): { ticket: TicketState; call: CallState } {
  const open = openTicketOf(state, id)
  if (open.ticket.kind === 'input') return open
  throw new ToolpostError(
    'INVALID_INPUT',
    `The ask "${id}" is for a decision about the call, not for a value; approve or decline it.`,
  )
}

async function checkedInput(
  { catalog, clock }: GiveOptions,
  call: CallState,
  value: unknown,
): Promise<JsonValue> {
  const tool = catalog.find(call.name)
  if (tool !== undefined && tool.version !== call.version) {
    throw new ToolpostError(
      'TICKET_MISMATCH',
      `The tool "${call.name}" has changed since it asked; resume the run, and answer what it asks then.`,
    )
  }
  const schema = tool?.yieldSchema
  if (schema === undefined) {
    throw new ToolpostError(
      'INVALID_INPUT',
      `The tool "${call.name}" is not known here, so that an answer to it cannot be checked.`,
    )
  }
  const json = asJson(value)
  if (json === undefined)
    throw new ToolpostError(
      'INVALID_INPUT',
      `The answer must be JSON; it was not given, and the ask is open: ${whyNotJson(value)}.`,
    )
  // Nobody stops an answer: its check is bounded by time alone.
  const surroundings = { parts: { clock }, signal: new AbortController().signal }
  const checked = await checkSchema(surroundings, schema, json)
  if (checked.ok) return checked.input
  const faults = checked.faults.map(({ message }) => message).join('; ')
  throw new ToolpostError('INVALID_INPUT', `The answer does not pass, and the ask is open: ${faults}`, {
    details: { faults: checked.faults },
  })
}
