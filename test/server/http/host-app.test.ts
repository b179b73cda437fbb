import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { isWireErrorCode } from '../../../src/protocol/errors.ts'
import { HostError } from '../../../src/protocol/host-error.ts'
import { routes } from '../../../src/protocol/routes.ts'
import type { TokenHolder } from '../../../src/server/access/authentication.ts'
import { createHostApp } from '../../../src/server/http/host-app.ts'
import { HostLife } from '../../../src/server/http/host-life.ts'
import { serve } from '../../../src/server/http/serve.ts'
import { MemoryHost } from './memory-host.ts'
import { appToken, codeOf, poorToken, runRequest, served, tokens } from './served.ts'

const page = 'https://app.example'

describe('the order of refusals', () => {
  test('health needs nothing, and every answer has the standing headers [application-tools/wire-headers]', async () => {
    await using host = await served()
    const health = await host.ask('/health', { token: null })
    expect(await health.json()).toEqual({ status: 'ok', protocol: 'toolpost.v1' })
    for (const answer of [
      health,
      await host.ask('/v1/protocol', { token: null }),
      await host.ask('/nowhere'),
    ]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('toolpost-version')).toBe('1.0')
      expect(answer.headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('no token 401, a hostile page 403, an unknown field 400, a foreign provider 403, no providers [] [application/H1]', async () => {
    await using host = await served()
    const anonymous = await host.ask('/v1/protocol', { token: null })
    expect([anonymous.status, await codeOf(anonymous)]).toEqual([401, 'UNAUTHORIZED'])
    const hostile = await host.ask('/health', { token: null, headers: { origin: 'https://evil.example' } })
    expect([hostile.status, await codeOf(hostile)]).toEqual([403, 'ORIGIN_DENIED'])
    const unknown = await host.ask('/v1/runs', { json: { ...runRequest, executable: '/bin/sh' } })
    expect([unknown.status, await codeOf(unknown)]).toEqual([400, 'INVALID_REQUEST'])
    const foreign = await host.ask('/v1/runs', { json: runRequest, token: poorToken })
    expect([foreign.status, await codeOf(foreign)]).toEqual([403, 'FORBIDDEN'])
    expect(await (await host.ask('/v1/providers', { token: poorToken })).json()).toEqual({ providers: [] })
    expect(host.host.runs.size).toBe(0)
  })

  test.each(['2.0', '1.1', '1.0, 2.0', 'invalid'])(
    'version %s is refused before anything runs, in version 1.0 [application/H2]',
    async (version) => {
      await using host = await served()
      const headers = { 'toolpost-version': version }
      const answer = await host.ask('/v1/runs', { json: runRequest, headers })
      expect([answer.status, await codeOf(answer)]).toEqual([400, 'UNSUPPORTED_PROTOCOL_VERSION'])
      expect(answer.headers.get('toolpost-version')).toBe('1.0')
      expect(host.host.asked).toEqual([])
    },
  )

  test('without a version, or with 1.0, a request is taken [application/H2]', async () => {
    await using host = await served()
    expect((await host.ask('/v1/protocol')).status).toBe(200)
    expect((await host.ask('/v1/protocol', { headers: { 'toolpost-version': '1.0' } })).status).toBe(200)
  })

  test('a preflight of a listed page permits and exposes the version [application/H3]', async () => {
    await using host = await served({ cors: [page] })
    const asks = { origin: page, 'access-control-request-method': 'POST' }
    const answer = await host.ask('/v1/runs', { method: 'OPTIONS', token: null, headers: asks })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(page)
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE, OPTIONS')
    expect(answer.headers.get('access-control-allow-headers')).toContain('Toolpost-Version')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Toolpost-Version')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await host.ask('/v1/protocol', { token: null, headers: { origin: page } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(page)
    expect(refused.headers.get('vary')).toBe('Origin')
  })

  test('a bad token comes before a bad version, an unlisted page before a bad token [application/H12]', async () => {
    await using host = await served({ cors: [page] })
    const bad = { token: 'nobody', headers: { 'toolpost-version': '2.0' } }
    expect(await codeOf(await host.ask('/v1/protocol', bad))).toBe('UNAUTHORIZED')
    const origins = ['https://evil.example', 'null', `${page}/`, page.toUpperCase(), `${page}.evil.example`]
    for (const origin of origins) {
      const answer = await host.ask('/v1/runs', { method: 'OPTIONS', token: 'nobody', headers: { origin } })
      expect([origin, answer.status, await codeOf(answer)]).toEqual([origin, 403, 'ORIGIN_DENIED'])
    }
    expect((await host.ask('/v1/runs', { method: 'OPTIONS', token: null })).status).toBe(401)
  })

  test.each([
    ['GET', '/v1/nowhere'],
    ['GET', '/v1/runs/'],
    ['GET', '/v1/protocol?x=1'],
    ['GET', '/v1/providers?refresh=false'],
    ['GET', '/v1/providers?refresh=true&refresh=true'],
    ['HEAD', '/v1/nowhere'],
    ['OPTIONS', '/v1/runs'],
    ['DELETE', '/v1/nowhere'],
  ])('%s %s is no address [application-tools/wire-not-found]', async (method, path) => {
    await using host = await served()
    const answer = await host.ask(path, { method })
    expect(answer.status).toBe(404)
    if (method !== 'HEAD') expect(await codeOf(answer)).toBe('NOT_FOUND')
    expect(host.host.asked).toEqual([])
  })

  test('a host that starts or ends says so before it looks at anything', async () => {
    const life = new HostLife('starting')
    const app = createHostApp(new MemoryHost(), { tokens, life })
    const ask = async () => await app.request('/health', { headers: { origin: 'https://evil.example' } })
    const early = await ask()
    expect([early.status, await codeOf(early)]).toEqual([503, 'HOST_STARTING'])
    expect(early.headers.get('retry-after')).toBe('5')
    life.open()
    expect((await ask()).status).toBe(403)
    life.close()
    const late = await ask()
    expect([late.status, await codeOf(late)]).toEqual([503, 'HOST_SHUTTING_DOWN'])
    expect(late.headers.get('connection')).toBe('close')
  })
})

describe('who may ask', () => {
  test.each([
    ['nothing', undefined],
    ['no scheme', appToken],
    ['another scheme', `Basic ${appToken}`],
    ['two words', `Bearer ${appToken} x`],
    ['a part of a token', `Bearer ${appToken.slice(0, -1)}`],
    ['more than a token', `Bearer ${appToken}x`],
    ['4,097 characters [application-tools/wire-bearer]', `Bearer ${'x'.repeat(4_097)}`],
  ])('%s is refused', async (_, authorization) => {
    const app = createHostApp(new MemoryHost(), { tokens })
    const answer = await app.request('/v1/protocol', { headers: { ...(authorization && { authorization }) } })
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('a token stands for its subject and exactly its grants [application-tools/remote-subject]', async () => {
    const host = new MemoryHost()
    const grants = { providers: ['docs'], administration: true }
    const app = createHostApp(host, {
      tokens: [{ token: appToken, subject: 'ann', group: 'desk', ...grants }],
    })
    await app.request('/v1/protocol', { headers: { authorization: `bearer ${appToken}` } })
    const lists = { tools: [], applicationTools: [], approveTools: [], sessions: [], reviewerGroups: [] }
    const who = { subject: 'ann', group: 'desk', access: { ...lists, ...grants } }
    expect(host.asked).toEqual([{ what: 'protocolInfo', who }])
  })

  test('a token of 4,096 characters is looked at [application-tools/wire-bearer]', async () => {
    const long = 'x'.repeat(4_096)
    const app = createHostApp(new MemoryHost(), { tokens: [{ token: long, subject: 'ann' }] })
    const ask = async (token: string) =>
      (await app.request('/v1/protocol', { headers: { authorization: `Bearer ${token}` } })).status
    expect([await ask(long), await ask(`${long.slice(1)}y`)]).toEqual([200, 401])
  })

  test('an application checks tokens itself, about every request', async () => {
    const host = new MemoryHost()
    const seen: string[] = []
    const authentication = async (token: string, request: Request) => {
      seen.push(`${token} ${new URL(request.url).pathname}`)
      return token === 'short' ? { subject: 'ann', access: { providers: ['docs'] } } : undefined
    }
    const app = createHostApp(host, { authentication })
    const ask = async (token: string) =>
      await app.request('/v1/providers', { headers: { authorization: `Bearer ${token}` } })
    expect([(await ask('short')).status, (await ask('short')).status, (await ask('long')).status]).toEqual([
      200, 200, 401,
    ])
    expect(seen).toEqual(['short /v1/providers', 'short /v1/providers', 'long /v1/providers'])
    expect(host.asked[0]?.who.access?.tools).toEqual([])
  })

  test('a check that fails is 503, and its words stay inside', async () => {
    const faults: unknown[] = []
    const fault = new Error('password of the database: hunter2')
    const authentication = () => Promise.reject(fault)
    const app = createHostApp(new MemoryHost(), { authentication, onFault: (each) => faults.push(each) })
    const answer = await app.request('/v1/protocol', { headers: { authorization: 'Bearer x' } })
    const text = await answer.text()
    expect([answer.status, JSON.parse(text).error.code]).toEqual([503, 'AUTH_UNAVAILABLE'])
    expect(text).not.toContain('hunter2')
    expect(faults).toEqual([fault])
  })

  test('and is asked again by a run that waited, with the same token', async () => {
    const host = new MemoryHost()
    let holder: TokenHolder = { subject: 'ann', access: { providers: ['docs'] } }
    const faults: unknown[] = []
    const down = new Error('the directory is down')
    const authentication = async (token: string) => {
      if (token !== 'short') throw down
      return holder
    }
    const app = createHostApp(host, { authentication, onFault: (fault) => faults.push(fault) })
    await app.request('/v1/providers', { headers: { authorization: 'Bearer short' } })
    const { askAgain } = host.asked[0]!.who
    holder = { ...holder, subject: 'bob' }
    expect(await askAgain?.()).toMatchObject({ subject: 'bob' })
    holder = true as never
    await expect(askAgain?.()).rejects.toMatchObject({ code: 'INVALID_AUTH_POLICY' })
    expect(faults).toHaveLength(1)
  })

  test.each([
    ['no access', { subject: 'ann' }],
    ['an unknown grant', { subject: 'ann', access: { everything: true } }],
    [
      'one function twice',
      {
        subject: 'ann',
        access: { applicationTools: [{ name: 'a' }, { name: 'a', requiresApproval: false }] },
      },
    ],
    ['a subject that is too long', { subject: 'x'.repeat(129), access: {} }],
    ['true', true],
    ['null', null],
  ])('%s of such a check grants nothing', async (_, answer) => {
    const host = new MemoryHost()
    const authentication = async () => answer as unknown as TokenHolder
    const app = createHostApp(host, { authentication, onFault: () => undefined })
    const response = await app.request('/v1/protocol', { headers: { authorization: 'Bearer x' } })
    expect([response.status, await codeOf(response)]).toEqual([503, 'INVALID_AUTH_POLICY'])
    expect(host.asked).toEqual([])
  })
})

describe('answers', () => {
  test('every address answers [application-tools/wire-endpoints] [application-tools/wire-headers]', async () => {
    await using host = await served()
    for (const route of Object.values(routes)) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'unknown')
      const stop = new AbortController()
      const body = route.method === 'POST' ? { json: {} } : {}
      const answer = await host.ask(path, { ...body, signal: stop.signal })
      expect([path, answer.status === 404 ? await codeOf(answer) : '']).not.toEqual([path, 'NOT_FOUND'])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'toolpost-version': '1.0' },
      })
      stop.abort()
    }
  })

  test('filters come from the query; what is none is refused with its name [application-tools/wire-not-found]', async () => {
    await using host = await served()
    expect((await host.ask('/v1/runs?uncertain=true&limit=7')).status).toBe(200)
    expect(host.host.asked.at(-1)).toMatchObject({ what: 'listRuns', given: { uncertain: true, limit: 7 } })
    for (const query of ['?uncertain=maybe', '?limit=0', '?limit=1&limit=2', '?owner=ann']) {
      const answer = await host.ask(`/v1/runs${query}`)
      expect([query, answer.status, await codeOf(answer)]).toEqual([query, 400, 'INVALID_REQUEST'])
    }
    expect((await host.ask('/v1/providers?refresh=true')).status).toBe(200)
  })

  test('whatever stands in a path, a query or a head, the answer is one of the table', async () => {
    const app = createHostApp(new MemoryHost(), { tokens })
    const word = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 300 })
      .map((text) => text.toWellFormed())
    const names = fc.constantFrom(...Object.values(routes).map(({ path }) => path), '/v1/runs/{runId}/x')
    const head = fc.stringMatching(/^[!-~]{0,40}$/)
    const property = fc.asyncProperty(names, word, word, head, async (name, part, query, lastEventId) => {
      const path = name.replaceAll(/\{\w+\}/g, encodeURIComponent(part))
      const headers = { authorization: `Bearer ${appToken}`, 'last-event-id': lastEventId }
      const answer = await app.request(`${path}?${encodeURIComponent(query)}`, { headers })
      const isFine = answer.status === 200 || isWireErrorCode(await codeOf(answer))
      expect([answer.status < 500, isFine]).toEqual([true, true])
      if (answer.status === 200) await answer.body?.cancel()
    })
    await fc.assert(property, { numRuns: 300 })
  })

  test('a cancelled run takes a reason, and an id is read as it was meant', async () => {
    await using host = await served()
    const answer = await host.ask('/v1/runs/a%2Fb%20c/cancel', { json: { reason: 'Enough.' } })
    expect(await codeOf(answer)).toBe('RUN_NOT_FOUND')
    expect(host.host.asked[0]).toMatchObject({ what: 'cancelRun', given: 'Enough.' })
  })

  test.each([new Error('secret'), 'secret', null, { secret: 1 }, new TypeError('secret')])(
    'what a host throws without meaning to (%s) is INTERNAL_ERROR with a fixed text [application-tools/wire-no-leak]',
    async (fault) => {
      await using host = await served()
      host.host.fault = fault
      const answer = await host.ask('/v1/providers')
      const text = await answer.text()
      expect([answer.status, JSON.parse(text).error.code]).toEqual([500, 'INTERNAL_ERROR'])
      expect(text).not.toContain('secret')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(host.faults).toEqual([fault])
    },
  )

  test('an error keeps its outcome, and what passes by itself says when to ask again [application-tools/wire-error-body] [application-tools/wire-retry-after]', async () => {
    await using host = await served()
    host.host.fault = new HostError('BUSY', 'Full.', { outcome: 'uncertain' })
    const answer = await host.ask('/v1/providers')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
    const error = { code: 'BUSY', message: 'Full.', retryable: true, outcome: 'uncertain' }
    expect(await answer.json()).toEqual({ error })
    expect(host.faults).toEqual([])
  })

  test.each([
    ['OPERATION_IN_PROGRESS', 409, '1'],
    ['REQUEST_TIMEOUT', 408, '1'],
    ['IDLE_TIMEOUT', 504, '1'],
    ['HOST_SHUTTING_DOWN', 503, '5'],
    ['IDEMPOTENCY_CONFLICT', 409, null],
    ['OPERATION_STORE_FULL', 503, null],
  ])(
    '%s says when to ask again only if that may help [application-tools/wire-retry-after]',
    async (...row) => {
      const [code, status, after] = row
      await using host = await served()
      host.host.fault = new HostError(code)
      const answer = await host.ask('/v1/providers')
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, after])
    },
  )

  test.each([routes.completeTool.path, routes.reportToolProgress.path, routes.decideApproval.path])(
    '%s has the guards of every other address [application-tools/submission-guards]',
    async (path) => {
      await expect(serve(new MemoryHost(), { host: '0.0.0.0', port: 0, tokens })).rejects.toMatchObject({
        code: 'TLS_REQUIRED',
      })
      await using host = await served({ cors: [page] })
      const json = { executionId: 'e', runId: 'r', callId: 'c', output: null }
      const refused = async (init: Parameters<typeof host.ask>[1]) => {
        const answer = await host.ask(path, { json, ...init })
        return [answer.status, await codeOf(answer)]
      }
      expect(await refused({ token: null })).toEqual([401, 'UNAUTHORIZED'])
      expect(await refused({ headers: { origin: 'https://evil.example' } })).toEqual([403, 'ORIGIN_DENIED'])
      expect(await refused({ headers: { 'content-type': 'text/plain' } })).toEqual([400, 'INVALID_REQUEST'])
      expect(await refused({ json: 'x'.repeat(1_000_000) })).toEqual([413, 'BODY_TOO_LARGE'])
      expect(host.host.asked).toEqual([])
    },
  )

  test('a host stands below a path of another app', async () => {
    const app = new Hono().get('/', (context) => context.text('A page.'))
    app.route('/agents', createHostApp(new MemoryHost(), { tokens, onFault: () => undefined }))
    const headers = { authorization: `Bearer ${appToken}` }
    expect((await app.request('/')).status).toBe(200)
    expect((await app.request('/agents/health')).status).toBe(200)
    expect((await app.request('/agents/v1/providers', { headers })).status).toBe(200)
    const nowhere = await app.request('/agents/v1/x', { headers })
    expect([nowhere.status, nowhere.headers.get('toolpost-version')]).toEqual([404, '1.0'])
    expect((await app.request('/agents/v1/providers')).status).toBe(401)
    expect((await app.request('/elsewhere')).headers.get('toolpost-version')).toBeNull()
  })
})
