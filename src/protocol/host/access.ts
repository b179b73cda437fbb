import { defineBody } from '../body.ts'
import { listSchema, setSchema, toolNameSchema } from '../schema-words.ts'

/**
 * What the holder of a token may do. What a list leaves out is refused; `*` alone stands for everything. Without an
 * `Access` (an embedded caller) nothing is refused.
 */
export interface Access {
  readonly providers: readonly string[]
  /** Tools of the host that the caller's runs may call. */
  readonly tools: readonly string[]
  /** Functions that the caller may declare and serve; a review is required unless `requiresApproval` is false. */
  readonly applicationTools: readonly ApplicationToolGrant[]
  /** Tools whose approvals the caller may decide. */
  readonly approveTools: readonly string[]
  readonly sessions: readonly SessionVerb[]
  /** Groups that the caller reviews for: he sees and decides what other subjects' runs ask of them. */
  readonly reviewerGroups: readonly string[]
  /** Whether the caller sees and ends what belongs to other subjects. */
  readonly administration: boolean
}

export interface ApplicationToolGrant {
  readonly name: string
  readonly requiresApproval?: boolean
}

export type SessionVerb = 'create' | 'read' | 'continue' | 'delete'

/** An `Access` as it is written in a configuration: what is absent is an empty list or false. */
export type AccessOptions = Partial<Access>

const namesSchema = listSchema({ type: 'string' })

export const applicationToolGrantSchema = {
  type: 'object',
  properties: { name: { anyOf: [toolNameSchema, { const: '*' }] }, requiresApproval: { type: 'boolean' } },
  required: ['name'],
  additionalProperties: false,
} as const

const accessProperties = {
  providers: namesSchema,
  tools: namesSchema,
  applicationTools: listSchema(applicationToolGrantSchema, 32),
  approveTools: namesSchema,
  sessions: setSchema({ enum: ['create', 'read', 'continue', 'delete'] }, 4),
  reviewerGroups: namesSchema,
  administration: { type: 'boolean' },
} as const

export const accessSchema = {
  type: 'object',
  properties: accessProperties,
  required: [
    'providers',
    'tools',
    'applicationTools',
    'approveTools',
    'sessions',
    'reviewerGroups',
    'administration',
  ],
} as const

export const accessOptionsSchema = {
  type: 'object',
  properties: accessProperties,
  additionalProperties: false,
} as const

export const accessBody = defineBody<Access>('Access', accessSchema)
export const accessOptionsBody = defineBody<AccessOptions>('AccessOptions', accessOptionsSchema)
