import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBodyOf, HostError } from '../../protocol/host-error.ts'
import { headTooLarge } from '../../protocol/route.ts'
import { retryAfter } from './error-response.ts'

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  [headTooLarge]: 'Request Header Fields Too Large',
}

/**
 * Answers what is no HTTP, has too large a head or comes too slowly in the protocol's own form, as far as the connection
 * still takes an answer.
 */
export function refuseRaw(server: Server, headers: Readonly<Record<string, string>>): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => answering.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswered = answering.get(socket)?.headersSent === true
    if (isAnswered || !socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else socket.end(rawResponse(refusal(error.code), headers))
  })
}

function refusal(code: string | undefined): HostError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HostError('REQUEST_TIMEOUT')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HostError('INVALID_REQUEST', 'The head of the request is too large.', { status: headTooLarge })
  return new HostError('INVALID_REQUEST', 'This is no HTTP request that a host reads.')
}

function rawResponse(error: HostError, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(errorBodyOf(error))
  const all = {
    ...headers,
    'content-type': 'application/json',
    ...retryAfter(error),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${reasons[error.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`
}
