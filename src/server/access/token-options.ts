import { type AccessOptions, accessOptionsSchema } from '../../protocol/host/access.ts'

/** Who holds a token and what he may do with it. */
export interface TokenOptions extends AccessOptions {
  /** 32 to 4,096 characters of printable ASCII, without white space. */
  readonly token: string
  /** Whose runs these are, 1 to 128 characters; several tokens may have the same. */
  readonly subject: string
  /** The group whose reviewers see what these runs ask. */
  readonly group?: string
}

/** Members of a token in a configuration, but for the token itself. */
export const holderProperties = {
  subject: { type: 'string', minLength: 1, maxLength: 128 },
  group: { type: 'string', minLength: 1, maxLength: 128 },
  ...accessOptionsSchema.properties,
} as const

/** What a token looks like; those who guess have 32 characters to guess. */
export const tokenSchema = {
  type: 'string',
  minLength: 32,
  maxLength: 4_096,
  pattern: '^[!-~]*$',
} as const

export const tokenOptionsSchema = {
  type: 'object',
  properties: { token: tokenSchema, ...holderProperties },
  required: ['token', 'subject'],
  additionalProperties: false,
} as const
