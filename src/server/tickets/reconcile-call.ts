import { HostError } from '../../protocol/host-error.ts'
import { type ReconcileReceipt, reconcileRequestBody } from '../../protocol/run/reconcile-request.ts'
import { reconcileCall as noteFinding } from '../../runtime/reconcile.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { callByWireId } from '../runs/wire-calls.ts'
import { maySee, subjectOf, type Who } from '../who.ts'
import { RecordedRuns } from './recorded-runs.ts'
import { ticketError } from './ticket-errors.ts'

/**
 * Notes down what somebody found out about a call whose outcome nobody saw; afterwards the same call can be made again.
 * Errors: INVALID_REQUEST, RUN_NOT_FOUND, CALL_NOT_FOUND, CALL_NOT_UNCERTAIN.
 */
export async function reconcileCall(
  { parts }: HostParts,
  body: unknown,
  who: Who,
): Promise<ReconcileReceipt> {
  const { runId, callId, found, note } = readGiven(reconcileRequestBody, body, 'INVALID_REQUEST')
  const recorded = await new RecordedRuns(parts).byId(runId)
  if (recorded === undefined || !maySee(who, recorded.subject)) throw new HostError('RUN_NOT_FOUND')
  const call = callByWireId(recorded.state, runId, callId)
  if (call === undefined) throw new HostError('CALL_NOT_FOUND')
  const by = { id: subjectOf(who), method: 'wire' }
  try {
    await noteFinding(recorded.journal, call.id, found, by, note)
  } catch (error) {
    throw ticketError(error, refused)
  }
  return { runId, callId, found, status: 'reconciled' }
}

const refused = {
  codes: {
    CALL_NOT_UNCERTAIN: 'CALL_NOT_UNCERTAIN',
    CALL_NOT_FOUND: 'CALL_NOT_FOUND',
    SESSION_NOT_FOUND: 'RUN_NOT_FOUND',
    INVALID_ARGUMENT: 'INVALID_REQUEST',
  },
  told: ['INVALID_REQUEST'],
} as const
