import { createServer as createSecureServer } from 'node:https'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { serve } from '../../src/server/http/serve.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { MemoryHost } from '../server/http/memory-host.ts'
import { until } from '../server/http/served.ts'
import { baseline } from '../server/support/baseline.ts'
import { hasOpenssl, selfSigned } from '../support/certificate.ts'
import { listening, plainServer } from './support/free-server.ts'
import { appToken } from './support/served-app.ts'

describe('a redirect', () => {
  test('to another host is refused, and the token never gets there [application/H5]', async () => {
    let hits = 0
    await using target = await plainServer((_, response) => {
      hits += 1
      response.end()
    })
    await using peer = await plainServer((request, response) => {
      expect(request.headers.authorization).toBe(`Bearer ${appToken}`)
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}${request.url}` }).end()
    })
    const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: appToken })
    const refused = { code: 'HTTP_ERROR', status: 307, retryable: false }
    await expect(client.protocol()).rejects.toMatchObject(refused)
    await expect(client.stream(baseline).next()).rejects.toMatchObject(refused)
    expect(hits).toBe(0)
  })
})

describe.skipIf(!hasOpenssl)('a certificate', () => {
  const cases = [
    ['that nobody vouches for', '127.0.0.1'],
    ['of another name', 'host.example'],
  ] as const
  test.each(cases)('%s stops the client before any request [application/H13]', async (_, hostname) => {
    let requests = 0
    const server = createSecureServer(selfSigned(hostname), (_request, response) => {
      requests += 1
      response.end()
    })
    await using peer = await listening(server)
    const client = createClient({ baseUrl: `https://127.0.0.1:${peer.port}`, token: appToken })
    await expect(client.protocol()).rejects.toMatchObject({ code: 'HTTP_ERROR', retryable: false })
    const posted = client.completeTool({ executionId: 'e', runId: 'r', callId: 'c', output: null })
    await expect(posted).rejects.toMatchObject({ code: 'HTTP_ERROR', retryable: false, outcome: undefined })
    expect(requests).toBe(0)
  })
})

test('neither side takes plain transport to where others can listen [application/H6]', async () => {
  for (const baseUrl of [
    'http://host.example',
    'https://user:secret@host.example',
    'https://host.example?token=x',
  ]) {
    expect(() => createClient({ baseUrl, token: appToken })).toThrow(
      expect.objectContaining({ code: 'INSECURE_TRANSPORT', message: expect.not.stringContaining('secret') }),
    )
  }
  const tokens = [{ token: appToken, subject: 'app' }]
  await expect(serve(new MemoryHost(), { host: '0.0.0.0', port: 0, tokens })).rejects.toMatchObject({
    code: 'TLS_REQUIRED',
  })
})

test('a token that no header can hold is refused and not repeated', () => {
  for (const token of ['', 'two words', 'line\nbreak', 'é', 'x'.repeat(4_097)]) {
    expect(() => createClient({ baseUrl: 'https://host.example', token })).toThrow(
      expect.objectContaining({ code: 'AUTH_REQUIRED' }),
    )
  }
})

test('discovery has ten seconds, also for its body, and nothing else has a deadline [application-tools/wire-client-deadlines]', async () => {
  const clock = manualClock()
  let asked = 0
  await using peer = await plainServer((_, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: appToken, clock })
  for (const ask of [() => client.protocol(), () => client.providers()]) {
    const late = expect(ask()).rejects.toMatchObject({ code: 'TIMEOUT', retryable: true })
    await clock.advance(9_999)
    expect(clock.sleeping).toBe(1)
    await clock.advance(1)
    await late
  }
  const stop = new AbortController()
  const waiting = client.runStatus('run-1', { signal: stop.signal })
  const aborted = expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  await until(() => asked === 3)
  expect(clock.sleeping).toBe(0)
  stop.abort()
  await aborted
})

test.each([
  ['an answer', 200, 2_000_000],
  ['an error', 409, 64_000],
])(
  '%s is read up to its bound and not beyond [application-tools/wire-client-bounds]',
  async (_, status, bound) => {
    const page = { runs: [], padding: '' }
    const error = { code: 'MOON_FULL', message: '', retryable: false }
    const text = (bytes: number) => {
      const made = (padding: string) =>
        JSON.stringify(status === 200 ? { ...page, padding } : { error: { ...error, message: padding } })
      return made('x'.repeat(bytes - made('').length))
    }
    let bytes = bound
    await using peer = await plainServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text(bytes))
    })
    const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: appToken })
    const codeNow = () =>
      client.listRuns().then(
        () => 'read',
        ({ code }: { code: string }) => code,
      )
    expect(await codeNow()).toBe(status === 200 ? 'read' : 'MOON_FULL')
    bytes += 1
    expect(await codeNow()).toBe(status === 200 ? 'RESPONSE_TOO_LARGE' : 'HTTP_ERROR')
  },
)

test('a request that got no answer may have been done, unless it never left', async () => {
  await using peer = await plainServer((request) => request.socket.destroy())
  const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: appToken })
  const result = { executionId: 'e', runId: 'r', callId: 'c', output: null }
  const lost = { code: 'HTTP_ERROR', retryable: true, outcome: 'uncertain' }
  await expect(client.completeTool(result)).rejects.toMatchObject(lost)
  await expect(client.executionStatus('e')).rejects.toMatchObject({ ...lost, outcome: undefined })
  await peer[Symbol.asyncDispose]()
  await expect(client.completeTool(result)).rejects.toMatchObject({ ...lost, outcome: undefined })
})

test('what is no JSON is not sent', async () => {
  const client = createClient({ baseUrl: 'https://host.example', token: appToken })
  const identity = { executionId: 'e', runId: 'r', callId: 'c' }
  const sending = client.completeTool({ ...identity, output: Number.NaN })
  await expect(sending).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})
