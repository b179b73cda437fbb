import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type RouteName, routes } from '../../../src/protocol/routes.ts'
import { createHostApp } from '../../../src/server/http/host-app.ts'
import { MemoryHost } from './memory-host.ts'
import { appToken, codeOf, poorToken, runRequest, served, tokens } from './served.ts'

const names = Object.keys(routes) as RouteName[]
const paths = [...new Set(names.map((name) => routes[name].path))]

function takenBy(path: string): string[] {
  const methods: string[] = names
    .filter((name) => routes[name].path === path)
    .map((name) => routes[name].method)
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

async function ask(host: MemoryHost, path: string, method: string, token: string | null = appToken) {
  const app = createHostApp(host, { tokens })
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const body = method === 'POST' ? { body: '{}' } : {}
  return await app.request(path.replaceAll(/\{\w+\}/g, 'unknown'), { method, headers, ...body })
}

test.each(paths)('%s says which methods it takes, to who uses another one', async (path) => {
  const taken = takenBy(path)
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'FOO']) {
    const host = new MemoryHost()
    const answer = await ask(host, path, method)
    const { status } = answer
    if (taken.includes(method)) {
      expect([method, status]).not.toEqual([method, 405])
      expect(answer.headers.get('allow')).toBeNull()
      await answer.body?.cancel()
      continue
    }
    expect([method, status, answer.headers.get('allow')]).toEqual([method, 405, taken.join(', ')])
    expect(answer.headers.get('toolpost-version')).toBe('1.0')
    expect(host.asked).toEqual([])
    if (method === 'HEAD') expect(await answer.text()).toBe('')
    else
      expect(await answer.json()).toEqual({
        error: {
          code: 'METHOD_NOT_ALLOWED',
          message: `This address takes ${taken.join(', ')}.`,
          retryable: false,
        },
      })
  }
})

test('who may not ask at all learns of no method, and one that only asks for them is no address', async () => {
  for (const path of paths.filter((each) => each !== '/health'))
    for (const method of ['DELETE', 'OPTIONS'])
      expect((await ask(new MemoryHost(), path, method, null)).status).toBe(401)
  for (const path of paths) {
    const answer = await ask(new MemoryHost(), path, 'OPTIONS')
    expect([path, answer.status, await codeOf(answer)]).toEqual([path, 404, 'NOT_FOUND'])
  }
  expect((await ask(new MemoryHost(), '/health', 'OPTIONS', null)).status).toBe(401)
  expect((await ask(new MemoryHost(), '/health', 'DELETE', null)).status).toBe(405)
})

test('over a connection too, HEAD has the head of GET and no body, and a stream is not opened for it', async () => {
  await using host = await served()
  await (await host.stream()).next()
  const before = host.host.asked.length
  for (const path of ['/health', '/v1/protocol', '/v1/providers', '/v1/runs', '/v1/runs/run-1']) {
    const [get, head] = [await host.ask(path), await host.ask(path, { method: 'HEAD' })]
    expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    await get.text()
  }
  for (const path of ['/v1/runs/run-1/events', '/v1/tool-executions/stream']) {
    const head = await host.ask(path, { method: 'HEAD' })
    expect([path, head.status, await head.text()]).toEqual([path, 200, ''])
    expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  }
  expect(host.host.asked.slice(before).map(({ what }) => what)).not.toContain('followRun')
  expect(host.host.runs.get('run-1')!.isClosed).toBe(false)
  const status = async (path: string, token?: string) =>
    (await host.ask(path, { method: 'HEAD', ...(token && { token }) })).status
  expect(await status('/v1/runs/run-1/events', poorToken)).toBe(404)
  expect(await status('/v1/tool-executions/stream', poorToken)).toBe(403)
  expect(await status('/v1/protocol?x=1')).toBe(404)
})

test.each(['TRACE', 'PROPFIND'])('%s is refused in the form of the protocol', async (method) => {
  await using host = await served()
  const socket = connect(host.running.port, '127.0.0.1')
  const head = [
    `${method} /v1/runs HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${appToken}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)).error.code).toMatch(
    /^(METHOD_NOT_ALLOWED|INVALID_REQUEST)$/,
  )
  expect((await host.ask('/v1/runs', { json: runRequest })).status).toBe(200)
})
