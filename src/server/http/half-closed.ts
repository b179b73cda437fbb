import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { heartbeatFrame } from '../../protocol/stream/encode-event.ts'

/** When a sender who has said that nothing follows is asked for a sign of life: soon, and then less and less often. */
const firstAskMs = 20
const askEveryMsMax = 15_000

/** The answers that go on as a stream of events, of which a comment is no part. */
export type StreamingAnswers = WeakSet<object>

/**
 * Answers senders who close their side once the request is sent. To the system that looks like a connection that is closed
 * altogether, until something is sent: then one of the two refuses it. So something is sent that says nothing, a comment
 * in a stream and `100 Continue` before an answer (RFC 9110, 15.2.1), and who refuses that has left.
 */
export function takeHalfClosed(server: Server, streaming: StreamingAnswers): void {
  // Node has the word for it, and its types do not.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('secureConnection', (socket) => {
    socket.allowHalfOpen = true
  })
  server.on('request', (request, response) => {
    const { socket } = request
    let stop = () => {}
    const ask = () => {
      stop = askOften(() => sendNothing(request, response, streaming.has(response)))
    }
    if (socket.readableEnded) ask()
    else socket.once('end', ask)
    response.once('close', () => {
      socket.off('end', ask)
      stop()
    })
  })
}

function askOften(ask: () => void): () => void {
  let timer: NodeJS.Timeout
  const askAfter = (waitMs: number) => {
    ask()
    timer = setTimeout(() => askAfter(Math.min(2 * waitMs, askEveryMsMax)), waitMs)
    timer.unref()
  }
  askAfter(firstAskMs)
  return () => clearTimeout(timer)
}

function sendNothing(request: IncomingMessage, response: ServerResponse, isStream: boolean): void {
  // Whoever does not read fast enough is heard of by what waits for him already.
  if (response.writableEnded || response.writableNeedDrain) return
  if (response.headersSent) {
    if (isStream && request.method !== 'HEAD') response.write(heartbeatFrame)
  } else if (request.httpVersionMinor === 0) {
    // Knows no answer before the answer, so that nobody can tell: who closes has left.
    request.socket.destroy()
  } else response.writeContinue()
}
