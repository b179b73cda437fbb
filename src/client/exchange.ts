import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/id.ts'
import { asJson } from '../core/json/as-json.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import { whyNotJson } from '../core/json/why-not-json.ts'
import { checkGiven } from '../protocol/check-given.ts'
import { HostError } from '../protocol/host-error.ts'
import type { Route, RouteMethod } from '../protocol/route.ts'
import { routePath } from '../protocol/route-path.ts'
import { optionalEventsHeader, protocolVersion, versionHeader } from '../protocol/version.ts'
import { readAddress, readToken } from './address.ts'
import type { ClientOptions, Fetch } from './client-options.ts'
import { platformClock } from './platform-clock.ts'
import { readError } from './read-error.ts'
import { transportError } from './transport-error.ts'

/** A request as it is sent. */
export interface Sending {
  readonly route: Route
  readonly parts?: { readonly [name: string]: string }
  /** With its question mark. */
  readonly query?: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string }
  readonly accept: 'application/json' | 'text/event-stream'
  readonly signal: AbortSignal
}

/** The way of every request to one host. */
export class Exchange {
  readonly clock: Clock
  readonly random: Random
  readonly #address: string
  readonly #token: string
  readonly #fetch: Fetch

  /** Throws INSECURE_TRANSPORT, AUTH_REQUIRED, INVALID_REQUEST. */
  constructor(options: ClientOptions) {
    checkGiven(options, ['baseUrl', 'token', 'fetch', 'clock', 'random'], 'createClient()')
    const { baseUrl, token, fetch, clock, random } = options
    this.#address = readAddress(baseUrl)
    this.#token = readToken(token)
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init))
    this.clock = clock ?? platformClock
    this.random = random ?? Math.random
  }

  /**
   * Sends a request and gives the answer, its head read and its body not. Throws the error that the host answered with,
   * HTTP_ERROR, INVALID_REQUEST for what is no JSON, INVALID_RESPONSE for another content type than was asked for,
   * UNSUPPORTED_PROTOCOL_VERSION, and the signal's reason.
   */
  async send(sending: Sending): Promise<Response> {
    const { route, accept, signal } = sending
    const response = await this.#fetched(sending)
    try {
      refuseRedirect(response)
      refuseVersion(response)
      if (!response.ok) throw await readError(response, signal)
      refuseType(response, accept, route.method)
    } catch (fault) {
      await response.body?.cancel().catch(() => undefined)
      throw fault
    }
    return response
  }

  async #fetched(sending: Sending): Promise<Response> {
    const { route, signal } = sending
    const url = `${this.#address}${pathOf(sending)}${sending.query ?? ''}`
    const init = this.#init(sending)
    signal.throwIfAborted()
    try {
      return await this.#fetch(url, init)
    } catch (cause) {
      signal.throwIfAborted()
      throw transportError(cause, route.method)
    }
  }

  #init({ route, accept, body, headers, signal }: Sending): RequestInit {
    const text = body === undefined ? undefined : textOf(body)
    return {
      method: route.method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept,
        [versionHeader]: protocolVersion,
        [optionalEventsHeader]: 'true',
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
      signal,
      // The token goes to the host that was named and to no other, and nothing of the page goes with it.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    }
  }
}

/** A part of only dots would be read as another path. */
function pathOf({ route, parts = {} }: Sending): string {
  for (const [name, part] of Object.entries(parts)) {
    if (!/^\.{0,2}$/.test(part)) continue
    throw new HostError('INVALID_REQUEST', `The ${name} ${JSON.stringify(part)} is none; nothing was sent.`)
  }
  return routePath(route.path, parts)
}

function textOf(body: object): string {
  const json = asJson(body)
  if (json !== undefined) return stringifyJson(json)
  throw new HostError(
    'INVALID_REQUEST',
    `What was to be sent is no JSON: ${whyNotJson(body)}. Nothing was sent.`,
  )
}

/** A browser hides the status of a redirect that is not followed. */
function refuseRedirect({ type, status }: Response): void {
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400)) return
  const text = 'The host answered with a redirect, and redirects are not followed; name its real address.'
  throw new HostError('HTTP_ERROR', text, { status, retryable: false })
}

/** The body of another version is not read (application-tools-details 1.2). */
function refuseVersion({ headers }: Response): void {
  const version = headers.get(versionHeader) ?? protocolVersion
  if (version === protocolVersion) return
  const text = `The host speaks version ${version.slice(0, 40)} of the protocol, and this client ${protocolVersion}.`
  throw new HostError('UNSUPPORTED_PROTOCOL_VERSION', text)
}

function refuseType({ headers }: Response, accept: string, method: RouteMethod): void {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === accept) return
  const outcome = method !== 'GET' ? 'uncertain' : undefined
  throw new HostError('INVALID_RESPONSE', `The answer is not of type ${accept}.`, { outcome })
}
