import type { IndexRow } from '../../core/store.ts'
import {
  type ApprovalFilters,
  type ApprovalInbox,
  type ApprovalItem,
  approvalFiltersBody,
} from '../../protocol/approvals/approval-inbox.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { rowPage } from '../row-page.ts'
import { isBeforePeople } from '../runs/shown-asks.ts'
import { approvalOf, isShownAsk, outcomeOf, resolutionOf } from '../runs/wire-approvals.ts'
import { mayReviewFor, type Who } from '../who.ts'
import { RecordedRuns, type RecordedTicket } from './recorded-runs.ts'

/**
 * The approvals that the caller may see, the oldest first: those of his own runs, of the groups that he reviews for, and
 * all for an administrator. Without a status, those that wait. What the host answered by itself was asked of nobody, and
 * is not among them. Errors: INVALID_REQUEST.
 */
export async function listApprovals(
  { options, runs, parts }: HostParts,
  filters: ApprovalFilters,
  who: Who,
): Promise<ApprovalInbox> {
  const wanted = readGiven(approvalFiltersBody, filters, 'INVALID_REQUEST')
  const { status = 'pending', subject } = wanted
  const recordedRuns = new RecordedRuns(parts)
  const question = {
    kind: 'ticket',
    status: status === 'pending' ? 'open' : 'decided',
    ...(subject === undefined ? {} : { subject }),
  } as const
  const { items, ...more } = await rowPage(parts.store, question, wanted, async (row) => {
    if (!isWanted(row, wanted)) return undefined
    const asked = await recordedRuns.ticketOf(row)
    if (asked === undefined || !isVisible(asked, who)) return undefined
    const live = runs.liveRun(asked.recorded.run.runId)
    const isOpen = asked.ticket.decided === undefined
    const where = { live, state: asked.recorded.state }
    if (isOpen && !isBeforePeople(options, where, row.id)) return undefined
    const item = itemOf(asked)
    return item.status === status ? item : undefined
  })
  return { approvals: items, ...more }
}

type Wanted = Pick<ApprovalFilters, 'tool' | 'runId' | 'sessionId'>

/** What the row alone tells. */
function isWanted({ data }: IndexRow, { tool, runId, sessionId }: Wanted): boolean {
  const isSame = (wanted: string | undefined, actual: unknown) => wanted === undefined || wanted === actual
  return (
    data.kind === 'approval' &&
    isSame(tool, data.tool) &&
    isSame(runId, data.run) &&
    isSame(sessionId, data.session)
  )
}

function isVisible({ recorded, ticket }: RecordedTicket, who: Who): boolean {
  const { subject, origin, run, state } = recorded
  const isAsked = run.request.approvals !== undefined && isShownAsk(state, ticket.id)
  return isAsked && mayReviewFor(who, subject, origin.group)
}

function itemOf({ recorded, ticket }: RecordedTicket): ApprovalItem {
  const { run, subject, state } = recorded
  const approval = approvalOf(run, state, ticket.id)
  if (approval === undefined) throw new Error(`The ticket ${ticket.id} is no ask.`)
  const { decided } = ticket
  return {
    approval,
    status: decided === undefined ? 'pending' : outcomeOf(decided),
    subject,
    ...(run.request.session === undefined ? {} : { sessionId: run.sessionId }),
    ...(decided === undefined ? {} : { resolution: resolutionOf(run, state, ticket.id) }),
  }
}
