import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import {
  countSchema,
  cursorSchema,
  idSchema,
  listSchema,
  timestampSchema,
  toolNameSchema,
} from '../schema-words.ts'
import { type ToolExecution, toolExecutionSchema } from './tool-execution.ts'

/** An execution that waits for its result. */
export interface PendingExecution {
  readonly execution: ToolExecution
  readonly requestedAt: string
  readonly provider: string
  readonly model: string
}

/** What `GET /v1/tool-executions` answers: the oldest first. */
export interface PendingExecutions {
  readonly executions: readonly PendingExecution[]
  readonly nextCursor?: string
}

/** What `GET /v1/tool-executions` can be asked. */
export interface ExecutionFilters {
  readonly runId?: string
  readonly tool?: string
  readonly cursor?: string
  /** Default 50. */
  readonly limit?: number
}

export const pendingExecutionSchema = {
  type: 'object',
  properties: {
    execution: toolExecutionSchema,
    requestedAt: timestampSchema,
    provider: { type: 'string' },
    model: { type: 'string' },
  },
  required: ['execution', 'requestedAt', 'provider', 'model'],
} as const

export const pendingExecutionsSchema = {
  type: 'object',
  properties: { executions: listSchema(pendingExecutionSchema), nextCursor: cursorSchema },
  required: ['executions'],
} as const

export const executionFiltersSchema = {
  type: 'object',
  properties: {
    runId: idSchema,
    tool: toolNameSchema,
    cursor: cursorSchema,
    limit: countSchema(1, wireBounds.pageItemsMax),
  },
  additionalProperties: false,
} as const

export const pendingExecutionBody = defineBody<PendingExecution>('PendingExecution', pendingExecutionSchema)
export const pendingExecutionsBody = defineBody<PendingExecutions>(
  'PendingExecutions',
  pendingExecutionsSchema,
)
export const executionFiltersBody = defineBody<ExecutionFilters>('ExecutionFilters', executionFiltersSchema)
