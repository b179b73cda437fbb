import type { ParsedDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import { named } from '../core/json/named.ts'
import type { Decision } from '../core/policy/evaluate.ts'
import type { LayerEntry } from '../core/policy/layers.ts'
import type { CallState, SessionState, TicketState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'
import { recorded } from './judge.ts'
import type { Task } from './task.ts'
import type { Accepted } from './validator.ts'

/** The event that opens an ask: bound to session, run, call and the digest of what would run. */
export function askEvent(task: Task, call: string, digest: string, decision: Decision): Event {
  const { toolClass, qualities } = decision
  return {
    type: 'approval.requested',
    ticket: task.parts.ids.next('ask'),
    call,
    digest,
    toolClass,
    decision: recorded(decision),
    remember: qualities.remember,
    ...expiry(task, task.askExpiryMs),
  }
}

/** The event that asks a person for what the tool needs. */
export function inputEvent(task: Task, tool: Tool, call: CallState, decision: Decision): Event {
  const { yieldTimeoutMs, yieldDefault } = tool
  return {
    type: 'input.requested',
    ticket: task.parts.ids.next('ask'),
    call: call.id,
    digest: call.digest as string,
    toolClass: decision.toolClass,
    decision: recorded(decision),
    ...expiry(task, yieldTimeoutMs),
    ...(yieldDefault === undefined ? {} : { default: yieldDefault.value }),
  }
}

function expiry({ parts }: Task, afterMs: number | undefined): { expiresAt?: number } {
  return afterMs === undefined ? {} : { expiresAt: Math.min(lastTime, parts.clock.now() + afterMs) }
}

/** The last time that a date can be (ECMA-262, time values): what would run out later never does. */
const lastTime = 8.64e15

/** The open ticket of this id. Errors: TICKET_NOT_FOUND; TICKET_DECIDED with who answered and when. */
export function openTicketOf(state: SessionState, id: string): { ticket: TicketState; call: CallState } {
  const ticket = state.tickets.get(id)
  const call = ticket && state.calls.get(ticket.call)
  if (ticket === undefined || call === undefined) {
    throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask ${named(id)}.`)
  }
  if (ticket.decided !== undefined) throw decidedAlready(ticket)
  return { ticket, call }
}

/** Why an execution's ticket is not answered like an ask. */
export function noAsk(id: string, what: string): string {
  return `The ticket "${id}" is not for an ask: the call was handed out, and whoever carries it gives its outcome; it cannot be ${what}.`
}

function decidedAlready(ticket: TicketState): ToolpostError {
  const { kind } = ticket
  const { approved, by, at, category } = ticket.decided as NonNullable<TicketState['decided']>
  const what = !approved ? 'declined' : kind === 'input' ? 'answered' : 'approved'
  const when = new Date(at).toISOString()
  const isOver = by.method === 'expiry' && category === 'cancelled'
  return new ToolpostError(
    'TICKET_DECIDED',
    `The ask "${ticket.id}" was already ${what} by ${by.id} (${by.method}) at ${when}${isOver ? ": the run's time is over" : ''}.`,
    { details: { ticket: ticket.id, kind, approved, by, at } },
  )
}

/** What an answer writes beside the decision itself. */
export interface Answered {
  readonly decision: ParsedDecision
  readonly by: Actor
  /** Set when the refusal is not a person's no. */
  readonly category?: string
  /** The edited arguments, validated. */
  readonly edited?: Accepted
}

/**
 * The events that redeem a ticket: once, atomically, with the refusal when it is a no.
 * Errors: TICKET_NOT_FOUND, TICKET_DECIDED; TICKET_MISMATCH when the answer was given to other arguments.
 */
export function decideEvents(state: SessionState, id: string, answered: Answered, now: number): Event[] {
  if (state.tickets.get(id)?.kind === 'execution')
    throw new ToolpostError('INVALID_DECISION', noAsk(id, 'decided about'))
  const { ticket, call } = openTicketOf(state, id)
  const { decision, by, category, edited } = answered
  if (ticket.kind === 'input') return declineInput(ticket, call, answered, now)
  if (decision.digest !== undefined && decision.digest !== ticket.digest) {
    throw new ToolpostError(
      'TICKET_MISMATCH',
      `The ask "${id}" is about other arguments than those answered; look again.`,
    )
  }
  const events: Event[] = []
  if (edited !== undefined && edited.digest !== ticket.digest) {
    const { digest: to, args, coerced } = edited
    const facts = { ticket: id, call: call.id, from: ticket.digest, to, args, by }
    events.push({ type: 'approval.edited', ...facts, ...(coerced === undefined ? {} : { coerced }) })
  }
  const mayRemember = ticket.remember !== 'none' || !decision.approved
  const scope = decision.scope === 'session' && mayRemember ? 'session' : 'once'
  const covered = scope === 'session' ? openAsksLike(state, ticket, call) : []
  events.push({
    type: 'approval.decided',
    ticket: id,
    call: call.id,
    approved: decision.approved,
    scope,
    by,
    waitedMs: Math.max(0, now - ticket.requestedAt),
    ...(scope === decision.scope ? {} : { wished: decision.scope as 'session' }),
    ...(decision.reason === undefined ? {} : { reason: decision.reason }),
    ...(category === undefined ? {} : { category }),
  })
  if (!decision.approved) events.push(declined(call, decision.reason, category))
  return [...events, ...covered.flatMap((other) => coveredEvents(other, answered, now))]
}

/** A question can be declined like an ask; what it asks for is given by an answer. */
function declineInput(ticket: TicketState, call: CallState, answered: Answered, now: number): Event[] {
  const { decision, by, category } = answered
  const { approved, reason } = decision
  if (approved) {
    throw new ToolpostError(
      'INVALID_DECISION',
      `The ask "${ticket.id}" is for a value that the tool "${call.name}" needs; answer it with one, or decline it.`,
    )
  }
  const waitedMs = Math.max(0, now - ticket.requestedAt)
  const because = reason === undefined ? {} : { reason }
  const kind = category === undefined ? {} : { category }
  return [
    { type: 'input.declined', ticket: ticket.id, call: call.id, by, waitedMs, ...because, ...kind },
    declined(call, reason, category),
  ]
}

/** The other open asks of the session that an answer for the session is about as well. */
function openAsksLike(state: SessionState, ticket: TicketState, call: CallState): Answerable[] {
  const found: Answerable[] = []
  for (const id of state.runs.get(ticket.run)?.openTickets ?? []) {
    const other = state.tickets.get(id)
    const asking = other && state.calls.get(other.call)
    if (other?.kind !== 'approval' || asking === undefined || id === ticket.id) continue
    const isLike = asking.name === call.name && asking.version === call.version
    if (isLike && other.toolClass === ticket.toolClass && other.remember !== 'none')
      found.push({ ticket: other, call: asking })
  }
  return found
}

interface Answerable {
  readonly ticket: TicketState
  readonly call: CallState
}

function coveredEvents({ ticket, call }: Answerable, { decision, by }: Answered, now: number): Event[] {
  const { approved, reason } = decision
  const waitedMs = Math.max(0, now - ticket.requestedAt)
  const because = reason === undefined ? {} : { reason }
  const facts = { approved, scope: 'once', by, waitedMs, ...because } as const
  const decided: Event = { type: 'approval.decided', ticket: ticket.id, call: call.id, ...facts }
  return approved ? [decided] : [decided, declined(call, reason, undefined)]
}

const whoDeclined: Readonly<Record<string, string>> = {
  no_handler: 'Nobody is there to approve calls, so this one was declined.',
  expired: 'Nobody answered in time, so the call was declined.',
}

function declined(call: CallState, reason: string | undefined, category: string | undefined): Event {
  const because = reason === undefined ? '' : ` Reason: ${closed(reason)}`
  const who = whoDeclined[category ?? ''] ?? 'The call was declined.'
  return {
    type: 'call.refused',
    call: call.id,
    code: 'declined',
    message: `${who}${because} Do not make the same call again unchanged.`,
    ...(category === undefined ? {} : { category }),
  }
}

/** A reason as a sentence of its own. */
function closed(reason: string): string {
  const text = reason.trimEnd()
  return /[.!?…]["')\]]?$/.test(text) ? text : `${text}.`
}

/**
 * Whether an approval still covers the call: the tool, the arguments and the class are those that were shown, and
 * the tool's own check says now what it said when the person was asked ("It replaces a file of 7 bytes").
 */
export function stillHolds(ticket: TicketState, call: CallState, tool: Tool, decision: Decision): boolean {
  const isSame = tool.version === call.version && ticket.digest === call.digest
  return isSame && ticket.toolClass === decision.toolClass && checkOf(ticket.why) === checkOf(decision.trace)
}

function checkOf(trace: readonly LayerEntry[]): string {
  const entry = trace.find(({ layer }) => layer === 'check')
  return entry === undefined ? '' : `${entry.verdict ?? ''} ${entry.reason}`
}
