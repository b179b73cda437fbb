import { defineBody } from '../body.ts'
import { idSchema } from '../schema-words.ts'

/** That a run is gone, with all that it recorded. */
export interface RunDeleted {
  readonly runId: string
  readonly deleted: true
}

export const runDeletedSchema = {
  type: 'object',
  properties: { runId: idSchema, deleted: { const: true } },
  required: ['runId', 'deleted'],
} as const

export const runDeletedBody = defineBody<RunDeleted>('RunDeleted', runDeletedSchema)
