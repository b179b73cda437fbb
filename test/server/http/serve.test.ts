import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { ServeOptions } from '../../../src/server/config/serve-options.ts'
import { serve } from '../../../src/server/http/serve.ts'
import { manualClock } from '../../../src/testing/manual-clock.ts'
import { hasOpenssl, selfSigned } from '../../support/certificate.ts'
import { MemoryHost } from './memory-host.ts'
import { appToken, codeOf, served, tokens, until } from './served.ts'

describe('closing', () => {
  test('runs say goodbye on their streams, then every connection closes [application/H10]', async () => {
    await using host = await served()
    const frames = await host.stream()
    const worker = await host.ask('/v1/tool-executions/stream')
    await frames.next()
    const closing = host.running.close()
    expect(await frames.rest()).toEqual(['run.cancelled'])
    expect(await worker.text()).toBe('')
    await closing
    expect(host.host.closed).toBe(1)
    await expect(fetch(host.running.url)).rejects.toThrow()
    await host.running.close()
    expect(host.host.closed).toBe(1)
  })

  test('a request that is on its way is answered, and its connection told to go', async () => {
    const clock = manualClock()
    await using host = await served({ clock })
    const slow = Promise.withResolvers<void>()
    host.host.close = async () => await slow.promise
    const socket = connect(host.running.port, '127.0.0.1')
    socket.write(postHead(3))
    socket.write('{')
    await until(() => clock.sleeping === 1)
    const closing = host.running.close()
    socket.write(' }')
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    slow.resolve()
    await closing
  })

  test('who does not go by himself is cut off after 5 seconds', async () => {
    const clock = manualClock()
    await using host = await served({ clock })
    const socket = connect(host.running.port, '127.0.0.1')
    socket.write(`${postHead(5)}{`)
    await until(() => clock.sleeping === 1)
    let isClosed = false
    const closing = host.running.close().then(() => {
      isClosed = true
    })
    await until(() => clock.sleeping === 2)
    await clock.advance(4_999)
    expect(isClosed).toBe(false)
    await clock.advance(1)
    await closing
  })
})

function postHead(length: number): string {
  const head = ['POST /v1/runs HTTP/1.1', 'host: x', `authorization: Bearer ${appToken}`]
  return `${[...head, 'content-type: application/json', `content-length: ${length}`].join('\r\n')}\r\n\r\n`
}

describe('starting', () => {
  test('nothing is answered before what was left is taken up', async () => {
    const host = new MemoryHost()
    const recovering = Promise.withResolvers<void>()
    host.recovering = recovering.promise
    const port = await freePort()
    const starting = serve(host, { port, tokens })
    const ask = () => fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    let answer = await ask()
    while (answer === undefined) answer = await ask()
    expect([answer.status, await codeOf(answer)]).toEqual([503, 'HOST_STARTING'])
    recovering.resolve()
    await using running = await starting
    expect(running).toMatchObject({ port, url: `http://127.0.0.1:${port}` })
    expect((await ask())?.status).toBe(200)
  })

  test('a host that cannot go on does not listen', async () => {
    const host = new MemoryHost()
    host.recovering = Promise.reject(new Error('the disk is gone'))
    const port = await freePort()
    await expect(serve(host, { port, tokens })).rejects.toThrow('the disk is gone')
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
  })

  test('without an address it is at 127.0.0.1, port 7433 [application-tools/wire-default-listen]', async () => {
    // Another program of this machine may listen there; then the refusal names the same place.
    const place = await serve(new MemoryHost(), { tokens }).then(
      async (running) => {
        await running.close()
        return running.url
      },
      ({ message }: Error) => message,
    )
    expect(place).toMatch(/^http:\/\/127\.0\.0\.1:7433$|cannot listen on 127\.0\.0\.1, port 7433: something/)
  })

  test('an address that is taken is said to be so', async () => {
    await using host = await served()
    const again = serve(new MemoryHost(), { port: host.running.port, tokens })
    await expect(again).rejects.toThrow(/something else listens there/)
  })
})

async function freePort(): Promise<number> {
  await using host = await served()
  return host.running.port
}

describe('options', () => {
  test.each(['0.0.0.0', '127.0.0.2', '::', 'host.example', '192.0.2.1', 'localhost.example'])(
    '%s without TLS is refused [application/H6]',
    async (host) => {
      await expect(serve(new MemoryHost(), { host, port: 0, tokens })).rejects.toMatchObject({
        code: 'TLS_REQUIRED',
      })
    },
  )

  test.each(['localhost', '127.0.0.1', '::1', '[::1]', 'LOCALHOST'])('%s needs none', async (host) => {
    await using running = await serve(new MemoryHost(), { host, port: 0, tokens })
    expect((await fetch(`${running.url}/health`)).status).toBe(200)
  })

  const token = 'x'.repeat(32)
  const one = { token, subject: 'ann' }
  const wrong: readonly (readonly [what: string, options: object, says: RegExp])[] = [
    ['no tokens', {}, /either tokens or authentication/],
    ['both', { tokens: [one], authentication: async () => undefined }, /either tokens or authentication/],
    ['a check that is none', { authentication: 'yes' }, /authentication is a function/],
    [
      'a short token [application-tools/wire-bearer]',
      { tokens: [{ token: 'x'.repeat(31), subject: 'ann' }] },
      /\/tokens\/0\/token/,
    ],
    [
      'a token with a space [application-tools/wire-bearer]',
      { tokens: [{ token: `${token} x`, subject: 'ann' }] },
      /\/tokens\/0\/token/,
    ],
    ['no subject', { tokens: [one, { token: `${token}y` }] }, /\/tokens\/1\/subject/],
    ['an empty subject', { tokens: [{ token, subject: '' }] }, /\/tokens\/0\/subject/],
    ['a long subject', { tokens: [{ token, subject: 'x'.repeat(129) }] }, /\/tokens\/0\/subject/],
    [
      'one token twice',
      { tokens: [one, { ...one, subject: 'bob' }] },
      /\/tokens\/1\/token is that of \/tokens\/0/,
    ],
    ['an unknown grant', { tokens: [{ ...one, provders: [] }] }, /\/tokens\/0.*provders/],
    [
      'a function granted twice [application-tools/grants-bounded]',
      { tokens: [{ ...one, applicationTools: [{ name: 'a' }, { name: 'a', requiresApproval: false }] }] },
      /\/tokens\/0\/applicationTools\/1\/name "a" is granted twice/,
    ],
    [
      '33 functions [application-tools/grants-bounded]',
      { tokens: [{ ...one, applicationTools: Array.from({ length: 33 }, (_, at) => ({ name: `a${at}` })) }] },
      /\/tokens\/0\/applicationTools/,
    ],
    ['an unknown session verb', { tokens: [{ ...one, sessions: ['erase'] }] }, /\/tokens\/0\/sessions\/0/],
    ['a port that is none', { tokens: [one], port: 65_536 }, /\/port/],
    ['a page for an origin', { tokens: [one], cors: ['https://app.example/'] }, /\/cors\/0/],
    ['every origin', { tokens: [one], cors: ['*'] }, /\/cors\/0/],
    ['an unknown option', { tokens: [one], prot: 1 }, /\/prot is not known; there are host, port/],
    ['half of TLS', { tokens: [one], tls: { key: 'x' } }, /\/tls\/cert/],
    ['TLS that is none', { tokens: [one], tls: { key: 'x', cert: 'y' } }, /\/tls/],
  ]
  test.each(wrong)('%s is refused by name', async (_, options, says) => {
    const refused = serve(new MemoryHost(), { port: 0, ...options } as ServeOptions)
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(says),
    })
  })
})

describe.skipIf(!hasOpenssl)('TLS', () => {
  test('an answer says so; a stranger to the certificate, or a version below 1.2, gets none [application/H13]', async () => {
    const { key, cert } = selfSigned('localhost')
    await using running = await serve(new MemoryHost(), {
      host: '127.0.0.1',
      port: 0,
      tokens,
      tls: { key, cert },
    })
    expect(running.url).toBe(`https://127.0.0.1:${running.port}`)
    const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
      httpsRequest(`https://localhost:${running.port}/health`, { ca: cert }, (answer) => {
        answer.resume()
        resolve({ status: answer.statusCode, ...answer.headers })
      })
        .on('error', reject)
        .end()
    })
    expect(headers).toMatchObject({ status: 200, 'strict-transport-security': 'max-age=31536000' })
    await expect(fetch(`${running.url}/health`)).rejects.toThrow()
    const old = connectTls({
      port: running.port,
      ca: cert,
      servername: 'localhost',
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    })
    await expect(
      new Promise((resolve, reject) => old.on('secureConnect', resolve).on('error', reject)),
    ).rejects.toThrow()
  })
})
