import { Hono } from 'hono'
import type { Clock } from '../../core/clock.ts'
import { checkGiven } from '../../protocol/check-given.ts'
import { HostError } from '../../protocol/host-error.ts'
import { mayOmitBody, type Route } from '../../protocol/route.ts'
import { type RouteName, routes } from '../../protocol/routes.ts'
import { protocolVersion, versionHeader } from '../../protocol/version.ts'
import { systemClock } from '../../runtime/system.ts'
import { type Authentication, askWho } from '../access/authentication.ts'
import { bearerOf } from '../access/bearer.ts'
import type { TokenOptions } from '../access/token-options.ts'
import { TokenTable } from '../access/token-table.ts'
import { unknownGrants } from '../access/unknown-grants.ts'
import { checkAppOptions } from '../config/app-options.ts'
import type { Who } from '../who.ts'
import { crossOrigin } from './cross-origin.ts'
import { errorResponse } from './error-response.ts'
import type { StreamParts } from './event-stream.ts'
import type { HostApi } from './host-api.ts'
import { HostLife } from './host-life.ts'
import { json, operations } from './operations.ts'
import { standingHeaders } from './standing-headers.ts'

/** How a host is reached over HTTP. Either `tokens` or `authentication` says who may. */
export interface HostAppOptions {
  readonly tokens?: readonly TokenOptions[]
  readonly authentication?: Authentication
  /** The origins whose pages may ask, as browsers write them: `https://app.example`. Default none. */
  readonly cors?: readonly string[]
  /** Whether it is reached by https; then it says so to browsers. Default false. */
  readonly isSecure?: boolean
  /** Is told of what failed in the host itself; default: the console. No caller sees it. */
  readonly onFault?: (fault: unknown) => void
  /** Is told at once of tokens that grant what the host does not have; default: the console. */
  readonly onWarning?: (sentence: string) => void
  /** What heartbeats and the time for a body are measured with; default the real time. */
  readonly clock?: Clock
  /** Whether requests are taken at all; default always. */
  readonly life?: HostLife
}

const known = ['tokens', 'authentication', 'cors', 'isSecure', 'onFault', 'onWarning', 'clock', 'life']

interface Env {
  readonly Variables: { who: Who }
}

/** Everything that the parts of an app share. */
interface Setup {
  readonly host: HostApi
  readonly cors: readonly string[]
  readonly isSecure: boolean
  readonly whoIs: (token: string, request: Request) => Promise<Who | undefined>
  readonly parts: StreamParts
}

/**
 * The routes of a host as a Hono app, to be mounted in another one or served by itself, in any runtime. It refuses in
 * this order: closing or starting, origin, token, version of the protocol, address, body, and then what the host refuses
 * (application-tools-details 1.1). Errors: INVALID_CONFIG for an option that is wrong.
 */
export function createHostApp(host: HostApi, options: HostAppOptions): Hono {
  checkAppOptions(options)
  checkGiven(options, known, 'createHostApp()', 'INVALID_CONFIG')
  const { tokens = [], onWarning = (sentence) => console.warn(sentence) } = options
  const unknown = host.options === undefined ? [] : unknownGrants(host.options, tokens)
  for (const sentence of unknown) onWarning(sentence)
  const setup = setupOf(host, options)
  const app = new Hono<Env>()
  app.onError((thrown) => errorResponse(thrown, setup.parts.report))
  addEntrance(app, setup)
  addGate(app, setup)
  addRoutes(app, setup)
  app.all('*', () => {
    throw new HostError('NOT_FOUND')
  })
  return app as unknown as Hono
}

function setupOf(host: HostApi, options: HostAppOptions): Setup {
  const { tokens = [], authentication, cors = [], isSecure = false, clock = systemClock } = options
  const { life = new HostLife(), onFault = (fault) => console.error(fault) } = options
  const table = new TokenTable(tokens)
  const whoIs: Setup['whoIs'] =
    authentication === undefined
      ? async (token) => table.find(token)
      : async (token, request) => {
          const ask = () => askWho(authentication, token, request)
          const who = await ask()
          return who && { ...who, askAgain: () => reporting(ask, onFault) }
        }
  return { host, cors, isSecure, whoIs, parts: { clock, life, report: onFault } }
}

/** Nobody sees why a check failed that came after the answer had begun. */
async function reporting<Value>(ask: () => Promise<Value>, report: (fault: unknown) => void): Promise<Value> {
  try {
    return await ask()
  } catch (thrown) {
    report(thrown instanceof Error ? (thrown.cause ?? thrown) : thrown)
    throw thrown
  }
}

/** What comes before anybody is asked who he is. */
function addEntrance(app: Hono<Env>, { cors, isSecure, parts }: Setup): void {
  const standing = Object.entries(standingHeaders(isSecure))
  app.use('*', async (context, next) => {
    try {
      await next()
    } catch (thrown) {
      // Hono itself catches errors only, and anything can be thrown.
      context.res = errorResponse(thrown, parts.report)
    }
    for (const [name, value] of standing) context.res.headers.set(name, value)
    if (parts.life.isClosing) context.res.headers.set('connection', 'close')
  })
  app.use('*', async (context, next) => {
    parts.life.requireOpen()
    const { headers, isPreflight } = crossOrigin(context.req.raw, cors)
    if (isPreflight) context.res = new Response(null, { status: 204 })
    else await next()
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value)
  })
  app.get(routes.readHealth.path, () => json({ status: 'ok', protocol: 'toolpost.v1' }))
  // Who only asks what may be asked is let no further than anywhere else.
  app.all(routes.readHealth.path, ({ req }, next) =>
    req.method === 'OPTIONS' ? next() : Promise.resolve(wrongMethod(['GET'], parts.report)),
  )
}

/** Who asks, and in which version. */
function addGate(app: Hono<Env>, { whoIs }: Setup): void {
  app.use('*', async ({ req, set }, next) => {
    const token = bearerOf(req.raw.headers.get('authorization'))
    const who = token === undefined ? undefined : await whoIs(token, req.raw)
    if (who === undefined) throw new HostError('UNAUTHORIZED')
    const version = req.raw.headers.get(versionHeader) ?? protocolVersion
    if (version !== protocolVersion)
      throw new HostError('UNSUPPORTED_PROTOCOL_VERSION', `The host speaks version ${protocolVersion}.`)
    set('who', who)
    await next()
  })
}

/** A query that changes nothing here: providers are always looked at anew (application-tools-details 1.1). */
const knownQueries: Readonly<Partial<Record<RouteName, string>>> = { listProviders: '?refresh=true' }

const operationNames = Object.keys(operations) as (keyof typeof operations)[]

/** Fixed paths come before those with a part that can be anything, whatever the method. */
const paths = [...new Set(operationNames.map((name) => routes[name].path))].sort(
  (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
)

function addRoutes(app: Hono<Env>, { host, parts }: Setup): void {
  for (const path of paths) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const names = operationNames.filter((name) => routes[name].path === path)
    for (const name of names) {
      const isBare = mayOmitBody(routes[name])
      app.on(routes[name].method, pattern, async ({ req, get }) => {
        refuseQuery(name, new URL(req.url))
        const part = (of: string) => req.param(of) ?? ''
        const query = new URL(req.url).searchParams
        const asked = { host, who: get('who'), request: req.raw, part, query, parts }
        return await operations[name]({ ...asked, mayOmitBody: isBare })
      })
    }
    app.all(pattern, ({ req }) => {
      if (req.method === 'OPTIONS') throw new HostError('NOT_FOUND')
      return wrongMethod(
        names.map((name) => routes[name].method),
        parts.report,
      )
    })
  }
}

/** Errors: NOT_FOUND for a query at an address that takes none. */
function refuseQuery(name: RouteName, { search }: URL): void {
  const { query }: Route = routes[name]
  if (query === undefined && search !== '' && search !== knownQueries[name]) throw new HostError('NOT_FOUND')
}

/** The refusal of a method that an address does not take, with those that it takes (RFC 9110, 15.5.6). */
function wrongMethod(methods: readonly Route['method'][], report: (fault: unknown) => void): Response {
  const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const error = new HostError('METHOD_NOT_ALLOWED', `This address takes ${taken}.`)
  const response = errorResponse(error, report)
  response.headers.set('allow', taken)
  return response
}
