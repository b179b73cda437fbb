import type { CallState } from '../../core/run/state.ts'
import { isUncertain, wasUncertain } from '../../core/run/uncertain.ts'
import type { ErrorDetails } from '../../protocol/error-body.ts'
import type { ExecutionStatus } from '../../protocol/tool-executions/execution-status.ts'
import type { ToolExecution, ToolExecutionIdentity } from '../../protocol/tool-executions/tool-execution.ts'
import { wireCallOf } from '../runs/wire-calls.ts'
import type { RecordedTicket } from './recorded-runs.ts'

/** An execution as its worker sees it. */
export function executionOf({ recorded, ticket, call }: RecordedTicket): ToolExecution {
  return { executionId: ticket.id, runId: recorded.run.runId, call: wireCallOf(call) }
}

export function identityOf({ recorded, ticket, call }: RecordedTicket): ToolExecutionIdentity {
  return { executionId: ticket.id, runId: recorded.run.runId, callId: call.modelCallId }
}

/** What became of an execution. */
export function statusOf(execution: RecordedTicket): ExecutionStatus {
  const { ticket, call } = execution
  const { decided } = ticket
  const { key, digest } = call.execution?.result ?? {}
  const error = errorOf(call)
  return {
    ...identityOf(execution),
    name: call.name,
    status: wordOf(call),
    requestedAt: new Date(ticket.requestedAt).toISOString(),
    ...(decided === undefined ? {} : { settledAt: new Date(decided.at).toISOString() }),
    ...(digest === undefined ? {} : { resultDigest: digest }),
    ...(key === undefined ? {} : { resultKey: key }),
    ...(error === undefined ? {} : { error }),
  }
}

const refusals: Readonly<Record<string, string>> = {
  invalid_output: 'INVALID_TOOL_OUTPUT',
  output_too_large: 'TOOL_OUTPUT_LIMIT',
}

function wordOf({ end, execution }: CallState): ExecutionStatus['status'] {
  if (end === undefined) return 'pending'
  if (execution?.by === undefined) return 'cancelled'
  if (end.status === 'completed') return 'completed'
  return end.status === 'failed' && Object.hasOwn(refusals, end.code) ? 'refused' : 'failed'
}

/** What came of it that is no output; what nobody has found out yet is uncertain. */
function errorOf(call: CallState): ErrorDetails | undefined {
  const { end, execution } = call
  if (end === undefined || end.status === 'completed') return undefined
  const own = end.status === 'failed' ? refusals[end.code] : undefined
  const code = execution?.by === undefined ? 'CANCELLED' : (own ?? 'APPLICATION_TOOL_FAILED')
  const outcome = wasUncertain(call) && isUncertain(call) ? { outcome: 'uncertain' as const } : {}
  return { code, message: end.message, retryable: false, ...outcome }
}
