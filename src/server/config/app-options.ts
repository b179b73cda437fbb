import { isRecord } from '../../core/known-keys.ts'
import type { Authentication } from '../access/authentication.ts'
import { repeatedGrant } from '../access/repeated-grant.ts'
import { type TokenOptions, tokenOptionsSchema } from '../access/token-options.ts'
import { invalidConfig, requireConfig } from './invalid-config.ts'

/** Origins as browsers write them. */
export const corsSchema = { type: 'array', items: { type: 'string' } } as const

const optionsSchema = {
  type: 'object',
  properties: { tokens: { type: 'array', items: tokenOptionsSchema }, cors: corsSchema },
} as const

interface AppOptions {
  readonly tokens?: readonly TokenOptions[]
  readonly authentication?: Authentication
  readonly cors?: readonly string[]
}

/** Errors: INVALID_CONFIG for tokens, an own check or origins that cannot be used; the message names the key. */
export function checkAppOptions(options: AppOptions, where = 'The options of a host over HTTP'): void {
  if (!isRecord(options)) throw invalidConfig(`${where} are an object with tokens or authentication.`)
  const { tokens, authentication, cors } = options as AppOptions
  const given = { ...(tokens !== undefined && { tokens }), ...(cors !== undefined && { cors }) }
  requireConfig(where, optionsSchema, given)
  if ((tokens === undefined) === (authentication === undefined))
    throw invalidConfig(`${where}: either tokens or authentication says who may ask, and not both.`)
  if (authentication !== undefined && typeof authentication !== 'function')
    throw invalidConfig(`${where}: authentication is a function of a token and a request.`)
  requireOneHolder(tokens ?? [], where)
  requireDistinctGrants(tokens ?? [], where)
  for (const [index, origin] of (cors ?? []).entries()) requireOrigin(origin, `${where}: /cors/${index}`)
}

function requireOneHolder(tokens: readonly TokenOptions[], where: string): void {
  const texts = tokens.map(({ token }) => token)
  const repeated = texts.findIndex((text, index) => texts.indexOf(text) < index)
  if (repeated < 0) return
  throw invalidConfig(
    `${where}: /tokens/${repeated}/token is that of /tokens/${texts.indexOf(texts[repeated]!)} too; each holder has a token of his own.`,
  )
}

function requireDistinctGrants(tokens: readonly TokenOptions[], where: string): void {
  for (const [index, { applicationTools = [] }] of tokens.entries()) {
    const repeated = repeatedGrant(applicationTools)
    if (repeated < 0) continue
    const { name } = applicationTools[repeated]!
    throw invalidConfig(
      `${where}: /tokens/${index}/applicationTools/${repeated}/name "${name}" is granted twice.`,
    )
  }
}

function requireOrigin(origin: string, where: string): void {
  if (URL.parse(origin)?.origin === origin && origin !== 'null') return
  throw invalidConfig(
    `${where} has to be an origin as browsers write it, such as https://app.example: no path, no slash at its end.`,
  )
}
