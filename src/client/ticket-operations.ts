import type { JsonObject } from '../core/json/value.ts'
import type { ApprovalDecision } from '../protocol/approvals/approval-decision.ts'
import {
  type ApprovalFilters,
  type ApprovalInbox,
  approvalInboxBody,
} from '../protocol/approvals/approval-inbox.ts'
import { type ApprovalResolution, approvalResolutionBody } from '../protocol/approvals/approval-resolution.ts'
import { formatQuery } from '../protocol/parse-query.ts'
import { routes } from '../protocol/routes.ts'
import type { ExecutionEvent } from '../protocol/tool-executions/execution-event.ts'
import { type ExecutionStatus, executionStatusBody } from '../protocol/tool-executions/execution-status.ts'
import {
  type ExecutionFilters,
  type PendingExecutions,
  pendingExecutionsBody,
} from '../protocol/tool-executions/pending-executions.ts'
import type { ToolExecutionIdentity } from '../protocol/tool-executions/tool-execution.ts'
import {
  type ToolProgress,
  type ToolProgressReceipt,
  toolProgressReceiptBody,
} from '../protocol/tool-executions/tool-progress.ts'
import {
  type ToolResult,
  type ToolResultReceipt,
  toolResultReceiptBody,
} from '../protocol/tool-executions/tool-result.ts'
import { ask } from './ask.ts'
import type { RequestOptions } from './client-options.ts'
import { ClosableStream } from './closable-stream.ts'
import type { Exchange } from './exchange.ts'
import { executionEvents } from './execution-events.ts'
import { readOptions } from './read-options.ts'

/** What a client does with approvals and executions. A receipt that does not echo what was sent is INVALID_RESPONSE. */
export interface TicketOperations {
  /** Decides an approval, once. Errors: INVALID_APPROVAL, APPROVAL_NOT_FOUND, APPROVAL_MISMATCH, APPROVAL_AUDIT_FAILED, FORBIDDEN. */
  decideApproval(decision: ApprovalDecision, options?: RequestOptions): Promise<ApprovalResolution>
  /** Approvals that the caller can decide or has an interest in, the oldest first; those that wait, unless `status` says otherwise. */
  approvals(filters?: ApprovalFilters, options?: RequestOptions): Promise<ApprovalInbox>
  /** Says that an execution got on. Errors: INVALID_TOOL_EXECUTION, TOOL_EXECUTION_NOT_FOUND, TOOL_EXECUTION_MISMATCH, FORBIDDEN. */
  reportToolProgress(progress: ToolProgress, options?: RequestOptions): Promise<ToolProgressReceipt>
  /**
   * Gives the one result of an execution. With a `resultKey` the same result may be sent again when its receipt was lost.
   * Errors: INVALID_TOOL_EXECUTION, TOOL_EXECUTION_NOT_FOUND, TOOL_EXECUTION_MISMATCH, FORBIDDEN, TOOL_RESULT_CONFLICT;
   * TOOL_OUTPUT_LIMIT and INVALID_TOOL_OUTPUT use the execution up.
   */
  completeTool(result: ToolResult, options?: RequestOptions): Promise<ToolResultReceipt>
  /** What became of an execution. Errors: TOOL_EXECUTION_NOT_FOUND. */
  executionStatus(executionId: string, options?: RequestOptions): Promise<ExecutionStatus>
  /** Executions that wait for their results, the oldest first. */
  pendingExecutions(filters?: ExecutionFilters, options?: RequestOptions): Promise<PendingExecutions>
  /**
   * Executions of all the caller's runs as they come and go, those that wait already first; ends when the host ends the
   * stream. Errors: FORBIDDEN, INVALID_STREAM, INCOMPLETE_STREAM, UNSUPPORTED_EVENT.
   */
  executionEvents(options?: RequestOptions): AsyncGenerator<ExecutionEvent, void, undefined>
}

const outcomes = { approve: 'approved', deny: 'denied', cancel: 'cancelled' } as const

/** What a client does with approvals and executions, over one way to a host. */
export function ticketOperations(exchange: Exchange): TicketOperations {
  return {
    decideApproval: async (body, given) => {
      const options = readOptions(given, 'client.decideApproval()')
      const { approvalId, runId, call, decision } = body
      // Without a call the host refuses it.
      const echoes = { approvalId, runId, callId: call?.id, outcome: outcomes[decision] }
      const route = routes.decideApproval
      return await ask(exchange, { ...options, route, body, answer: approvalResolutionBody, echoes })
    },
    approvals: async (filters = {}, given) => {
      const options = readOptions(given, 'client.approvals()')
      const query = formatQuery(filters)
      return await ask(exchange, {
        ...options,
        route: routes.listApprovals,
        query,
        answer: approvalInboxBody,
      })
    },
    reportToolProgress: async (body, given) => {
      const options = readOptions(given, 'client.reportToolProgress()')
      const answer = toolProgressReceiptBody
      const route = routes.reportToolProgress
      return await ask(exchange, { ...options, route, body, answer, echoes: identityOf(body) })
    },
    completeTool: async (body, given) => {
      const options = readOptions(given, 'client.completeTool()')
      const answer = toolResultReceiptBody
      return await ask(exchange, {
        ...options,
        route: routes.completeTool,
        body,
        answer,
        echoes: identityOf(body),
      })
    },
    executionStatus: async (executionId, given) => {
      const options = readOptions(given, 'client.executionStatus()')
      const echoes = { executionId }
      const route = routes.readExecution
      return await ask(exchange, { ...options, route, parts: echoes, answer: executionStatusBody, echoes })
    },
    pendingExecutions: async (filters = {}, given) => {
      const options = readOptions(given, 'client.pendingExecutions()')
      const query = formatQuery(filters)
      return await ask(exchange, {
        ...options,
        route: routes.listExecutions,
        query,
        answer: pendingExecutionsBody,
      })
    },
    executionEvents: (options) => {
      const { signal } = readOptions(options, 'client.executionEvents()')
      return new ClosableStream((closing) => executionEvents(exchange, closing), signal)
    },
  }
}

function identityOf({ executionId, runId, callId }: ToolExecutionIdentity): JsonObject {
  return { executionId, runId, callId }
}
