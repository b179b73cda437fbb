import { parseJson } from '../../core/json/strict.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'
import { modelNameSchema, providerNameSchema } from '../../protocol/schema-words.ts'
import { holderProperties, type TokenOptions, tokenSchema } from '../access/token-options.ts'
import type { HostOptions } from '../host-options.ts'
import { corsSchema } from './app-options.ts'
import { hostDataProperties } from './host-data.ts'
import { invalidConfig, requireConfig } from './invalid-config.ts'
import { addressProperties } from './serve-options.ts'

/** A host as a JSON file describes it. Paths are relative to the file. */
export interface HostFile
  extends Pick<HostOptions, 'applicationTools' | 'approvals' | 'sessions' | 'limits'> {
  readonly host?: string
  readonly port?: number
  /** Files with a key and its certificate, as PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly cors?: readonly string[]
  readonly tokens: readonly FileToken[]
  readonly providers: { readonly [name: string]: FileProvider }
  /** The file that everything is recorded in; absent = memory, which forgets with the process. */
  readonly store?: string
}

/** A token, or the variable of the environment that holds it. */
export interface FileToken extends Omit<TokenOptions, 'token'> {
  readonly token?: string
  readonly tokenEnv?: string
}

/** A package of an AI SDK provider, and the models that requests may name. */
export interface FileProvider {
  /** Such as `@ai-sdk/openai`. */
  readonly package: string
  readonly models: readonly string[]
  /** The variable with the provider's key; absent = the one that the package reads itself. */
  readonly apiKeyEnv?: string
  readonly baseUrl?: string
  /** The export that makes the provider; absent = the only one whose name begins with `create`. */
  readonly factory?: string
  /** The provider's method that makes a model, such as `chat`; absent = the provider itself is called. */
  readonly api?: string
  readonly capabilities?: { readonly [name: string]: boolean }
}

const variableSchema = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } as const
const pathSchema = { type: 'string', minLength: 1 } as const
const exportSchema = { type: 'string', pattern: '^[A-Za-z_$][A-Za-z0-9_$]*$' } as const

const providerSchema = {
  type: 'object',
  properties: {
    package: { type: 'string', pattern: '^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$' },
    models: { type: 'array', items: modelNameSchema, minItems: 1, uniqueItems: true },
    apiKeyEnv: variableSchema,
    baseUrl: { type: 'string', pattern: '^https?://' },
    factory: exportSchema,
    api: exportSchema,
    capabilities: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
  required: ['package', 'models'],
  additionalProperties: false,
} as const

/** What a configuration file has to look like (JSON Schema 2020-12), for editors too. */
export const hostFileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A host of Toolpost',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    ...addressProperties,
    tls: {
      type: 'object',
      properties: { key: pathSchema, cert: pathSchema },
      required: ['key', 'cert'],
      additionalProperties: false,
    },
    cors: corsSchema,
    tokens: {
      type: 'array',
      items: {
        type: 'object',
        properties: { token: tokenSchema, tokenEnv: variableSchema, ...holderProperties },
        required: ['subject'],
        additionalProperties: false,
      },
      minItems: 1,
    },
    providers: {
      type: 'object',
      propertyNames: providerNameSchema,
      additionalProperties: providerSchema,
      minProperties: 1,
    },
    store: pathSchema,
    ...hostDataProperties,
  },
  required: ['tokens', 'providers'],
  additionalProperties: false,
} as const satisfies JsonSchema

/** Reads a configuration file's text. Errors: INVALID_CONFIG with the pointer and what may stand there. */
export function readHostFile(text: string, where: string): HostFile {
  const parsed = parseJson(text)
  if (!parsed.ok) throw invalidConfig(`${where} is no JSON: ${parsed.fault.message}.`)
  requireConfig(where, hostFileSchema, parsed.value)
  const file = parsed.value as unknown as HostFile
  for (const [index, { token, tokenEnv }] of file.tokens.entries()) {
    if ((token === undefined) === (tokenEnv === undefined))
      throw invalidConfig(`${where}: /tokens/${index} takes either token or tokenEnv.`)
  }
  return file
}
