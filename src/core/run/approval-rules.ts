import type { EventOf } from '../event.ts'
import type { RememberedApproval } from '../policy/remembered.ts'
import type { Draft } from './draft.ts'
import { callOf, openRunOf, refuse, refuseWithoutId, ticketOf } from './illegal.ts'
import type { CallState, TicketState } from './state.ts'

type Opening = EventOf<'approval.requested' | 'input.requested'>
type OfKind = Pick<TicketState, 'kind' | 'remember' | 'default'>

/** Opens a ticket on a call that may be asked about, and gives the call. */
export function openTicket(draft: Draft, event: Opening, at: number, ofKind: OfKind): CallState {
  const call = callOf(draft, event.call)
  const run = openRunOf(draft, call.run)
  if (call.status !== 'proposed' && call.status !== 'decided')
    refuse(`The call ${call.id} is ${call.status}.`)
  refuseWithoutId(event.ticket, 'ticket')
  if (draft.tickets.get(event.ticket) !== undefined) refuse(`The ticket ${event.ticket} exists.`)
  if (call.digest !== event.digest) refuse(`The ticket is bound to other arguments than those of ${call.id}.`)
  const { ticket: id, digest, toolClass, expiresAt } = event
  const { reason, trace: why } = event.decision
  const facts = { id, run: run.id, call: call.id, digest, toolClass, reason, why, requestedAt: at }
  draft.tickets.set(id, { ...facts, ...ofKind, ...(expiresAt === undefined ? {} : { expiresAt }) })
  draft.runs.set(run.id, { ...run, openTickets: [...run.openTickets, id] })
  return call
}

/** The open ticket that an event redeems, and its call. */
export function redeemable(
  draft: Draft,
  event: { readonly ticket: string; readonly call: string },
  kind: TicketState['kind'],
): { ticket: TicketState; call: CallState } {
  const ticket = ticketOf(draft, event.ticket)
  if (ticket.kind !== kind) refuse(`The ticket ${ticket.id} does not ask for that.`)
  if (ticket.decided !== undefined) refuse(`The ticket ${ticket.id} was decided.`)
  if (ticket.call !== event.call) refuse(`The ticket ${ticket.id} is about another call than ${event.call}.`)
  return { ticket, call: callOf(draft, ticket.call) }
}

/** Redeems a ticket: once. */
export function closeTicket(
  draft: Draft,
  ticket: TicketState,
  decided: NonNullable<TicketState['decided']>,
): void {
  draft.tickets.set(ticket.id, { ...ticket, decided })
  const run = openRunOf(draft, ticket.run)
  draft.runs.set(run.id, { ...run, openTickets: run.openTickets.filter((id) => id !== ticket.id) })
}

export function approvalRequested(draft: Draft, event: EventOf<'approval.requested'>, at: number): void {
  const call = openTicket(draft, event, at, { kind: 'approval', remember: event.remember })
  const { ticket, toolClass } = event
  // A new question about the call is about all of it: what was given for the earlier one is asked for again.
  const { approval: _approval, input: _input, ...asked } = call
  draft.calls.set(call.id, { ...asked, status: 'asking', ticket, toolClass })
}

export function approvalEdited(draft: Draft, event: EventOf<'approval.edited'>): void {
  const { ticket, call } = redeemable(draft, event, 'approval')
  if (event.from !== ticket.digest) refuse(`The edit of ${ticket.id} starts from other arguments.`)
  draft.tickets.set(ticket.id, { ...ticket, digest: event.to })
  const editedFrom = call.editedFrom ?? event.from
  const coerced = event.coerced === undefined ? {} : { coerced: [...(call.coerced ?? []), ...event.coerced] }
  draft.calls.set(call.id, { ...call, ...coerced, args: event.args, digest: event.to, editedFrom })
}

export function approvalDecided(draft: Draft, event: EventOf<'approval.decided'>, at: number): void {
  const { ticket, call } = redeemable(draft, event, 'approval')
  const { approved, scope, by, reason, category } = event
  const decided = {
    approved,
    scope,
    by,
    at,
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
  }
  closeTicket(draft, ticket, decided)
  draft.calls.set(call.id, { ...call, status: approved ? 'decided' : 'proposed' })
  if (scope === 'session') draft.remembered = [...draft.remembered, rememberedFrom(ticket, call, event, at)]
}

function rememberedFrom(
  ticket: TicketState,
  call: CallState,
  event: EventOf<'approval.decided'>,
  at: number,
): RememberedApproval {
  const { approved, reason } = event
  const { toolClass } = ticket
  const key = { tool: call.name, version: call.version ?? '', toolClass }
  return {
    ...key,
    approved,
    ticket: ticket.id,
    by: event.by.id,
    at,
    ...(reason === undefined ? {} : { reason }),
  }
}
