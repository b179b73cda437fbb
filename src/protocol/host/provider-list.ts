import { defineBody } from '../body.ts'
import { listSchema, timestampSchema } from '../schema-words.ts'

/** A provider that the caller may use. */
export interface ProviderInfo {
  readonly provider: string
  /** Names of models; when `modelsComplete` is false there are others too. */
  readonly models: readonly string[]
  readonly modelsComplete: boolean
  /** What it can do, by the names that `requiredCapabilities` uses. */
  readonly capabilities: { readonly [name: string]: boolean }
  readonly health: ProviderHealth
}

/** Whether a provider answers, as far as the host knows. */
export interface ProviderHealth {
  readonly status: 'ready' | 'unavailable' | 'unknown'
  readonly message?: string
  readonly checkedAt?: string
}

/** What `GET /v1/providers` answers. */
export interface ProviderList {
  readonly providers: readonly ProviderInfo[]
}

const healthSchema = {
  type: 'object',
  properties: {
    status: { enum: ['ready', 'unavailable', 'unknown'] },
    message: { type: 'string' },
    checkedAt: timestampSchema,
  },
  required: ['status'],
} as const

export const providerInfoSchema = {
  type: 'object',
  properties: {
    provider: { type: 'string' },
    models: listSchema({ type: 'string' }),
    modelsComplete: { type: 'boolean' },
    capabilities: { type: 'object', additionalProperties: { type: 'boolean' } },
    health: healthSchema,
  },
  required: ['provider', 'models', 'modelsComplete', 'capabilities', 'health'],
} as const

export const providerListSchema = {
  type: 'object',
  properties: { providers: listSchema(providerInfoSchema) },
  required: ['providers'],
} as const

export const providerInfoBody = defineBody<ProviderInfo>('ProviderInfo', providerInfoSchema)
export const providerListBody = defineBody<ProviderList>('ProviderList', providerListSchema)
