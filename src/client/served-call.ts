import { isHostError } from '../protocol/host-error.ts'
import type { ToolExecution } from '../protocol/tool-executions/tool-execution.ts'
import type { ToolProgress } from '../protocol/tool-executions/tool-progress.ts'
import type { TicketOperations } from './ticket-operations.ts'

/** What a function may say of its progress. */
export type ProgressReport = Pick<ToolProgress, 'message' | 'fraction' | 'output'>

/** What a function is told beside its arguments. */
export interface ServedCall {
  /** Aborts when nobody waits for the result any more: look at it before every effect. */
  readonly signal: AbortSignal
  /**
   * Says that work was done; it resets the run's idle clock, so it is not for a timer. Errors: TOOL_EXECUTION_NOT_FOUND,
   * which aborts `signal` too, and those of `reportToolProgress`.
   */
  progress(report?: ProgressReport): Promise<void>
  readonly name: string
  readonly callId: string
  readonly runId: string
  readonly executionId: string
  /** The same for every execution of the same call: a key for services that must not do a thing twice. */
  readonly idempotencyKey: string
}

/** The context of one execution; `stop` aborts its signal. */
export function servedCall(
  tickets: TicketOperations,
  { executionId, runId, call }: ToolExecution,
  signal: AbortSignal,
  stop: () => void,
): ServedCall {
  const identity = { executionId, runId, callId: call.id }
  return {
    ...identity,
    name: call.name,
    idempotencyKey: `${runId}:${call.id}`,
    signal,
    progress: async (report = {}) => {
      try {
        await tickets.reportToolProgress({ ...report, ...identity }, { signal })
      } catch (fault) {
        if (isHostError(fault) && fault.code === 'TOOL_EXECUTION_NOT_FOUND') stop()
        throw fault
      }
    },
  }
}
