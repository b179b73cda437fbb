import { HostError } from '../../protocol/host-error.ts'
import type { ExecutionStatus } from '../../protocol/tool-executions/execution-status.ts'
import { refuseMissing } from '../access/forbidden.ts'
import type { HostParts } from '../host-parts.ts'
import { maySee, mayServeTool, type Who } from '../who.ts'
import { RecordedRuns } from './recorded-runs.ts'
import { statusOf } from './wire-execution.ts'

/** What became of an execution, for a sender whose receipt was lost. Errors: TOOL_EXECUTION_NOT_FOUND, FORBIDDEN. */
export async function executionStatus(
  { parts }: HostParts,
  executionId: string,
  who: Who,
): Promise<ExecutionStatus> {
  const execution = await new RecordedRuns(parts).ticket(executionId)
  if (execution?.ticket.kind !== 'execution' || !maySee(who, execution.recorded.subject))
    throw new HostError('TOOL_EXECUTION_NOT_FOUND')
  const isFunction = mayServeTool(who, execution.call.name)
  refuseMissing({ applicationTools: isFunction ? [] : ['for the function of this execution'] })
  return statusOf(execution)
}
