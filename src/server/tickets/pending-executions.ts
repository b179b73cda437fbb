import type { IndexQuery, IndexRow } from '../../core/store.ts'
import {
  type ExecutionFilters,
  executionFiltersBody,
  type PendingExecution,
  type PendingExecutions,
} from '../../protocol/tool-executions/pending-executions.ts'
import { refuseMissing } from '../access/forbidden.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { rowPage } from '../row-page.ts'
import { mayServeTool, mayUseProvider, subjectOf, type Who } from '../who.ts'
import { RecordedRuns, type RecordedTicket } from './recorded-runs.ts'
import { executionOf } from './wire-execution.ts'

/**
 * The executions of the caller's runs that wait for a result and that he may give one for, the oldest first.
 * Errors: INVALID_REQUEST; FORBIDDEN for who may serve no function at all.
 */
export async function pendingExecutions(
  { parts }: HostParts,
  filters: ExecutionFilters,
  who: Who,
): Promise<PendingExecutions> {
  const wanted = readGiven(executionFiltersBody, filters, 'INVALID_REQUEST')
  const { tool, runId } = wanted
  refuseOthers(who)
  const recordedRuns = new RecordedRuns(parts)
  const { items, ...more } = await rowPage(parts.store, openTicketsOf(who), wanted, async (row) => {
    const { data } = row
    const isWanted = (tool ?? data.tool) === data.tool && (runId ?? data.run) === data.run
    const execution = isWanted && isServed(row, who) ? await recordedRuns.ticketOf(row) : undefined
    return execution && isPending(execution, who) ? pendingOf(execution) : undefined
  })
  return { executions: items, ...more }
}

/** Errors: FORBIDDEN. */
export function refuseOthers({ access }: Who): void {
  refuseMissing({ applicationTools: access?.applicationTools.length === 0 ? ['of any function'] : [] })
}

/** All tickets of the caller's runs that wait. */
export function openTicketsOf(who: Who): Pick<IndexQuery, 'kind' | 'status' | 'subject'> {
  return { kind: 'ticket', status: 'open', subject: subjectOf(who) }
}

/** Whether a row is of an execution that the caller may carry. */
export function isServed({ data }: IndexRow, who: Who): boolean {
  return data.kind === 'execution' && mayServeTool(who, String(data.tool))
}

/** Whether it waits, as the log has it, and may be carried by the caller. */
export function isPending({ recorded, call }: RecordedTicket, who: Who): boolean {
  return call.status === 'handed_out' && mayUseProvider(who, recorded.run.request.provider)
}

function pendingOf(execution: RecordedTicket): PendingExecution {
  const { recorded, ticket } = execution
  const { provider, model } = recorded.run.request
  const requestedAt = new Date(ticket.requestedAt).toISOString()
  return { execution: executionOf(execution), requestedAt, provider, model }
}
