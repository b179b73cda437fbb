import type { JsonObject } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { idSchema, objectSchema, remarkSchema } from '../schema-words.ts'
import { sentCallSchema, type ToolCall } from '../tool-call.ts'

/** A person's answer: it names exactly the call that was shown. */
export interface ApprovalDecision {
  readonly approvalId: string
  readonly runId: string
  readonly call: ToolCall
  /** `deny` refuses the call; `cancel` ends its run. */
  readonly decision: 'approve' | 'deny' | 'cancel'
  /** What the model is told of a refusal. */
  readonly reason?: string
  /** With `approve` only: what the call runs with instead. */
  readonly editedArguments?: JsonObject
}

export const approvalDecisionSchema = {
  type: 'object',
  properties: {
    approvalId: idSchema,
    runId: idSchema,
    call: sentCallSchema,
    decision: { enum: ['approve', 'deny', 'cancel'] },
    reason: remarkSchema,
    editedArguments: objectSchema,
  },
  required: ['approvalId', 'runId', 'call', 'decision'],
  additionalProperties: false,
  if: { required: ['editedArguments'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { decision: { const: 'approve' } } },
} as const

export const approvalDecisionBody = defineBody<ApprovalDecision>('ApprovalDecision', approvalDecisionSchema)
