import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { pagePolicy, workerPolicy } from '../../site/content-policy.ts'

/** A request as a server got it: its first line, its headers and its body, as one text. */
export type ReceivedText = string

/** A server of a test. */
export interface TestServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly received: readonly ReceivedText[]
  close(): Promise<void>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Serves a built site, with the policies that it is meant to have. */
export async function serveSite(folder: string): Promise<TestServer> {
  return await listen((request, _body, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    const file = join(folder, path === '/' ? 'index.html' : path)
    const mediaType = mediaTypes[extname(file)]
    if (mediaType === undefined || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const policy = path.includes('/cell-worker-') ? workerPolicy : pagePolicy
    response.writeHead(200, { 'content-type': mediaType, 'content-security-policy': policy })
    createReadStream(file).pipe(response)
  })
}

/** Passes requests on to another server and lets pages of any origin ask, as providers do. */
export async function serveAcrossOrigins(target: string): Promise<TestServer> {
  return await listen(async (request, body, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') {
      const asked = request.headers['access-control-request-headers'] ?? ''
      response.writeHead(204, { 'access-control-allow-headers': asked }).end()
      return
    }
    const headers = {
      authorization: String(request.headers.authorization),
      'content-type': 'application/json',
    }
    const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'content-type': String(answer.headers.get('content-type')) })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
}

type Reply = (request: IncomingMessage, body: string, response: ServerResponse) => void | Promise<void>

/** Listens on a free port of this machine. */
export async function listen(reply: Reply): Promise<TestServer> {
  const received: ReceivedText[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push([`${request.method} ${request.url}`, ...request.rawHeaders, body].join('\n'))
    await reply(request, body, response)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, received, close: () => closeServer(server) }
}

async function closeServer(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
