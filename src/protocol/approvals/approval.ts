import { defineBody } from '../body.ts'
import { idSchema, listSchema, timestampSchema } from '../schema-words.ts'
import { type ToolCall, toolCallSchema } from '../tool-call.ts'

/** A call that waits for a person. */
export interface WireApproval {
  readonly approvalId: string
  readonly runId: string
  readonly call: ToolCall
  readonly requestedAt: string
  /** Absent = it never expires. */
  readonly expiresAt?: string
  readonly idlePolicy: 'pause' | 'continue'
  /** What the tool says of itself. */
  readonly description?: string
  /** Its class: read, sensitive, write, external or destructive. */
  readonly toolClass?: string
  /** Why somebody is asked, one sentence each. */
  readonly reasons?: readonly string[]
  /** What the call would do, in the tool's own words. */
  readonly preview?: string
}

export const approvalSchema = {
  type: 'object',
  properties: {
    approvalId: idSchema,
    runId: idSchema,
    call: toolCallSchema,
    requestedAt: timestampSchema,
    expiresAt: timestampSchema,
    idlePolicy: { enum: ['pause', 'continue'] },
    description: { type: 'string' },
    toolClass: { type: 'string' },
    reasons: listSchema({ type: 'string' }),
    preview: { type: 'string' },
  },
  required: ['approvalId', 'runId', 'call', 'requestedAt', 'idlePolicy'],
} as const

export const approvalBody = defineBody<WireApproval>('Approval', approvalSchema)
