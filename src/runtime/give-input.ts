import type { Catalog } from '../core/catalog.ts'
import type { Clock } from '../core/clock.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import { asJson } from '../core/json/as-json.ts'
import { bytesOf } from '../core/json/bytes-of.ts'
import type { JsonValue } from '../core/json/value.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { limits } from '../core/limits.ts'
import type { CallState, SessionState, TicketState } from '../core/run/state.ts'
import { checkSchema } from './check-schema.ts'
import { expireAsks, writeInTime } from './expire.ts'
import { type GivenAnswer, givenEvent } from './given-event.ts'
import type { Journal } from './journal.ts'
import { noAsk, openTicketOf } from './tickets.ts'
import { unknownTool } from './unknown-tool.ts'

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
  await expireAsks(journal, clock.now())
  const ticket = ticketIdOf(journal.state, id)
  const { call } = openInputOf(journal.state, ticket)
  const given = await checkedInput(options, call, value)
  await writeInTime(journal, clock, (state, now) => {
    const open = openInputOf(state, ticket)
    return [givenEvent(open.ticket, given, by, now)]
  })
}

/** A question is known by its own id and by its call's. */
function ticketIdOf(state: SessionState, id: string): string {
  const call = state.calls.get(id)
  return call?.execution?.ticket ?? call?.ticket ?? id
}

function openInputOf(state: SessionState, id: string): { ticket: TicketState; call: CallState } {
  if (state.tickets.get(id)?.kind === 'execution')
    throw new ToolpostError('INVALID_INPUT', noAsk(id, 'answered'))
  const open = openTicketOf(state, id)
  if (open.ticket.kind === 'input') return open
  throw new ToolpostError(
    'INVALID_INPUT',
    `The ask "${id}" is for a decision about the call, not for a value; approve or decline it.`,
  )
}

async function checkedInput(
  { journal, catalog, clock }: GiveOptions,
  call: CallState,
  value: unknown,
): Promise<GivenAnswer> {
  const tool = catalog.find(call.name)
  if (tool !== undefined && tool.version !== call.version) {
    throw new ToolpostError(
      'TICKET_MISMATCH',
      `The tool "${call.name}" has changed since it asked; resume the run, and answer what it asks then.`,
    )
  }
  const schema = tool?.yieldSchema
  if (schema === undefined) {
    const why = unknownTool(journal.state, call)
    throw new ToolpostError('INVALID_INPUT', `${why} An answer to it cannot be checked, and the ask is open.`)
  }
  const json = asJson(value)
  if (json === undefined)
    throw new ToolpostError(
      'INVALID_INPUT',
      `The answer must be JSON; it was not given, and the ask is open: ${whyNotJson(value)}.`,
    )
  refuseLarge(json)
  // Nobody stops an answer: its check is bounded by time alone.
  const surroundings = { parts: { clock }, signal: new AbortController().signal }
  const checked = await checkSchema(surroundings, schema, json)
  if (checked.ok) {
    // A schema may give more than it was given.
    refuseLarge(checked.input)
    return { value: checked.input, coerced: checked.coerced }
  }
  const faults = checked.faults.map(({ message }) => message).join('; ')
  throw new ToolpostError('INVALID_INPUT', `The answer does not pass, and the ask is open: ${faults}`, {
    details: { faults: checked.faults },
  })
}

function refuseLarge(answer: JsonValue): void {
  const bytes = bytesOf(answer)
  if (bytes <= limits.answerBytesMax) return
  throw new ToolpostError(
    'INVALID_INPUT',
    `The answer has ${bytes} bytes as JSON, and at most ${limits.answerBytesMax} are taken; it was not given, and the ask is open.`,
    { details: { bytes, bytesMax: limits.answerBytesMax } },
  )
}
