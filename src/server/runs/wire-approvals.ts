import type { SessionState } from '../../core/run/state.ts'
import type { WireApproval } from '../../protocol/approvals/approval.ts'
import type { ApprovalResolution } from '../../protocol/approvals/approval-resolution.ts'
import { wireCallOf } from './wire-calls.ts'
import type { WireRun } from './wire-run.ts'

/** An ask as people see it; undefined when there is none of this id. */
export function approvalOf(run: WireRun, state: SessionState, ticket: string): WireApproval | undefined {
  const asked = state.tickets.get(ticket)
  const call = asked && state.calls.get(asked.call)
  if (asked === undefined || call === undefined || asked.kind !== 'approval') return undefined
  const { request, runId } = run
  const definition = request.applicationTools?.find(({ name }) => name === call.name)
  return {
    approvalId: ticket,
    runId,
    call: wireCallOf(call),
    requestedAt: new Date(asked.requestedAt).toISOString(),
    ...(asked.expiresAt === undefined ? {} : { expiresAt: new Date(asked.expiresAt).toISOString() }),
    idlePolicy: request.approvals?.idlePolicy ?? 'continue',
    ...(definition === undefined ? {} : { description: definition.description }),
    toolClass: asked.toolClass,
    reasons: [asked.reason],
  }
}

/** How an ask ended. */
export function resolutionOf(run: WireRun, state: SessionState, ticket: string): ApprovalResolution {
  const asked = state.tickets.get(ticket)
  const call = asked && state.calls.get(asked.call)
  const decided = asked?.decided
  if (asked === undefined || call === undefined || decided === undefined)
    throw new Error(`The ask ${ticket} is not decided.`)
  const isEdited = call.editedFrom !== undefined
  return {
    approvalId: ticket,
    runId: run.runId,
    callId: call.modelCallId,
    outcome: outcomeOf(decided),
    decidedAt: new Date(decided.at).toISOString(),
    ...(decided.reason === undefined ? {} : { reason: decided.reason }),
    ...(isEdited ? { editedArguments: wireCallOf(call).arguments } : {}),
    decidedBy: decided.by.id,
  }
}

/** What became of an ask, by the wire's words. */
export function outcomeOf({
  approved,
  category,
}: {
  approved: boolean
  category?: string
}): ApprovalResolution['outcome'] {
  if (approved) return 'approved'
  if (category === 'expired' || category === 'cancelled') return category
  return 'denied'
}

/** An ask that the host answered by itself was shown to nobody. */
export function isShownAsk(state: SessionState, ticket: string): boolean {
  return state.tickets.get(ticket)?.decided?.by.method !== 'handler'
}
