import type { EventOf } from '../event.ts'
import { closeTicket } from './approval-rules.ts'
import type { Draft } from './draft.ts'
import { callOf, openRunOf, refuse, refuseWithoutId, ticketOf } from './illegal.ts'
import type { CallState } from './state.ts'

/** The claim's ticket: from here on nothing of the call is in any process of ours. */
export function executionRequested(draft: Draft, event: EventOf<'execution.requested'>, at: number): void {
  const call = callOf(draft, event.call)
  const run = openRunOf(draft, call.run)
  if (call.status !== 'started') refuse(`The call ${call.id} is ${call.status}; it cannot be handed out.`)
  const { ticket: id, digest } = event
  refuseWithoutId(id, 'ticket')
  if (draft.tickets.get(id) !== undefined) refuse(`The ticket ${id} exists.`)
  if (call.digest !== digest) refuse(`The ticket is bound to other arguments than those of ${call.id}.`)
  const { toolClass = 'destructive' } = call
  const facts = { id, run: run.id, call: call.id, digest, toolClass, reason, why: [], requestedAt: at }
  draft.tickets.set(id, { ...facts, kind: 'execution', remember: 'none' })
  draft.runs.set(run.id, { ...run, openTickets: [...run.openTickets, id] })
  draft.calls.set(call.id, { ...call, status: 'handed_out', execution: { ticket: id } })
}

const reason = 'The call was handed out; whoever carries it gives its outcome.'

const runtime = { id: 'runtime', method: 'abort' }

/**
 * The outcome of a call that was handed out redeems its ticket; without anybody who gave it, the ticket is closed. Gives
 * the call with what is known of the result. Of any other call, nobody outside can give the outcome.
 */
export function redeemed(
  draft: Draft,
  call: CallState,
  { type, by, result }: EventOf<'call.completed' | 'call.failed'>,
  at: number,
): CallState {
  const { execution } = call
  if (call.status !== 'handed_out' || execution === undefined) {
    if (by !== undefined || result !== undefined) refuse(`The call ${call.id} was not handed out.`)
    return call
  }
  if (by === undefined && type === 'call.completed') refuse(`Nobody gave the result of ${call.id}.`)
  const closing = by === undefined ? { by: runtime, category: 'cancelled' } : { by }
  const approved = type === 'call.completed'
  closeTicket(draft, ticketOf(draft, execution.ticket), { approved, scope: 'once', at, ...closing })
  const given = { ...(by === undefined ? {} : { by }), ...(result === undefined ? {} : { result }) }
  return { ...call, execution: { ...execution, ...given } }
}
