import type { EventOf } from '../event.ts'
import type { Draft } from './draft.ts'
import { callOf, openRunOf, refuse } from './illegal.ts'

/** Other arguments for a call that has not begun: every decision and every answer about it was about the old ones. */
export function callMigrated(draft: Draft, event: EventOf<'call.migrated'>): void {
  const call = callOf(draft, event.call)
  openRunOf(draft, call.run)
  if (call.status === 'asking') refuse(`The call ${call.id} has an open ticket; decide it first.`)
  if (call.status !== 'proposed' && call.status !== 'decided')
    refuse(`The call ${call.id} is ${call.status}.`)
  if (call.digest !== event.from) refuse(`The migration of ${call.id} starts from other arguments.`)
  const { ticket, approval, input: _input, reparse: _reparse, editedFrom: _edited, ...kept } = call
  const isApproval = (id: string | undefined) =>
    id !== undefined && draft.tickets.get(id)?.kind === 'approval'
  const asked = isApproval(ticket) || isApproval(approval) ? { askAgain: true as const } : {}
  const { args, to: digest, version, reparse, coerced: conversions } = event
  const coerced = conversions === undefined ? {} : { coerced: [...(call.coerced ?? []), ...conversions] }
  const migrated = { ...coerced, args, digest, version, migratedFrom: event.from }
  const again = reparse === undefined ? {} : { reparse }
  draft.calls.set(call.id, { ...kept, ...migrated, ...asked, ...again, status: 'proposed' })
}
