import type { JsonObject } from '../../core/json/value.ts'
import { defineBody } from '../body.ts'
import { idSchema, objectSchema, timestampSchema } from '../schema-words.ts'

/** How an approval ended: the receipt of a decision, and what the run's stream says. */
export interface ApprovalResolution {
  readonly approvalId: string
  readonly runId: string
  readonly callId: string
  readonly outcome: 'approved' | 'denied' | 'cancelled' | 'expired'
  readonly decidedAt: string
  readonly reason?: string
  /** What the call was approved with, when that is not what was asked for. */
  readonly editedArguments?: JsonObject
  /** The subject who decided. */
  readonly decidedBy?: string
}

export const approvalResolutionSchema = {
  type: 'object',
  properties: {
    approvalId: idSchema,
    runId: idSchema,
    callId: idSchema,
    outcome: { enum: ['approved', 'denied', 'cancelled', 'expired'] },
    decidedAt: timestampSchema,
    reason: { type: 'string' },
    editedArguments: objectSchema,
    decidedBy: { type: 'string' },
  },
  required: ['approvalId', 'runId', 'callId', 'outcome', 'decidedAt'],
} as const

export const approvalResolutionBody = defineBody<ApprovalResolution>(
  'ApprovalResolution',
  approvalResolutionSchema,
)
