import { defineBody } from '../body.ts'

/** What `GET /health` answers whoever asks. */
export interface Health {
  readonly status: 'ok'
  readonly protocol: 'toolpost.v1'
}

export const healthSchema = {
  type: 'object',
  properties: { status: { const: 'ok' }, protocol: { const: 'toolpost.v1' } },
  required: ['status', 'protocol'],
} as const

export const healthBody = defineBody<Health>('Health', healthSchema)
