import { isToolpostError } from '../error.ts'
import type { Event, EventOf, EventType } from '../event.ts'
import { messageOf } from '../message-of.ts'
import { approvalDecided, approvalEdited, approvalRequested } from './approval-rules.ts'
import {
  callCancelled,
  callLate,
  callProposed,
  callReconciled,
  callRefused,
  callSettled,
  callStarted,
} from './call-rules.ts'
import { callRested, childStarted } from './child-rules.ts'
import { Draft } from './draft.ts'
import { executionRequested } from './execution-rules.ts'
import { refuse } from './illegal.ts'
import { inputDeclined, inputGiven, inputRequested } from './input-rules.ts'
import { callMigrated } from './migrate-rule.ts'
import { outputRefused } from './output-rules.ts'
import {
  messageAdded,
  modeChanged,
  runEnded,
  runStarted,
  sessionStarted,
  stopWasRequested,
  toolsOffered,
  usageRecorded,
} from './session-rules.ts'
import type { SessionState } from './state.ts'
import { stateChanged } from './state-rules.ts'
import { isRunOver, noteWaking } from './waking.ts'

type Rule<Type extends EventType> = (draft: Draft, event: EventOf<Type>, at: number) => void

const rules: { readonly [Type in EventType]: Rule<Type> } = {
  'session.started': sessionStarted,
  'mode.changed': modeChanged,
  'run.started': runStarted,
  'message.added': messageAdded,
  'output.refused': outputRefused,
  'tools.offered': toolsOffered,
  'call.proposed': callProposed,
  'call.migrated': callMigrated,
  'call.refused': callRefused,
  'call.cancelled': callCancelled,
  'approval.requested': approvalRequested,
  'approval.edited': approvalEdited,
  'approval.decided': approvalDecided,
  'input.requested': inputRequested,
  'input.given': inputGiven,
  'input.declined': inputDeclined,
  'call.started': callStarted,
  'execution.requested': executionRequested,
  'call.completed': callSettled,
  'call.failed': callSettled,
  'call.rested': callRested,
  'call.late': callLate,
  'call.reconciled': callReconciled,
  'child.started': childStarted,
  'state.changed': stateChanged,
  'usage.recorded': usageRecorded,
  'stop.requested': stopWasRequested,
  'run.ended': runEnded,
}

function foldOne(draft: Draft, event: Event, at: number): void {
  if (!Object.hasOwn(rules, event.type)) refuse(`No event is called ${String(event.type)}.`)
  const rule = rules[event.type] as Rule<EventType>
  try {
    rule(draft, event, at)
  } catch (thrown) {
    if (isToolpostError(thrown)) throw thrown
    refuse(`Event ${draft.sequence}, ${event.type}, cannot be read: ${messageOf(thrown, 200)}`)
  }
}

/** Every event is a sign of life of the open run, but for those that end it; only a run with a rule about that remembers it. */
function noteLife(draft: Draft, event: Event, at: number): void {
  if (isRunOver(event)) return
  const { openRun } = draft.head
  const run = openRun === undefined ? undefined : draft.runs.get(openRun)
  if (run?.idle !== undefined) draft.runs.set(run.id, { ...run, lastAt: at })
}

/**
 * Folds events over a session's state and gives the draft: `commit()` lays it into the state.
 * The state itself is not touched, so a batch that the store refuses leaves nothing behind.
 * Errors: ILLEGAL_EVENT when an event does not follow from those before it, or its sequence is not the next one.
 */
export function fold(
  state: SessionState,
  events: readonly { readonly at: number; readonly event: Event; readonly sequence?: number }[],
): Draft {
  const draft = new Draft(state)
  for (const { at, event, sequence } of events) {
    draft.sequence += 1
    if (sequence !== undefined && sequence !== draft.sequence)
      refuse(`Where event ${draft.sequence} of the log should stand, there is ${sequence}.`)
    if (draft.sequence === 1 && event.type !== 'session.started') refuse('A log begins with session.started.')
    foldOne(draft, event, at)
    noteLife(draft, event, at)
    noteWaking(draft, event, at)
  }
  return draft
}
