import { defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import { countSchema, cursorSchema, idSchema, listSchema, toolNameSchema } from '../schema-words.ts'
import { approvalSchema, type WireApproval } from './approval.ts'
import { type ApprovalResolution, approvalResolutionSchema } from './approval-resolution.ts'

/** An approval as the inbox shows it. */
export interface ApprovalItem {
  readonly approval: WireApproval
  readonly status: 'pending' | 'approved' | 'denied' | 'cancelled' | 'expired'
  /** Whose run asks. */
  readonly subject: string
  readonly sessionId?: string
  /** Absent while it is pending. */
  readonly resolution?: ApprovalResolution
}

/** What `GET /v1/approvals` answers: the oldest first. */
export interface ApprovalInbox {
  readonly approvals: readonly ApprovalItem[]
  readonly nextCursor?: string
}

/** What `GET /v1/approvals` can be asked; what is absent does not restrict, but for `status`, which is `pending` then. */
export interface ApprovalFilters {
  readonly status?: 'pending' | 'approved' | 'denied' | 'cancelled' | 'expired'
  readonly tool?: string
  readonly runId?: string
  readonly sessionId?: string
  readonly subject?: string
  readonly cursor?: string
  /** Default 50. */
  readonly limit?: number
}

const approvalStatusSchema = { enum: ['pending', 'approved', 'denied', 'cancelled', 'expired'] } as const

export const approvalItemSchema = {
  type: 'object',
  properties: {
    approval: approvalSchema,
    status: approvalStatusSchema,
    subject: { type: 'string' },
    sessionId: idSchema,
    resolution: approvalResolutionSchema,
  },
  required: ['approval', 'status', 'subject'],
} as const

export const approvalInboxSchema = {
  type: 'object',
  properties: { approvals: listSchema(approvalItemSchema), nextCursor: cursorSchema },
  required: ['approvals'],
} as const

export const approvalFiltersSchema = {
  type: 'object',
  properties: {
    status: approvalStatusSchema,
    tool: toolNameSchema,
    runId: idSchema,
    sessionId: idSchema,
    subject: idSchema,
    cursor: cursorSchema,
    limit: countSchema(1, wireBounds.pageItemsMax),
  },
  additionalProperties: false,
} as const

export const approvalItemBody = defineBody<ApprovalItem>('ApprovalItem', approvalItemSchema)
export const approvalInboxBody = defineBody<ApprovalInbox>('ApprovalInbox', approvalInboxSchema)
export const approvalFiltersBody = defineBody<ApprovalFilters>('ApprovalFilters', approvalFiltersSchema)
