import { defineBody } from '../body.ts'
import { countSchema, idSchema, modelNameSchema, providerNameSchema } from '../schema-words.ts'

/** What `POST /v1/sessions/create` takes. A session belongs to one provider. */
export interface SessionCreate {
  readonly provider: string
  readonly model?: string
  /** Absent = the host chooses one. */
  readonly id?: string
}

/** What `POST /v1/sessions/read` takes. */
export interface SessionRead {
  readonly id: string
}

/** What `POST /v1/sessions/delete` takes; a `revision` that is not the newest is refused. */
export interface SessionDelete {
  readonly id: string
  readonly revision?: number
}

export const sessionCreateSchema = {
  type: 'object',
  properties: { provider: providerNameSchema, model: modelNameSchema, id: idSchema },
  required: ['provider'],
  additionalProperties: false,
} as const

export const sessionReadSchema = {
  type: 'object',
  properties: { id: idSchema },
  required: ['id'],
  additionalProperties: false,
} as const

export const sessionDeleteSchema = {
  type: 'object',
  properties: { id: idSchema, revision: countSchema(0) },
  required: ['id'],
  additionalProperties: false,
} as const

export const sessionCreateBody = defineBody<SessionCreate>('SessionCreate', sessionCreateSchema)
export const sessionReadBody = defineBody<SessionRead>('SessionRead', sessionReadSchema)
export const sessionDeleteBody = defineBody<SessionDelete>('SessionDelete', sessionDeleteSchema)
