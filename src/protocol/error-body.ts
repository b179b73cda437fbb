import { defineBody } from './body.ts'

/** What went wrong. `outcome` is there when something may have been done. */
export interface ErrorDetails {
  /** Of `wireErrors`, or one that a newer host knows. */
  readonly code: string
  readonly message: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  readonly outcome?: 'uncertain'
}

/** The body of every response that is no success. */
export interface ErrorBody {
  readonly error: ErrorDetails
}

export const errorDetailsSchema = {
  type: 'object',
  properties: {
    code: { type: 'string', minLength: 1 },
    message: { type: 'string' },
    retryable: { type: 'boolean' },
    outcome: { const: 'uncertain' },
  },
  required: ['code', 'message', 'retryable'],
} as const

export const errorBodySchema = {
  type: 'object',
  properties: { error: errorDetailsSchema },
  required: ['error'],
} as const

export const errorDetailsBody = defineBody<ErrorDetails>('ErrorDetails', errorDetailsSchema)
export const errorBody = defineBody<ErrorBody>('ErrorBody', errorBodySchema)
