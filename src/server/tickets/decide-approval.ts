import type { Actor } from '../../core/event.ts'
import { isSameJson } from '../../core/json/is-same-json.ts'
import { named } from '../../core/json/named.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { type ApprovalDecision, approvalDecisionBody } from '../../protocol/approvals/approval-decision.ts'
import type { ApprovalResolution } from '../../protocol/approvals/approval-resolution.ts'
import { HostError } from '../../protocol/host-error.ts'
import { cancelAsk } from '../../runtime/cancel-ask.ts'
import { expireAsks } from '../../runtime/expire.ts'
import { isOwned } from '../../runtime/ownership.ts'
import { refuseMissing } from '../access/forbidden.ts'
import { noteDown } from '../audit.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import type { FoundRun } from '../runs/runs.ts'
import { isBeforePeople } from '../runs/shown-asks.ts'
import { resolutionOf } from '../runs/wire-approvals.ts'
import { wireCallOf } from '../runs/wire-calls.ts'
import { mayDecide, mayReviewFor, mayUseProvider, subjectOf, type Who } from '../who.ts'
import { RecordedRuns, type RecordedTicket } from './recorded-runs.ts'
import { ticketError } from './ticket-errors.ts'

/** What a run says that somebody ended instead of deciding about a call of it. */
const cancelledReview = 'The review was cancelled.'

/** An ask that can be decided, and its run as this process has it. */
interface OpenAsk extends RecordedTicket {
  readonly found: FoundRun
}

/**
 * Decides an approval, once, in whatever process its run is driven, or in none. Who sends a decision that does not count
 * has used nothing up (application-tools-details 2.5 has the order in which it is looked at).
 *
 * Errors: INVALID_APPROVAL, also for edited arguments that do not pass; APPROVAL_NOT_FOUND for what is unknown, decided,
 * over, or none of the caller's; FORBIDDEN; APPROVAL_MISMATCH;
 * APPROVAL_AUDIT_FAILED.
 */
export async function decideApproval(host: HostParts, body: unknown, who: Who): Promise<ApprovalResolution> {
  const given = readGiven(approvalDecisionBody, body, 'INVALID_APPROVAL')
  const ask = await openAsk(host, given.approvalId, who)
  const { request } = ask.recorded.run
  const { name } = ask.call
  // Who named another tool learns nothing of the one that it is.
  const tool = given.call.name === name ? named(name) : 'for the tool of this call'
  refuseMissing({
    providers: mayUseProvider(who, request.provider) ? [] : ['for the provider of its run'],
    approveTools: mayDecide(who, name) ? [] : [tool],
  })
  refuseOther(ask, given)
  const by = { id: subjectOf(who), method: 'wire' }
  noteDecision(host, ask, given, who)
  try {
    return given.decision === 'cancel' ? await cancel(host, ask, given, by) : await decide(ask, given, by)
  } catch (error) {
    throw ticketError(error, refused)
  }
}

/** Before it holds: what cannot be noted down decides nothing. Errors: APPROVAL_AUDIT_FAILED. */
function noteDecision(
  { options, parts }: HostParts,
  { ticket, call }: OpenAsk,
  given: ApprovalDecision,
  who: Who,
): void {
  noteDown(options.onAudit, {
    ...{ kind: 'approval.resolved', at: parts.clock.now(), subject: subjectOf(who), runId: given.runId },
    ...{ ticket: ticket.id, digest: ticket.digest, callId: call.modelCallId, tool: call.name },
    outcome: given.decision,
  })
}

const refused = {
  codes: {
    TICKET_NOT_FOUND: 'APPROVAL_NOT_FOUND',
    TICKET_DECIDED: 'APPROVAL_NOT_FOUND',
    SESSION_NOT_FOUND: 'APPROVAL_NOT_FOUND',
    TICKET_MISMATCH: 'APPROVAL_MISMATCH',
    INVALID_DECISION: 'INVALID_APPROVAL',
  },
  told: ['INVALID_APPROVAL'],
} as const

/** An ask that waits for a decision of the caller. Errors: APPROVAL_NOT_FOUND, one for all, so that nobody learns which. */
async function openAsk({ options, runs, parts }: HostParts, id: string, who: Who): Promise<OpenAsk> {
  const asked = await new RecordedRuns(parts).ticket(id)
  if (asked === undefined || !isForPeople(asked)) throw new HostError('APPROVAL_NOT_FOUND')
  const { recorded, ticket } = asked
  if (!mayReviewFor(who, recorded.subject, recorded.origin.group)) throw new HostError('APPROVAL_NOT_FOUND')
  const found = await runs.ofRecord(recorded)
  const { live } = found
  // What the host itself has not let pass yet is nobody else's to let pass.
  const isBefore = isBeforePeople(options, { live, state: recorded.state }, id)
  if (live?.signal.aborted === true || !isBefore) throw new HostError('APPROVAL_NOT_FOUND')
  const now = parts.clock.now()
  if (ticket.expiresAt !== undefined && ticket.expiresAt <= now) {
    await expireAsks(recorded.journal, now)
    throw new HostError('APPROVAL_NOT_FOUND')
  }
  return { ...asked, found }
}

function isForPeople({ recorded, ticket }: RecordedTicket): boolean {
  const { run, state } = recorded
  const isOpen = ticket.decided === undefined && state.runs.get(run.runId)?.ended === undefined
  return ticket.kind === 'approval' && isOpen && run.request.approvals !== undefined
}

/** A decision is about exactly what was shown. Errors: APPROVAL_MISMATCH. */
function refuseOther({ recorded, call }: OpenAsk, given: ApprovalDecision): void {
  const isSame = isSameJson(wireCallOf(call) as unknown as JsonValue, given.call as unknown as JsonValue)
  if (given.runId !== recorded.run.runId || !isSame) throw new HostError('APPROVAL_MISMATCH')
}

async function decide(
  { recorded, ticket, found }: OpenAsk,
  { decision, reason, editedArguments }: ApprovalDecision,
  by: Actor,
): Promise<ApprovalResolution> {
  const { session } = found
  const answer = {
    approved: decision === 'approve',
    digest: ticket.digest,
    ...(reason === undefined ? {} : { reason }),
    ...(editedArguments === undefined ? {} : { editedArgs: editedArguments }),
  }
  await session.decide(ticket.id, answer, by)
  return resolutionOf(recorded.run, session.state, ticket.id)
}

async function cancel(
  { runs, parts }: HostParts,
  { recorded, ticket, found }: OpenAsk,
  { reason }: ApprovalDecision,
  by: Actor,
): Promise<ApprovalResolution> {
  const { journal, run } = recorded
  const said = reason === undefined || reason === '' ? {} : { reason }
  await cancelAsk({ journal, clock: parts.clock, by, sentence: cancelledReview, ...said }, ticket.id)
  // Whoever drives the run elsewhere reads in the log that it has to end.
  const isOpen = journal.state.openRun === run.runId
  if (found.live !== undefined) found.live.cancel(cancelledReview)
  else if (isOpen && !(await isOwned(parts, journal.stream))) await runs.cancel(found, cancelledReview)
  return resolutionOf(run, journal.state, ticket.id)
}
