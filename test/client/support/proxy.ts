import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What a proxy does with the bytes that a host sends. */
export interface ProxyOptions {
  /** The type of the last event that goes through. */
  readonly until?: string
  /** How many bytes of a connection go through, counted from 1. */
  readonly bytesMax?: (connection: number) => number
  /** What comes behind them: a proper end, a connection that closes in the middle, or nothing, and nothing is read. */
  readonly ending: 'proper' | 'closed' | 'stalled'
}

/** A proxy between a client and a host, on a free port, that may cut streams or hold them back. */
export async function proxyTo(port: number, options: ProxyOptions) {
  const { bytesMax = () => Infinity, ending, until } = options
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    connections += 1
    const host = connect(port, '127.0.0.1')
    for (const socket of [client, host]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.pipe(host)
    client.on('close', () => host.destroy())
    host.on('close', () => client.destroySoon())
    forward(host, client, { left: bytesMax(connections), ending, until })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Cut {
  left: number
  readonly ending: ProxyOptions['ending']
  readonly until: string | undefined
}

function forward(host: Socket, client: Socket, cut: Cut): void {
  host.on('data', (chunk: Buffer) => {
    const piece = chunk.subarray(0, Math.min(cut.left, lengthUntil(chunk, cut.until)))
    cut.left = piece.length < chunk.length ? 0 : cut.left - piece.length
    // An event that is the last one in its piece is the last one that goes through.
    if (cut.until !== undefined && piece.includes(`event: ${cut.until}`)) cut.left = 0
    if (!client.write(piece)) {
      host.pause()
      client.once('drain', () => host.resume())
    }
    if (cut.left > 0) return
    host.pause()
    host.removeAllListeners('data')
    if (cut.ending === 'proper') client.end('0\r\n\r\n')
    if (cut.ending === 'closed') client.end()
  })
}

/** How much of a piece goes through up to the end of an event's frame. */
function lengthUntil(chunk: Buffer, type: string | undefined): number {
  const start = type === undefined ? -1 : chunk.indexOf(`event: ${type}`)
  const end = start < 0 ? -1 : chunk.indexOf('\n\n', start)
  // Behind the last frame of a piece, HTTP closes its chunk.
  return end < 0 || end + 2 >= chunk.length - 2 ? chunk.length : end + 2
}
