import type { EventOf } from '../event.ts'
import type { RememberedApproval } from '../policy/remembered.ts'
import type { Draft } from './draft.ts'
import { callOf, openRunOf, refuse, refuseWithoutId, ticketOf } from './illegal.ts'
import type { CallState, TicketState } from './state.ts'

export function approvalRequested(draft: Draft, event: EventOf<'approval.requested'>, at: number): void {
  const call = callOf(draft, event.call)
  const run = openRunOf(draft, call.run)
  if (call.status !== 'proposed' && call.status !== 'decided')
    refuse(`The call ${call.id} is ${call.status}.`)
  refuseWithoutId(event.ticket, 'ticket')
  if (draft.tickets.get(event.ticket) !== undefined) refuse(`The ticket ${event.ticket} exists.`)
  if (call.digest !== event.digest) refuse(`The ticket is bound to other arguments than those of ${call.id}.`)
  const { ticket: id, digest, toolClass, remember } = event
  const { reason, trace: why } = event.decision
  draft.tickets.set(id, {
    id,
    run: run.id,
    call: call.id,
    digest,
    toolClass,
    remember,
    reason,
    why,
    requestedAt: at,
  })
  draft.calls.set(call.id, { ...call, status: 'asking', ticket: id, toolClass })
  draft.runs.set(run.id, { ...run, openTickets: [...run.openTickets, id] })
}

function openTicket(
  draft: Draft,
  event: { readonly ticket: string; readonly call: string },
): { ticket: TicketState; call: CallState } {
  const ticket = ticketOf(draft, event.ticket)
  if (ticket.decided !== undefined) refuse(`The ticket ${ticket.id} was decided.`)
  if (ticket.call !== event.call) refuse(`The ticket ${ticket.id} is about another call than ${event.call}.`)
  return { ticket, call: callOf(draft, ticket.call) }
}

export function approvalEdited(draft: Draft, event: EventOf<'approval.edited'>): void {
  const { ticket, call } = openTicket(draft, event)
  if (event.from !== ticket.digest) refuse(`The edit of ${ticket.id} starts from other arguments.`)
  draft.tickets.set(ticket.id, { ...ticket, digest: event.to })
  const editedFrom = call.editedFrom ?? event.from
  draft.calls.set(call.id, { ...call, args: event.args, digest: event.to, editedFrom })
}

export function approvalDecided(draft: Draft, event: EventOf<'approval.decided'>, at: number): void {
  const { ticket, call } = openTicket(draft, event)
  const { approved, scope, by, reason, category } = event
  const decided = {
    approved,
    scope,
    by,
    at,
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
  }
  draft.tickets.set(ticket.id, { ...ticket, decided })
  draft.calls.set(call.id, { ...call, status: approved ? 'decided' : 'proposed' })
  const run = openRunOf(draft, ticket.run)
  draft.runs.set(run.id, { ...run, openTickets: run.openTickets.filter((id) => id !== ticket.id) })
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
