import type { EventOf } from '../event.ts'
import type { Draft } from './draft.ts'
import { callOf, openRunOf, refuse, refuseWithoutId } from './illegal.ts'

export function childStarted(draft: Draft, event: EventOf<'child.started'>): void {
  const call = callOf(draft, event.call)
  openRunOf(draft, call.run)
  if (call.status !== 'started') refuse(`The call ${call.id} is ${call.status}; it can start nothing.`)
  refuseWithoutId(event.session, 'session')
  const children = call.children ?? []
  if (event.index !== children.length) refuse(`The call ${call.id} has started ${children.length} sessions.`)
  const { session, agent, kind } = event
  draft.calls.set(call.id, { ...call, children: [...children, { session, agent, kind }] })
}

/** A claim that is given back: nothing of the call runs, so that whoever owns the session may claim it again. */
export function callRested(draft: Draft, event: EventOf<'call.rested'>): void {
  const call = callOf(draft, event.call)
  if (call.status !== 'started') refuse(`The call ${call.id} is ${call.status}, not started.`)
  const { on = [], until } = event
  if (on.length === 0 && until === undefined) refuse(`The call ${call.id} rests on nothing.`)
  const rest = until === undefined ? { on } : { on, until }
  const putOff = on.length > 0 ? {} : { putOff: (call.putOff ?? 0) + 1 }
  draft.calls.set(call.id, { ...call, ...putOff, status: 'resting', rest })
}
