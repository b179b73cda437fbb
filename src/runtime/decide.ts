import type { Catalog } from '../core/catalog.ts'
import type { Clock } from '../core/clock.ts'
import { type ParsedDecision, parseDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import type { CheckSurroundings } from './check-schema.ts'
import { validateEdited } from './edited-arguments.ts'
import { expireAsks, writeInTime } from './expire.ts'
import type { Journal } from './journal.ts'
import { type Answered, decideEvents, openTicketOf } from './tickets.ts'
import { unknownTool } from './unknown-tool.ts'
import type { Accepted } from './validator.ts'

/** What an answer is given with. */
export interface DecideOptions {
  readonly journal: Journal
  /** Knows the tools' schemas: without it, arguments cannot be edited. */
  readonly catalog?: Catalog
  readonly clock: Clock
  readonly by: Actor
}

/**
 * Answers an ask, from any process: the ticket is redeemed once, and an answer that does not fit leaves it open.
 * Errors: INVALID_DECISION, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH.
 */
export async function decideTicket(options: DecideOptions, ticket: string, answer: unknown): Promise<void> {
  const parsed = parseDecision(answer)
  if ('fault' in parsed) throw new ToolpostError('INVALID_DECISION', parsed.fault)
  const { decision } = parsed
  const { journal, by, clock } = options
  await journal.refresh()
  await expireAsks(journal, clock.now())
  const edited = await editedArguments(options, ticket, decision)
  await writeAnswer(journal, ticket, { decision, by, ...(edited === undefined ? {} : { edited }) }, clock)
}

/** Redeems a ticket with an answer that was read before. */
export async function writeAnswer(
  journal: Journal,
  ticket: string,
  answered: Answered,
  clock: Clock,
): Promise<void> {
  await writeInTime(journal, clock, (state, now) => decideEvents(state, ticket, answered, now))
}

/** Validates what a person made of the arguments. Errors: INVALID_DECISION with every fault. */
export async function editedArguments(
  options: DecideOptions,
  ticket: string,
  decision: ParsedDecision,
): Promise<Accepted | undefined> {
  if (decision.editedArgs === undefined) return undefined
  const { call } = openTicketOf(options.journal.state, ticket)
  const tool = options.catalog?.find(call.name)
  if (tool === undefined) {
    const why = unknownTool(options.journal.state, call)
    throw new ToolpostError('INVALID_DECISION', `${why} Its arguments cannot be edited; decide without them.`)
  }
  const validated = await validateEdited(surroundingsOf(options), tool, call, decision.editedArgs)
  if ('accepted' in validated) return validated.accepted
  throw new ToolpostError(
    'INVALID_DECISION',
    `The edited arguments do not pass: ${validated.refused.message}`,
  )
}

/** Nobody stops an answer: its check is bounded by time alone. */
function surroundingsOf({ clock }: DecideOptions): CheckSurroundings {
  return { parts: { clock }, signal: new AbortController().signal }
}
