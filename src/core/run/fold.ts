import type { Event } from '../event.ts'
import { approvalDecided, approvalEdited, approvalRequested } from './approval-rules.ts'
import { callCancelled, callLate, callProposed, callReconciled, callRefused, callSettled, callStarted } from './call-rules.ts'
import { Draft } from './draft.ts'
import { refuse } from './illegal.ts'
import { messageAdded, modeChanged, runEnded, runStarted, sessionStarted, toolsOffered, usageRecorded } from './session-rules.ts'
import type { SessionState } from './state.ts'

function foldOne(draft: Draft, event: Event, at: number): void {
  switch (event.type) {
    case 'session.started':
      return sessionStarted(draft, event, at)
    case 'mode.changed':
      return modeChanged(draft, event)
    case 'run.started':
      return runStarted(draft, event, at)
    case 'message.added':
      return messageAdded(draft, event)
    case 'tools.offered':
      return toolsOffered(draft, event)
    case 'call.proposed':
      return callProposed(draft, event)
    case 'call.refused':
      return callRefused(draft, event)
    case 'call.cancelled':
      return callCancelled(draft, event)
    case 'approval.requested':
      return approvalRequested(draft, event, at)
    case 'approval.edited':
      return approvalEdited(draft, event)
    case 'approval.decided':
      return approvalDecided(draft, event, at)
    case 'call.started':
      return callStarted(draft, event, at)
    case 'call.completed':
    case 'call.failed':
      return callSettled(draft, event)
    case 'call.late':
      return callLate(draft, event)
    case 'call.reconciled':
      return callReconciled(draft, event)
    case 'usage.recorded':
      return usageRecorded(draft, event)
    case 'run.ended':
      return runEnded(draft, event, at)
    default:
      return refuse(`No event is called ${String((event as { type?: unknown }).type)}.`)
  }
}

/**
 * Folds events over a session's state and gives the draft: `commit()` lays it into the state.
 * The state itself is not touched, so a batch that the store refuses leaves nothing behind.
 * Errors: ILLEGAL_EVENT when an event does not follow from those before it.
 */
export function fold(state: SessionState, events: readonly { readonly at: number; readonly event: Event }[]): Draft {
  const draft = new Draft(state)
  for (const { at, event } of events) {
    draft.sequence += 1
    if (draft.sequence === 1 && event.type !== 'session.started') refuse('A log begins with session.started.')
    foldOne(draft, event, at)
  }
  return draft
}
