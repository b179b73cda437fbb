import type { Event } from '../event.ts'
import type { CallState, SessionState } from './state.ts'

/**
 * Whether an event must be in the store before anything else happens: the claim and the outcome of a call that may
 * have an effect, asks and their answers, and what a caller has handed in or is told. The rest protects no effect: a
 * read can be made again, and a model asked again.
 */
export function isUrgent(state: SessionState, event: Event): boolean {
  switch (event.type) {
    case 'usage.recorded':
    case 'output.refused':
    case 'tools.offered':
    case 'call.proposed':
    case 'call.refused':
    case 'call.cancelled':
      return false
    case 'message.added':
      return event.message.role !== 'assistant'
    case 'call.started':
      return event.toolClass !== 'read'
    case 'call.completed':
    case 'call.failed':
      return mustHold(state.calls.get(event.call))
    default:
      return true
  }
}

/** Whoever gives the outcome of a call that was handed out is told that it holds. */
function mustHold(call: CallState | undefined): boolean {
  return call?.toolClass !== 'read' || call.status === 'handed_out'
}
