import { HostError } from '../../protocol/host-error.ts'
import type { ToolExecutionIdentity } from '../../protocol/tool-executions/tool-execution.ts'
import { refuseMissing } from '../access/forbidden.ts'
import type { HostParts } from '../host-parts.ts'
import type { FoundRun } from '../runs/runs.ts'
import { mayServeTool, mayUseProvider, subjectOf, type Who } from '../who.ts'
import { RecordedRuns, type RecordedTicket } from './recorded-runs.ts'

/** An execution of the caller's, and its run as this process has it. */
export interface Execution extends RecordedTicket {
  readonly found: FoundRun
  /** False once it needs no result any more. */
  readonly isOpen: boolean
}

/**
 * The execution that a submission names. Of one that is closed nothing is said but that it is not there; one that is open
 * is kept for who may carry it (application-tools-details 2.6).
 * Errors: TOOL_EXECUTION_NOT_FOUND, FORBIDDEN, TOOL_EXECUTION_MISMATCH.
 */
export async function executionFor(
  { runs, parts }: HostParts,
  given: ToolExecutionIdentity,
  who: Who,
): Promise<Execution> {
  const asked = await new RecordedRuns(parts).ticket(given.executionId)
  if (asked?.ticket.kind !== 'execution' || asked.recorded.subject !== subjectOf(who)) throw notFound()
  const { recorded, call } = asked
  const { runId, request } = recorded.run
  const isStopped = runs.liveRun(runId)?.signal.aborted === true
  const isOpen = call.status === 'handed_out' && !isStopped
  const isProvider = mayUseProvider(who, request.provider)
  const isFunction = mayServeTool(who, call.name)
  const isGranted = isProvider && isFunction
  const isNamed = given.runId === runId && given.callId === call.modelCallId
  if (!isOpen && !(isGranted && isNamed)) throw notFound()
  // The submission names an execution, and nothing of what it is about.
  refuseMissing({
    providers: isProvider ? [] : ['for the provider of its run'],
    applicationTools: isFunction ? [] : ['for the function of this execution'],
  })
  if (!isNamed) throw new HostError('TOOL_EXECUTION_MISMATCH')
  return { ...asked, found: await runs.ofRecord(recorded), isOpen }
}

function notFound(): HostError {
  return new HostError('TOOL_EXECUTION_NOT_FOUND')
}
