import type { ServerResponse } from 'node:http'
import { wireJson } from './event-frame.ts'
import type { WireReply } from './wire-format.ts'

/** Sends an answer, event by event or whole, until it is out, the client has left, or the cut is reached. */
export async function deliver(
  response: ServerResponse,
  reply: WireReply,
  isStreamed: boolean,
  cutAfterBytes: number | undefined,
): Promise<void> {
  const type = isStreamed ? 'text/event-stream; charset=utf-8' : 'application/json'
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
  response.flushHeaders()
  const pieces = isStreamed ? reply.events : [wireJson(reply.body)]
  let left = cutAfterBytes ?? Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    if (response.destroyed) return
    if (left <= 0) break
    const bytes = new TextEncoder().encode(piece)
    await written(response, bytes.subarray(0, left))
    left -= bytes.length
  }
  if (cutAfterBytes === undefined) response.end()
  else response.destroy()
}

/** Each piece is with the system before the next one, so that what was written before a cut arrives. */
function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve())
  })
}
