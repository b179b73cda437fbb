import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { HostError } from '../../protocol/host-error.ts'
import { invalidConfig } from '../config/invalid-config.ts'
import type { TlsOptions } from '../config/serve-options.ts'
import { errorResponse } from './error-response.ts'
import { isEventStream } from './event-stream.ts'
import { type StreamingAnswers, takeHalfClosed } from './half-closed.ts'
import { refuseRaw } from './raw-refusal.ts'
import { standingHeaders } from './standing-headers.ts'

/** What a listener answers with, and where it listens. */
export interface ListenOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly host: string
  readonly port: number
  readonly tls: TlsOptions | undefined
  readonly report: (fault: unknown) => void
}

/** A server of Node that listens. */
export interface Listener {
  readonly port: number
  /** Takes no new connections, and closes each that has nothing to say. Resolves when all are closed. */
  stop(): Promise<void>
  /** Closes every connection that is silent now. */
  closeIdle(): void
  /** Cuts what is left. */
  cut(): void
}

/** What a connection may take; no time of these bounds an answer (application-tools-details 1.1). */
const bounds = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  // Node would refuse such a request with an answer of its own form.
  requireHostHeader: false,
}

/** Errors: INVALID_CONFIG for an address that cannot be listened on, or a key and a certificate that do not work. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const server = serverOf(options)
  await listening(server, options)
  let isStopping = false
  server.on('request', (_, response) => {
    response.once('close', () => {
      // A connection that is kept alive after its answer would keep the server open.
      if (isStopping) setImmediate(() => server.closeIdleConnections())
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      isStopping = true
      const closed = once(server, 'close')
      server.close()
      await closed
    },
    closeIdle: () => server.closeIdleConnections(),
    cut: () => server.closeAllConnections(),
  }
}

function serverOf({ fetch, tls, report }: ListenOptions): Server {
  const headers = standingHeaders(tls !== undefined)
  const streaming: StreamingAnswers = new WeakSet()
  const answer = async (request: Request, { outgoing }: { readonly outgoing: object }) => {
    const response = await fetch(request)
    if (isEventStream(response)) streaming.add(outgoing)
    return response
  }
  const listener = getRequestListener(answer, {
    overrideGlobalObjects: false,
    // What is refused before it is a request, such as a name of the host that is none.
    errorHandler: () => withHeaders(errorResponse(noRequest(), report), headers),
  })
  const server = tls === undefined ? createServer(bounds, listener) : secureServer(tls, listener)
  refuseRaw(server, headers)
  takeHalfClosed(server, streaming)
  return server
}

function secureServer({ key, cert }: TlsOptions, listener: ReturnType<typeof getRequestListener>): Server {
  try {
    const pem = { key: bytesOf(key), cert: bytesOf(cert) }
    return createSecureServer({ ...bounds, ...pem, minVersion: 'TLSv1.2' }, listener)
  } catch (cause) {
    throw invalidConfig(
      'The options of serve(): /tls has no key and certificate that belong together.',
      cause,
    )
  }
}

function bytesOf(pem: string | Uint8Array): string | Buffer {
  return typeof pem === 'string' ? pem : Buffer.from(pem)
}

async function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  try {
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'))
    await once(server, 'listening')
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'something else listens there' : `the system says ${code}`
    throw invalidConfig(`The host cannot listen on ${host}, port ${port}: ${why}.`, cause)
  }
}

function noRequest(): HostError {
  return new HostError('INVALID_REQUEST', 'This is no HTTP request that a host reads.')
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
