import type { Clock } from '../../core/clock.ts'
import { isRecord } from '../../core/known-keys.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { Authentication } from '../access/authentication.ts'
import type { TokenOptions } from '../access/token-options.ts'
import { isLoopback } from '../http/loopback.ts'
import { checkAppOptions } from './app-options.ts'
import { invalidConfig, requireConfig } from './invalid-config.ts'

/** What `serve` takes. Either `tokens` or `authentication` says who may ask. */
export interface ServeOptions {
  /** The address to listen on; default 127.0.0.1. One that others can reach needs `tls`. */
  readonly host?: string
  /** Default 7433; 0 = any that is free. */
  readonly port?: number
  /** A key and its certificate, as PEM. */
  readonly tls?: TlsOptions
  readonly tokens?: readonly TokenOptions[]
  readonly authentication?: Authentication
  /** The origins whose pages may ask; default none. */
  readonly cors?: readonly string[]
  /** Is told of what failed in the host itself; default: the console. */
  readonly onFault?: (fault: unknown) => void
  /** Is told at the start of tokens that grant what the host does not have; default: the console. */
  readonly onWarning?: (sentence: string) => void
  readonly clock?: Clock
}

export interface TlsOptions {
  readonly key: string | Uint8Array
  readonly cert: string | Uint8Array
}

export const addressProperties = {
  host: { type: 'string', minLength: 1, maxLength: 255 },
  port: { type: 'integer', minimum: 0, maximum: 65_535 },
} as const

const known = ['host', 'port', 'tls', 'tokens', 'authentication', 'cors', 'onFault', 'onWarning', 'clock']

const where = 'The options of serve()'

/** Errors: INVALID_CONFIG for an option that is wrong or unknown; TLS_REQUIRED for an address that others can reach. */
export function checkServeOptions(options: ServeOptions): void {
  if (!isRecord(options)) throw invalidConfig(`${where} are an object with ${known.join(', ')}.`)
  const unknown = Object.keys(options).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw invalidConfig(`${where}: /${unknown} is not known; there are ${known.join(', ')}.`)
  const { host, port, tls } = options as ServeOptions
  const address = { ...(host !== undefined && { host }), ...(port !== undefined && { port }) }
  requireConfig(where, { type: 'object', properties: addressProperties }, address)
  checkAppOptions(options, where)
  if (tls !== undefined) requireTls(tls)
  else if (host !== undefined && !isLoopback(host)) throw new HostError('TLS_REQUIRED', tlsSentence(host))
}

function requireTls(tls: TlsOptions): void {
  for (const key of ['key', 'cert'] as const) {
    const value: unknown = isRecord(tls) ? tls[key] : undefined
    const isThere = typeof value === 'string' || value instanceof Uint8Array
    if (!isThere) throw invalidConfig(`${where}: /tls/${key} has to be PEM, as a text or as bytes.`)
  }
}

function tlsSentence(host: string): string {
  const loopback = 'localhost, 127.0.0.1 and ::1'
  return `The address "${host}" can be reached from outside, so that tls has to name a key and a certificate; without it a host listens on ${loopback} only.`
}
