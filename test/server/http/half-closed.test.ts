import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { Who } from '../../../src/server/who.ts'
import { hasOpenssl, selfSigned } from '../../support/certificate.ts'
import { MemoryHost } from './memory-host.ts'
import { appToken, runRequest, type Served, served } from './served.ts'

function request(accept: string, version = '1.1'): string {
  const body = JSON.stringify(runRequest)
  const head = [
    `POST /v1/runs HTTP/${version}`,
    'host: x',
    `authorization: Bearer ${appToken}`,
    `accept: ${accept}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** A host whose run without a stream ends when the test says so, or when its caller has left. */
class SlowHost extends MemoryHost {
  readonly asking = Promise.withResolvers<void>()
  readonly mayEnd = Promise.withResolvers<void>()
  readonly left = Promise.withResolvers<void>()

  override async run(given: unknown, who: Who & { readonly signal?: AbortSignal }) {
    who.signal?.addEventListener('abort', () => this.left.resolve())
    this.asking.resolve()
    await Promise.race([this.mayEnd.promise, this.left.promise])
    return await super.run(given, who)
  }
}

/** The text of an answer without what says nothing, and how much of that there was. */
async function answerOf(socket: Socket): Promise<{ readonly said: string; readonly nothings: number }> {
  const all = await text(socket)
  const parts = all.split('HTTP/1.1 100 Continue\r\n\r\n')
  return { said: parts.join(''), nothings: parts.length - 1 }
}

async function startedStream(host: Served, socket: Socket) {
  socket.write(request('text/event-stream'))
  const [first] = await once(socket, 'data')
  expect(String(first)).toContain('run.started')
  return host.host.runs.get('run-1')!
}

describe('a sender who closes his side after a whole request', () => {
  test('gets the result of his run, however long that takes', async () => {
    const slow = new SlowHost()
    await using host = await served({}, slow)
    const socket = connect({ port: host.running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(request('application/json'))
    const answer = answerOf(socket)
    await slow.asking.promise
    // The host has noticed, and has found him to be there.
    await once(socket, 'data')
    slow.mayEnd.resolve()
    const { said, nothings } = await answer
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
    expect(said).toContain('"text":"Done."')
    expect(nothings).toBeGreaterThan(0)
  })

  test('gets the stream of his run to its end', async () => {
    await using host = await served()
    const socket = connect({ port: host.running.port, host: '127.0.0.1', allowHalfOpen: true })
    const run = await startedStream(host, socket)
    socket.end()
    for (let said = ''; !said.includes(': heartbeat\n\n'); ) said += String((await once(socket, 'data'))[0])
    expect(run.isClosed).toBe(false)
    run.complete()
    expect(await text(socket)).toContain('run.completed')
  })

  test('with the request itself gets a short answer, once', async () => {
    await using host = await served()
    const socket = connect({ port: host.running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    const { said } = await answerOf(socket)
    expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(said).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('before the request is whole is told that it is none', async () => {
    await using host = await served()
    const socket = connect({ port: host.running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(request('application/json').slice(0, -3))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    expect(host.host.runs.size).toBe(0)
  })

  test.skipIf(!hasOpenssl)('gets it over TLS too', async () => {
    const slow = new SlowHost()
    const { key, cert } = selfSigned('localhost')
    await using host = await served({ tls: { key, cert } }, slow)
    const options = { port: host.running.port, ca: cert, servername: 'localhost', allowHalfOpen: true }
    const socket = connectTls({ ...options, host: '127.0.0.1' })
    socket.end(request('application/json'))
    const answer = answerOf(socket)
    await slow.asking.promise
    await once(socket, 'data')
    slow.mayEnd.resolve()
    expect((await answer).said).toContain('"text":"Done."')
  })
})

describe('a sender who closes the connection altogether has left', () => {
  test('while his result is waited for', async () => {
    const slow = new SlowHost()
    await using host = await served({}, slow)
    const socket = connect(host.running.port, '127.0.0.1')
    socket.write(request('application/json'))
    await slow.asking.promise
    socket.destroy()
    await slow.left.promise
  })

  test('while his stream is silent', async () => {
    await using host = await served()
    const socket = connect(host.running.port, '127.0.0.1')
    const run = await startedStream(host, socket)
    socket.destroy()
    while (!run.isClosed) await new Promise((resolve) => setImmediate(resolve))
  })

  test('also by closing his side first, and while he speaks an old version of HTTP', async () => {
    const slow = new SlowHost()
    await using host = await served({}, slow)
    const socket = connect({ port: host.running.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(request('application/json', '1.0'))
    await slow.left.promise
    expect(await text(socket)).toBe('')
  })

  test.skipIf(!hasOpenssl)('over TLS', async () => {
    const slow = new SlowHost()
    const { key, cert } = selfSigned('localhost')
    await using host = await served({ tls: { key, cert } }, slow)
    const socket = connectTls({
      port: host.running.port,
      host: '127.0.0.1',
      ca: cert,
      servername: 'localhost',
    })
    socket.write(request('application/json'))
    await slow.asking.promise
    socket.destroy()
    await slow.left.promise
  })
})
