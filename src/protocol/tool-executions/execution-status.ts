import { defineBody } from '../body.ts'
import { type ErrorDetails, errorDetailsSchema } from '../error-body.ts'
import { idSchema, timestampSchema, toolNameSchema } from '../schema-words.ts'
import { identityProperties, type ToolExecutionIdentity } from './tool-execution.ts'

/** What became of an execution: for a sender whose receipt was lost. */
export interface ExecutionStatus extends ToolExecutionIdentity {
  readonly name: string
  /** `refused`: a result came and was not taken, as `error` says; `cancelled`: its run ended first. */
  readonly status: 'pending' | 'completed' | 'failed' | 'refused' | 'cancelled'
  readonly requestedAt: string
  /** Absent while it is pending. */
  readonly settledAt?: string
  /** `sha256:` and hex of the canonical JSON of the outcome that was taken. */
  readonly resultDigest?: string
  readonly resultKey?: string
  readonly error?: ErrorDetails
}

export const executionStatusSchema = {
  type: 'object',
  properties: {
    ...identityProperties,
    name: toolNameSchema,
    status: { enum: ['pending', 'completed', 'failed', 'refused', 'cancelled'] },
    requestedAt: timestampSchema,
    settledAt: timestampSchema,
    resultDigest: { type: 'string' },
    resultKey: idSchema,
    error: errorDetailsSchema,
  },
  required: ['executionId', 'runId', 'callId', 'name', 'status', 'requestedAt'],
} as const

export const executionStatusBody = defineBody<ExecutionStatus>('ExecutionStatus', executionStatusSchema)
