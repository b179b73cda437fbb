import { Hono } from 'hono'
import type { Clock } from '../../core/clock.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { Route } from '../../protocol/route.ts'
import { type RouteName, routes } from '../../protocol/routes.ts'
import { protocolVersion, versionHeader } from '../../protocol/version.ts'
import { systemClock } from '../../runtime/system.ts'
import { type Authentication, askWho } from '../access/authentication.ts'
import { bearerOf } from '../access/bearer.ts'
import type { TokenOptions } from '../access/token-options.ts'
import { TokenTable } from '../access/token-table.ts'
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
  /** What heartbeats and the time for a body are measured with; default the real time. */
  readonly clock?: Clock
  /** Whether requests are taken at all; default always. */
  readonly life?: HostLife
}

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
      : (token, request) => askWho(authentication, token, request)
  return { host, cors, isSecure, whoIs, parts: { clock, life, report: onFault } }
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
    // Hono answers HEAD as it does GET, and nobody would read the stream.
    if (req.raw.method === 'HEAD') throw new HostError('NOT_FOUND')
    set('who', who)
    await next()
  })
}

/** A query that changes nothing here: providers are always looked at anew (application-tools-details 1.1). */
const knownQueries: Readonly<Partial<Record<RouteName, string>>> = { listProviders: '?refresh=true' }

function addRoutes(app: Hono<Env>, { host, parts }: Setup): void {
  for (const [name, operation] of Object.entries(operations)) {
    const route: Route = routes[name as RouteName]
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async ({ req, get }) => {
      const { search, searchParams } = new URL(req.url)
      const isExpected = route.query !== undefined || search === (knownQueries[name as RouteName] ?? '')
      if (search !== '' && !isExpected) throw new HostError('NOT_FOUND')
      const part = (of: string) => req.param(of) ?? ''
      return await operation({ host, who: get('who'), request: req.raw, part, query: searchParams, parts })
    })
  }
}
