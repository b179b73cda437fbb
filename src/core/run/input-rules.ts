import type { EventOf } from '../event.ts'
import { closeTicket, openTicket, redeemable } from './approval-rules.ts'
import type { Draft } from './draft.ts'
import { refuse } from './illegal.ts'

/** A tool that stops to ask is asked for once it could start: an approval that it needed has been given. */
export function inputRequested(draft: Draft, event: EventOf<'input.requested'>, at: number): void {
  const call = openTicket(draft, event, at, {
    kind: 'input',
    remember: 'none',
    ...(event.default === undefined ? {} : { default: { value: event.default } }),
  })
  if (call.yields !== true) refuse(`The call ${call.id} is of a tool that asks for nothing.`)
  if (call.input !== undefined) refuse(`The call ${call.id} has its input.`)
  const { ticket, toolClass } = event
  const approval = call.status === 'decided' && call.ticket !== undefined ? { approval: call.ticket } : {}
  draft.calls.set(call.id, { ...call, ...approval, status: 'asking', ticket, toolClass })
}

export function inputGiven(draft: Draft, event: EventOf<'input.given'>, at: number): void {
  const { ticket, call } = redeemable(draft, event, 'input')
  closeTicket(draft, ticket, { approved: true, scope: 'once', by: event.by, at })
  draft.calls.set(call.id, { ...call, status: 'decided', input: { value: event.value } })
}

export function inputDeclined(draft: Draft, event: EventOf<'input.declined'>, at: number): void {
  const { ticket, call } = redeemable(draft, event, 'input')
  const { by, reason, category } = event
  closeTicket(draft, ticket, {
    approved: false,
    scope: 'once',
    by,
    at,
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
  })
  draft.calls.set(call.id, { ...call, status: 'proposed' })
}
