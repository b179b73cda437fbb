import { defineBody } from '../body.ts'
import { idSchema } from '../schema-words.ts'
import { type ToolCall, toolCallSchema } from '../tool-call.ts'

/** A call that its application has to execute; `executionId` is the ticket for its one result. */
export interface ToolExecution {
  readonly executionId: string
  readonly runId: string
  readonly call: ToolCall
}

/** What progress and results name: `callId` is the id of the execution's call. */
export interface ToolExecutionIdentity {
  readonly executionId: string
  readonly runId: string
  readonly callId: string
}

export const toolExecutionSchema = {
  type: 'object',
  properties: { executionId: idSchema, runId: idSchema, call: toolCallSchema },
  required: ['executionId', 'runId', 'call'],
} as const

/** The members of every body that names an execution. */
export const identityProperties = { executionId: idSchema, runId: idSchema, callId: idSchema } as const

export const toolExecutionIdentitySchema = {
  type: 'object',
  properties: identityProperties,
  required: ['executionId', 'runId', 'callId'],
  additionalProperties: false,
} as const

export const toolExecutionBody = defineBody<ToolExecution>('ToolExecution', toolExecutionSchema)
export const toolExecutionIdentityBody = defineBody<ToolExecutionIdentity>(
  'ToolExecutionIdentity',
  toolExecutionIdentitySchema,
)
