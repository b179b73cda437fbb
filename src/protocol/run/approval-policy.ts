import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import { countSchema } from '../schema-words.ts'

/** That a run's reviews come to the application, and what they do to its clocks. */
export interface ApprovalPolicy {
  readonly mode: 'interactive'
  /** `pause`: the idle clock stands still while a person is asked; `continue`: it goes on. */
  readonly idlePolicy: 'pause' | 'continue'
  /** Milliseconds until a review that nobody decided expires; absent = never. */
  readonly expiresAfterMs?: number
}

export const approvalPolicySchema = {
  type: 'object',
  properties: {
    mode: { const: 'interactive' },
    idlePolicy: { enum: ['pause', 'continue'] },
    expiresAfterMs: countSchema(1, wireBounds.timerMsMax),
  },
  required: ['mode', 'idlePolicy'],
  additionalProperties: false,
} as const

export const approvalPolicyBody = defineBody<ApprovalPolicy>('ApprovalPolicy', approvalPolicySchema)
