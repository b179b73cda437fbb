import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesOf, type Vector, vectors } from './vectors.ts'

/** What the peer saw of one case. */
export interface Seen {
  readonly requests: Record<string, unknown>[]
  targetHits: number
  readonly closed: PromiseWithResolvers<void>
}

/** Answers each case of the vectors below a path of its own. */
export class VectorPeer {
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))
  readonly #cases = new Map(vectors.cases.map((vector) => [vector.id, vector]))
  readonly #seen = new Map<string, Seen>()

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  baseUrl(id: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/vectors/${id}`
  }

  seen(id: string): Seen {
    const seen = this.#seen.get(id) ?? { requests: [], targetHits: 0, closed: Promise.withResolvers<void>() }
    this.#seen.set(id, seen)
    return seen
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , id = '', ...rest] = request.url!.split('/')
    const path = `/${rest.join('/')}`
    const seen = this.seen(id)
    if (path === '/target') seen.targetHits += 1
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const { method, headers } = request
    seen.requests.push({ method, path, headers, body: text === '' ? null : JSON.parse(text) })
    response.on('close', () => seen.closed.resolve())
    await respond(this.#cases.get(id)!, response)
  }
}

async function respond(vector: Vector, response: ServerResponse): Promise<void> {
  writeHead(vector, response)
  if (vector.redirect !== undefined) return void response.end()
  const bytes = bytesOf(vector)
  const sizes = vector.chunkSizes ?? [65_536]
  for (let place = 0, turn = 0; place < bytes.length && !response.destroyed; turn += 1) {
    const chunk = bytes.subarray(place, place + sizes[turn % sizes.length]!)
    place += chunk.length
    // One chunk a write; whoever does not read holds the peer back.
    if (!response.write(chunk)) await drained(response)
  }
  if (vector.hold === true) return
  if (vector.drop === true) return void response.socket?.end()
  response.end()
}

async function drained(response: ServerResponse): Promise<void> {
  const done = new AbortController()
  const { signal } = done
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    done.abort()
  }
}

function writeHead(vector: Vector, response: ServerResponse): void {
  const { status = 200, redirect, operation, id } = vector
  const isStream = operation === 'stream' && status === 200
  const type = isStream ? 'text/event-stream; charset=utf-8' : 'application/json'
  const headers = {
    'Toolpost-Version': '1.0',
    'Content-Type': vector.contentType === undefined ? type : vector.contentType,
    ...vector.headers,
    ...(redirect === undefined ? {} : { Location: `/vectors/${id}/target` }),
  }
  for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value)
  response.writeHead(redirect ?? status)
  response.flushHeaders()
}
