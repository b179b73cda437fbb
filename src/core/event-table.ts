import type { EventType } from './event.ts'

/** Every event type and what it records, for the documents and for reading a log from outside. */
export const eventTable = {
  'session.started': 'A conversation began, for a subject, with an agent.',
  'mode.changed': 'The session has another tool mode from its next run on.',
  'run.started': 'An input was taken up.',
  'message.added': 'The user or the model said something.',
  'output.refused':
    'An answer that was to be the output of the run did not pass its schema, and the model was told why.',
  'tools.offered': 'The model was shown this list of tools; written when the list changes.',
  'call.proposed': 'The model proposed a call.',
  'call.migrated':
    'Its tool changed while the call waited; it goes on with other arguments, and is asked about again.',
  'call.refused': 'The call ended without being started, and the model was told why.',
  'call.cancelled': 'The call ended without being started, because the run was stopped.',
  'approval.requested': 'A ticket was opened: somebody has to decide about the call.',
  'approval.edited': 'The arguments were changed by who decides; the digests before and after.',
  'approval.decided': 'The ticket was redeemed: by whom, how, and with what scope.',
  'input.requested': 'A ticket was opened: a person has to give what the tool asks for.',
  'input.given': 'The ticket was redeemed with a value.',
  'input.declined': 'The ticket was redeemed without a value.',
  'call.started': 'The claim: written before the effect, once for every time that the tool is entered.',
  'execution.requested': 'A ticket was opened: somebody outside carries the call and gives its outcome.',
  'call.completed': 'The tool returned a value.',
  'call.failed': 'The tool threw, ran out of time, or nobody saw its outcome.',
  'call.rested':
    'The claim was given back: the call waits for child runs or for a time, and nothing of it runs.',
  'call.late': 'An attempt that had been given up reported after all.',
  'call.reconciled': 'Somebody found out what became of an uncertain call.',
  'child.started': 'A call started another agent, in a session of its own.',
  'state.changed': 'Values of a scope of the state were set or deleted.',
  'usage.recorded': 'Tokens that a step used.',
  'stop.requested': 'Somebody asked whoever drives the run to end it.',
  'run.ended': 'The run reached its end.',
} as const satisfies Record<EventType, string>
