import { approvalSchema, type WireApproval } from '../approvals/approval.ts'
import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import { type ErrorDetails, errorDetailsSchema } from '../error-body.ts'
import {
  countSchema,
  cursorSchema,
  idSchema,
  listSchema,
  remarkSchema,
  timestampSchema,
} from '../schema-words.ts'
import { type ToolCall, toolCallSchema } from '../tool-call.ts'
import { type ToolExecution, toolExecutionSchema } from '../tool-executions/tool-execution.ts'
import { type RunResult, runResultSchema } from './run-result.ts'

/** Where a run is: what `GET /v1/runs/{runId}` answers. */
export interface RunStatus {
  readonly runId: string
  readonly provider: string
  readonly model: string
  /** `waiting`: nothing goes on before somebody decides or gives a result. */
  readonly status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
  readonly startedAt: string
  readonly endedAt?: string
  readonly sessionId?: string
  /** When it completed. */
  readonly result?: RunResult
  /** When it failed or was cancelled. */
  readonly error?: ErrorDetails
  readonly pendingApprovals: readonly WireApproval[]
  readonly pendingExecutions: readonly ToolExecution[]
  /** Calls that may have done something; `POST /v1/calls/reconcile` says what was found. */
  readonly uncertainCalls: readonly ToolCall[]
}

/** What `GET /v1/runs` answers: the newest first. */
export interface RunPage {
  readonly runs: readonly RunStatus[]
  readonly nextCursor?: string
}

/** What `GET /v1/runs` can be asked. */
export interface RunFilters {
  /** True = only runs with a call whose outcome is uncertain. */
  readonly uncertain?: boolean
  readonly status?: RunStatus['status']
  readonly cursor?: string
  /** Default 50. */
  readonly limit?: number
}

/** What `POST /v1/runs/{runId}/cancel` takes; it answers a `RunStatus`. */
export interface RunCancelRequest {
  readonly reason?: string
}

const statusSchema = { enum: ['running', 'waiting', 'completed', 'failed', 'cancelled'] } as const

export const runStatusSchema = {
  type: 'object',
  properties: {
    runId: idSchema,
    provider: { type: 'string' },
    model: { type: 'string' },
    status: statusSchema,
    startedAt: timestampSchema,
    endedAt: timestampSchema,
    sessionId: idSchema,
    result: runResultSchema,
    error: errorDetailsSchema,
    pendingApprovals: listSchema(approvalSchema),
    pendingExecutions: listSchema(toolExecutionSchema),
    uncertainCalls: listSchema(toolCallSchema),
  },
  required: [
    'runId',
    'provider',
    'model',
    'status',
    'startedAt',
    'pendingApprovals',
    'pendingExecutions',
    'uncertainCalls',
  ],
} as const

export const runPageSchema = {
  type: 'object',
  properties: { runs: listSchema(runStatusSchema), nextCursor: cursorSchema },
  required: ['runs'],
} as const

export const runFiltersSchema = {
  type: 'object',
  properties: {
    uncertain: { type: 'boolean' },
    status: statusSchema,
    cursor: cursorSchema,
    limit: countSchema(1, wireBounds.pageItemsMax),
  },
  additionalProperties: false,
} as const

export const runCancelRequestSchema = {
  type: 'object',
  properties: { reason: remarkSchema },
  additionalProperties: false,
} as const

export const runStatusBody = defineBody<RunStatus>('RunStatus', runStatusSchema)
export const runPageBody = defineBody<RunPage>('RunPage', runPageSchema)
export const runFiltersBody = defineBody<RunFilters>('RunFilters', runFiltersSchema)
export const runCancelRequestBody = defineBody<RunCancelRequest>('RunCancelRequest', runCancelRequestSchema)
