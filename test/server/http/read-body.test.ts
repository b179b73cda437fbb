import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWireErrorCode } from '../../../src/protocol/errors.ts'
import { mayOmitBody, type Route } from '../../../src/protocol/route.ts'
import { routes } from '../../../src/protocol/routes.ts'
import { bodyTimeoutMs } from '../../../src/server/http/read-body.ts'
import { manualClock } from '../../../src/testing/manual-clock.ts'
import { appToken, codeOf, runRequest, type Served, served, until } from './served.ts'

const all: readonly Route[] = Object.values(routes)
const pathsOf = (chosen: readonly Route[]) => chosen.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'run-1'))
const posts = pathsOf(all.filter(({ method }) => method === 'POST'))
/** Those that may come without a body. */
const bare = pathsOf(all.filter(mayOmitBody))

async function send(host: Served, path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return await host.ask(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Runs something beside a run that streams, and sees it through to its end. */
async function besideARun(probe: (host: Served) => Promise<void>, given = served()): Promise<void> {
  await using host = await given
  const frames = await host.stream()
  await probe(host)
  const identity = { executionId: 'execution-1', runId: 'run-1', callId: 'call-1' }
  const receipt = await host.ask('/v1/tool-executions/results', { json: { ...identity, output: null } })
  expect(await receipt.json()).toEqual({ ...identity, status: 'accepted' })
  host.host.runs.get('run-1')!.complete()
  expect(await frames.rest()).toEqual(['run.started', 'run.completed'])
  expect(host.faults).toEqual([])
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const broken: readonly (readonly [what: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['nothing', ''],
  ['half a character', new Uint8Array([0x22, 0xc3, 0x22])],
  ['a byte that UTF-8 never has', new Uint8Array([0x7b, 0xff, 0x7d])],
  ['an overlong slash', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ['a byte order mark', '\ufeff{}'],
  ['half a surrogate pair', '{"input":"\\ud800"}'],
  ['half of a JSON text', '{"input":'],
  ['two JSON texts', '{}{}'],
  ['a key that stands twice', '{"provider":"docs","provider":"other"}'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
  ['a number that is none', '{"maxSteps":NaN}'],
  ['a number beyond doubles', '{"maxSteps":1e999}'],
  ['2,000 levels', nested(2_000)],
  ['100,000 open lists', '['.repeat(100_000)],
  ['a list', '[]'],
  ['null', 'null'],
  ['a text', '"run"'],
  ['a huge id', JSON.stringify({ runId: 'x'.repeat(900_000), executionId: 'y', callId: 'z' })],
  ['an unknown field', JSON.stringify({ ...runRequest, command: 'rm' })],
  ['a field of the prototype', '{"__proto__":{"provider":"docs"},"constructor":1}'],
  ['wrong types', '{"provider":1,"model":[],"input":{},"runId":false,"id":[],"executionId":null,"call":7}'],
]

test.each(broken)(
  '%s is refused everywhere, and nothing else is disturbed [application-tools/wire-content]',
  async (_, body) => {
    await besideARun(async (host) => {
      for (const path of posts) {
        if (body === '' && bare.includes(path)) continue
        const answer = await send(host, path, body)
        const code = await codeOf(answer)
        expect([path, answer.status >= 400 && answer.status < 500, isWireErrorCode(code)]).toEqual([
          path,
          true,
          true,
        ])
      }
      expect(host.host.runs.size).toBe(1)
    })
  },
)

test('whatever is sent, the answer is one of the table, and the host lives [application/H1]', async () => {
  await besideARun(async (host) => {
    const body = fc.oneof(
      fc.json().map((json) => json),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
      fc.string({ unit: 'binary' }),
      fc.record({ runId: fc.constant('run-1'), output: fc.jsonValue() }).map((each) => JSON.stringify(each)),
    )
    const paths = fc.constantFrom(...posts.filter((path) => !path.endsWith('/cancel')))
    const property = fc.asyncProperty(paths, body, async (path, sent) => {
      const answer = await send(host, path, sent)
      const code = await codeOf(answer)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(isWireErrorCode(code)).toBe(true)
    })
    await fc.assert(property, { numRuns: 300 })
  })
})

test.each([
  ['without a content type', {}],
  ['as JSON', { 'content-type': 'application/json' }],
  ['as a form, as curl -d sends it', { 'content-type': 'application/x-www-form-urlencoded' }],
])('no body, %s, is taken where nothing of one is required', async (_, headers) => {
  expect(bare).toEqual(['/v1/runs/run-1/cancel'])
  await using host = await served()
  await (await host.stream()).next()
  for (const path of bare) {
    const answer = await host.ask(path, { method: 'POST', headers })
    expect([answer.status, await answer.json()]).toMatchObject([200, { runId: 'run-1' }])
    expect(host.host.asked.findLast(({ what }) => what === 'cancelRun')?.given).toBeUndefined()
    const named = await host.ask(path, { json: { reason: 'enough' } })
    expect(named.status).toBe(200)
    const text = await host.ask(path, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect([text.status, await codeOf(text)]).toEqual([400, 'INVALID_REQUEST'])
  }
  for (const path of posts.filter((one) => !bare.includes(one))) {
    const answer = await host.ask(path, { method: 'POST', headers })
    expect([path, answer.status]).toEqual([path, 400])
  }
})

test.each([
  ['text/plain', {}],
  ['application/jsonx', {}],
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data; boundary=x', {}],
  ['application/json', { 'content-encoding': 'gzip' }],
  ['application/json', { 'content-encoding': 'identity, identity' }],
])('a body as %s %j is refused [application-tools/wire-content]', async (type, more) => {
  await using host = await served()
  const answer = await send(host, '/v1/runs', JSON.stringify(runRequest), { 'content-type': type, ...more })
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'INVALID_REQUEST'])
  expect(host.host.asked).toEqual([])
})

test.each([
  'application/json; charset=utf-16',
  'application/json;charset="UTF-16LE"',
  'application/json; charset=iso-8859-1',
  'application/json; charset=us-ascii',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; profile="a; charset=utf-8"; charset=utf-7',
  'application/json; charset=',
  'application/json; charset',
])('a body as %s is refused with what to send [application-tools/wire-content]', async (type) => {
  await using host = await served()
  const answer = await send(host, '/v1/runs', JSON.stringify(runRequest), { 'content-type': type })
  expect(answer.status).toBe(400)
  const message = expect.stringContaining('UTF-8: send it as such, with the content type application/json')
  expect(await answer.json()).toEqual({ error: { code: 'INVALID_REQUEST', message, retryable: false } })
  expect(host.host.asked).toEqual([])
})

test.each([
  'application/json',
  'Application/JSON ; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; profile="a; charset=utf-16"; charset=utf8',
])('a body as %s is read', async (type) => {
  await using host = await served()
  const headers = { 'content-type': type, 'content-encoding': 'identity' }
  expect((await send(host, '/v1/runs', JSON.stringify(runRequest), headers)).status).toBe(200)
})

test('a body of 1,000,001 bytes is too large, whether it says so or not; one of 1,000,000 is not [application-tools/wire-content]', async () => {
  await besideARun(async (host) => {
    const filled = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
    const stream = (body: string) => new Blob([body]).stream()
    for (const body of [filled(1_000_001), stream(filled(1_000_001))]) {
      const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } }
      const answer = await host.ask('/v1/runs', init as RequestInit)
      expect([answer.status, await codeOf(answer)]).toEqual([413, 'BODY_TOO_LARGE'])
    }
    expect(await codeOf(await send(host, '/v1/runs', filled(1_000_000)))).toBe('INVALID_REQUEST')
  })
})

test('big whole numbers arrive exactly', async () => {
  await using host = await served()
  await host.stream()
  const body = '{"executionId":"e","runId":"run-1","callId":"c","output":12345678901234567890}'
  expect((await send(host, '/v1/tool-executions/results', body)).status).toBe(200)
  expect(host.host.asked.at(-1)?.given).toMatchObject({ output: 12345678901234567890n })
})

function rawPost(port: number, about: readonly string[], start: string) {
  const socket = connect(port, '127.0.0.1')
  const head = ['POST /v1/runs HTTP/1.1', 'host: localhost', `authorization: Bearer ${appToken}`]
  socket.write(`${[...head, 'content-type: application/json', ...about].join('\r\n')}\r\n\r\n${start}`)
  return socket
}

test('who sends his body too slowly is told so after 30 seconds and cut off', async () => {
  const clock = manualClock()
  const slow = served({ clock })
  await besideARun(async (host) => {
    const socket = rawPost(host.running.port, ['content-length: 50'], '{"provider":')
    // One timer is the heartbeat of the run beside it.
    await until(() => clock.sleeping === 2)
    await clock.advance(bodyTimeoutMs - 1)
    expect(socket.bytesRead).toBe(0)
    await clock.advance(1)
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"')
  }, slow)
})

test('a body that breaks off starts nothing', async () => {
  await besideARun(async (host) => {
    const socket = rawPost(host.running.port, ['transfer-encoding: chunked'], '5\r\n{"pro\r\n')
    await once(socket, 'connect')
    socket.destroy()
    const half = rawPost(host.running.port, ['transfer-encoding: chunked'], '5\r\n{"pro\r\nnot a size\r\n')
    expect(await text(half)).toMatch(/^HTTP\/1\.1 400 /)
    expect(host.host.runs.size).toBe(1)
  })
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a head that is too large', `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ['no name of the host', 'GET /health HTTP/1.1\r\n\r\n', 400],
  [
    'a name of the host that is none',
    'GET /health HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n',
    400,
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
])('%s is refused in the form of the protocol', async (_, sent, status) => {
  await besideARun(async (host) => {
    const socket = connect(host.running.port, '127.0.0.1')
    socket.write(sent)
    const answer = await text(socket)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer.toLowerCase()).toContain('cache-control: no-store')
    expect(answer).toContain('"code":"INVALID_REQUEST"')
  })
})
