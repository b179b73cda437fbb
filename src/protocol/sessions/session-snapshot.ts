import { defineBody } from '../body.ts'
import { countSchema, idSchema, listSchema, timestampSchema } from '../schema-words.ts'

/** A session as its owner sees it. */
export interface SessionSnapshot {
  readonly id: string
  /** Rises with every turn. */
  readonly revision: number
  readonly provider: string
  readonly model?: string
  readonly status: 'idle' | 'busy' | 'interrupted'
  readonly createdAt: string
  /** The newest messages, the oldest of them first. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
}

/** That a session is gone. */
export interface SessionDeleted {
  readonly id: string
  readonly deleted: true
}

export const sessionSnapshotSchema = {
  type: 'object',
  properties: {
    id: idSchema,
    revision: countSchema(0),
    provider: { type: 'string' },
    model: { type: 'string' },
    status: { enum: ['idle', 'busy', 'interrupted'] },
    createdAt: timestampSchema,
    messages: listSchema({
      type: 'object',
      properties: { role: { enum: ['user', 'assistant'] }, content: { type: 'string' } },
      required: ['role', 'content'],
    }),
  },
  required: ['id', 'revision', 'provider', 'status', 'createdAt', 'messages'],
} as const

export const sessionDeletedSchema = {
  type: 'object',
  properties: { id: idSchema, deleted: { const: true } },
  required: ['id', 'deleted'],
} as const

export const sessionSnapshotBody = defineBody<SessionSnapshot>('SessionSnapshot', sessionSnapshotSchema)
export const sessionDeletedBody = defineBody<SessionDeleted>('SessionDeleted', sessionDeletedSchema)
