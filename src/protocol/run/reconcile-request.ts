import { defineBody } from '../body.ts'
import { idSchema, remarkSchema } from '../schema-words.ts'

/** What somebody found out about a call whose outcome nobody saw. */
export interface ReconcileRequest {
  readonly runId: string
  readonly callId: string
  readonly found: 'completed' | 'failed' | 'not_run'
  readonly note?: string
}

/** That it was noted down. */
export interface ReconcileReceipt {
  readonly runId: string
  readonly callId: string
  readonly found: 'completed' | 'failed' | 'not_run'
  readonly status: 'reconciled'
}

const foundSchema = { enum: ['completed', 'failed', 'not_run'] } as const

export const reconcileRequestSchema = {
  type: 'object',
  properties: { runId: idSchema, callId: idSchema, found: foundSchema, note: remarkSchema },
  required: ['runId', 'callId', 'found'],
  additionalProperties: false,
} as const

export const reconcileReceiptSchema = {
  type: 'object',
  properties: { runId: idSchema, callId: idSchema, found: foundSchema, status: { const: 'reconciled' } },
  required: ['runId', 'callId', 'found', 'status'],
} as const

export const reconcileRequestBody = defineBody<ReconcileRequest>('ReconcileRequest', reconcileRequestSchema)
export const reconcileReceiptBody = defineBody<ReconcileReceipt>('ReconcileReceipt', reconcileReceiptSchema)
