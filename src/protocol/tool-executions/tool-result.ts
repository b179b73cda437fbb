import type { JsonValue } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { idSchema } from '../schema-words.ts'
import { identityProperties, type ToolExecutionIdentity } from './tool-execution.ts'

/** An execution's outcome: exactly one of an output and the one word for a failure, never both and no free text. */
export type ToolResult = ToolOutput | ToolFailure

export interface ToolOutput extends ToolExecutionIdentity {
  /** Any JSON, null included; at most 128,000 bytes. */
  readonly output: JsonValue
  /** The same key and the same outcome get the same receipt again. */
  readonly resultKey?: string
}

export interface ToolFailure extends ToolExecutionIdentity {
  readonly error: 'APPLICATION_TOOL_FAILED'
  readonly resultKey?: string
}

/** The receipt of a result: that it was taken, not that the model did well with it. */
export interface ToolResultReceipt extends ToolExecutionIdentity {
  readonly status: 'accepted'
}

export const toolOutputSchema = {
  type: 'object',
  properties: { ...identityProperties, output: {}, resultKey: idSchema },
  required: ['executionId', 'runId', 'callId', 'output'],
  additionalProperties: false,
} as const

export const toolFailureSchema = {
  type: 'object',
  properties: { ...identityProperties, error: { const: 'APPLICATION_TOOL_FAILED' }, resultKey: idSchema },
  required: ['executionId', 'runId', 'callId', 'error'],
  additionalProperties: false,
} as const

export const toolResultSchema = { oneOf: [toolOutputSchema, toolFailureSchema] } as const

export const toolResultReceiptSchema = {
  type: 'object',
  properties: { ...identityProperties, status: { const: 'accepted' } },
  required: ['executionId', 'runId', 'callId', 'status'],
} as const

export const toolResultBody = defineBody<ToolResult>('ToolResult', toolResultSchema)
export const toolResultReceiptBody = defineBody<ToolResultReceipt>(
  'ToolResultReceipt',
  toolResultReceiptSchema,
)
