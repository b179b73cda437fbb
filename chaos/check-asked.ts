import type { EventOf } from '../src/index.ts'
import type { ReadSession } from './read-round.ts'

/** A claim that had to be asked about stands behind its approval, and that of a tool that asks behind its answer. */
export function checkAsked({ log, state }: ReadSession): string[] {
  const faults: string[] = []
  const approved = new Set<string>()
  const answered = new Set<string>()
  for (const { event } of log) {
    if (event.type === 'approval.decided' && event.approved) approved.add(event.call)
    if (event.type === 'input.given') answered.add(event.call)
    if (event.type !== 'call.started') continue
    const isAsking = state.calls.get(event.call)?.yields === true
    if (isUnapproved(event, approved))
      faults.push(`The call ${event.call} was claimed without the answer that it needed.`)
    if (isAsking && !answered.has(event.call))
      faults.push(`The call ${event.call} was claimed before its question was answered.`)
  }
  return faults
}

function isUnapproved(
  { decision, ticket, call }: EventOf<'call.started'>,
  approved: ReadonlySet<string>,
): boolean {
  return decision.verdict === 'ask' && (ticket === undefined || !approved.has(call))
}
