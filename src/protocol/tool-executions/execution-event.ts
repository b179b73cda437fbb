import { defineBody } from '../body.ts'
import { timestampSchema } from '../schema-words.ts'
import {
  identityProperties,
  type ToolExecution,
  type ToolExecutionIdentity,
  toolExecutionSchema,
} from './tool-execution.ts'

/** What `GET /v1/tool-executions/stream` says to a worker that serves many runs. */
export type ExecutionEvent = ExecutionRequestedEvent | ExecutionClosedEvent

/** There is work. */
export interface ExecutionRequestedEvent {
  readonly type: 'execution.requested'
  readonly timestamp: string
  readonly execution: ToolExecution
}

/** An execution needs no result any more; whoever is at it should stop. */
export interface ExecutionClosedEvent {
  readonly type: 'execution.closed'
  readonly timestamp: string
  readonly execution: ToolExecutionIdentity
  readonly status: 'completed' | 'failed' | 'refused' | 'cancelled'
}

export const executionRequestedEventSchema = {
  type: 'object',
  properties: {
    type: { const: 'execution.requested' },
    timestamp: timestampSchema,
    execution: toolExecutionSchema,
  },
  required: ['type', 'timestamp', 'execution'],
} as const

export const executionClosedEventSchema = {
  type: 'object',
  properties: {
    type: { const: 'execution.closed' },
    timestamp: timestampSchema,
    execution: {
      type: 'object',
      properties: identityProperties,
      required: ['executionId', 'runId', 'callId'],
    },
    status: { enum: ['completed', 'failed', 'refused', 'cancelled'] },
  },
  required: ['type', 'timestamp', 'execution', 'status'],
} as const

export const executionEventSchema = {
  oneOf: [executionRequestedEventSchema, executionClosedEventSchema],
} as const

export const executionEventBody = defineBody<ExecutionEvent>('ExecutionEvent', executionEventSchema)
