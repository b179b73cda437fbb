import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server does with one request: it streams the events, then ends, cuts the connection, or holds it. */
export interface WireAnswer {
  readonly events: readonly string[]
  readonly end?: 'whole' | 'cut' | 'hold'
}

/** A server that gives its answers in turn, event by event as they are written. */
export interface SseServer extends AsyncDisposable {
  readonly url: string
  /** Bodies of the requests, in order. */
  readonly requests: Record<string, unknown>[]
  /** Resolves when the client has let go of a connection that is held. */
  readonly released: Promise<void>
}

export async function sseServer(answers: readonly WireAnswer[]): Promise<SseServer> {
  const requests: Record<string, unknown>[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) release()
    })
    void bodyOf(request).then((body) => {
      const answer = answers[requests.push(body) - 1]
      if (answer === undefined) response.writeHead(500).end('{"error":{"message":"no answer is left"}}')
      else void stream(response, answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    released,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

async function stream(response: ServerResponse, { events, end = 'whole' }: WireAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // Each event is handed to the socket before the next, so that a cut comes after all of them were sent.
  for (const event of events) await new Promise<void>((sent) => response.write(event, () => sent()))
  if (end === 'whole') response.end()
  if (end === 'cut') response.destroy()
}
