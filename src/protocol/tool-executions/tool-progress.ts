import type { JsonValue } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { remarkSchema } from '../schema-words.ts'
import { identityProperties, type ToolExecutionIdentity } from './tool-execution.ts'

/** That an execution got on, and with what. */
export interface ToolProgress extends ToolExecutionIdentity {
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
  /** What there is so far; at most 128,000 bytes of JSON. */
  readonly output?: JsonValue
}

/** The receipt of a progress report. */
export interface ToolProgressReceipt extends ToolExecutionIdentity {
  readonly status: 'progress'
}

export const toolProgressSchema = {
  type: 'object',
  properties: {
    ...identityProperties,
    message: remarkSchema,
    fraction: { type: 'number', minimum: 0, maximum: 1 },
    output: {},
  },
  required: ['executionId', 'runId', 'callId'],
  additionalProperties: false,
} as const

export const toolProgressReceiptSchema = {
  type: 'object',
  properties: { ...identityProperties, status: { const: 'progress' } },
  required: ['executionId', 'runId', 'callId', 'status'],
} as const

export const toolProgressBody = defineBody<ToolProgress>('ToolProgress', toolProgressSchema)
export const toolProgressReceiptBody = defineBody<ToolProgressReceipt>(
  'ToolProgressReceipt',
  toolProgressReceiptSchema,
)
