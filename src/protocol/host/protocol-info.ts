import { defineBody } from '../body.ts'
import { countSchema, listSchema } from '../schema-words.ts'
import { type Access, accessSchema } from './access.ts'

/** What `GET /v1/protocol` answers: what this host does, how much of it, and for whom. */
export interface ProtocolInfo {
  readonly protocol: 'toolpost'
  readonly version: string
  readonly supportedVersions: readonly string[]
  /** Of `hostFeatures`, or what a newer host has. */
  readonly features: readonly string[]
  /** Bounds by the names of `wireBounds`, as this host keeps them, and bounds of its own. */
  readonly limits: { readonly [name: string]: number }
  /** The `$schema` of each dialect that schemas can be written in. */
  readonly dialects: readonly string[]
  /** What the caller may do. */
  readonly grants: Access
}

/** What a host can say that it does. */
export const hostFeatures = [
  'json-results',
  'conversation-sessions',
  'application-tools',
  'interactive-approvals',
  'event-stream',
  'event-resume',
  'cancel-on-disconnect',
  'optional-idle-timeout',
  'required-capabilities',
  'optional-events',
  'provider-discovery',
  'idempotency',
  'execution-status',
  'execution-stream',
  'result-keys',
  'approval-inbox',
  'edited-arguments',
  'run-status',
  'reconciliation',
] as const

export type HostFeature = (typeof hostFeatures)[number]

export const protocolInfoSchema = {
  type: 'object',
  properties: {
    protocol: { const: 'toolpost' },
    version: { type: 'string' },
    supportedVersions: listSchema({ type: 'string' }),
    features: listSchema({ type: 'string' }),
    limits: { type: 'object', additionalProperties: countSchema(0) },
    dialects: listSchema({ type: 'string' }),
    grants: accessSchema,
  },
  required: ['protocol', 'version', 'supportedVersions', 'features', 'limits', 'dialects', 'grants'],
} as const

export const protocolInfoBody = defineBody<ProtocolInfo>('ProtocolInfo', protocolInfoSchema)
