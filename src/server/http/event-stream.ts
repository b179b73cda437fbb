import type { Clock } from '../../core/clock.ts'
import { isHostError } from '../../protocol/host-error.ts'
import { heartbeatFrame } from '../../protocol/stream/encode-event.ts'
import type { HostLife } from './host-life.ts'

/** Often enough for proxies that cut silent connections after 30 seconds (application-tools-details 1.6). */
export const heartbeatMs = 15_000

/** Frames in order, and what says that nobody reads them any more. */
export interface FrameSource {
  readonly frames: AsyncIterator<string>
  close(): void
}

/** What a stream is given from outside. */
export interface StreamParts {
  readonly clock: Clock
  readonly life: HostLife
  readonly report: (fault: unknown) => void
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies that gather an answer before they pass it on would stop the events.
  'x-accel-buffering': 'no',
}

/**
 * Frames as an answer. The next one is asked for when there is room for it, so that a slow reader slows the source. While
 * there is room and nothing to say, a comment is sent every 15 seconds. When the reader goes, the source is closed.
 */
export function eventResponse(source: FrameSource, parts: StreamParts): Response {
  return new Response(new FrameStream(source, parts).readable, { headers })
}

/** What a stream answers to who asks for its head only: nothing is opened for him. */
export function eventHead(): Response {
  return new Response(null, { headers })
}

/** Whether an answer is a stream of events. */
export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type') === headers['content-type']
}

class FrameStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #source: FrameSource
  readonly #parts: StreamParts
  readonly #encoder = new TextEncoder()
  readonly #forget: () => void
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #stopHeartbeat: () => void = () => undefined
  #isOver = false

  constructor(source: FrameSource, parts: StreamParts) {
    this.#source = source
    this.#parts = parts
    this.#forget = parts.life.keepStream(() => this.#end())
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller
        this.#beat()
      },
      pull: () => this.#pass(),
      cancel: () => this.#finish(),
    })
  }

  /** Passes the next frame on. */
  async #pass(): Promise<void> {
    try {
      const { done, value } = await this.#source.frames.next()
      if (this.#isOver) return
      if (done === true) this.#end()
      else this.#send(value)
    } catch (fault) {
      if (this.#isOver) return
      // What has no end is not taken for whole, and nothing has failed here.
      if (isExpected(fault)) return this.#end()
      this.#parts.report(fault)
      this.#finish()
      // The connection breaks, so that nobody takes the stream for whole; what broke stays inside.
      this.#controller.error(new Error('The stream broke off.'))
    }
  }

  #beat(): void {
    this.#stopHeartbeat = this.#parts.clock.timer(heartbeatMs, () => {
      if ((this.#controller.desiredSize ?? 0) > 0) this.#send(heartbeatFrame)
      this.#beat()
    })
  }

  #send(frame: string): void {
    this.#controller.enqueue(this.#encoder.encode(frame))
  }

  #end(): void {
    if (this.#isOver) return
    this.#finish()
    this.#controller.close()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopHeartbeat()
    this.#forget()
    this.#source.close()
  }
}

/** What a run's stream can end by before the run does: the host closes, another one goes on with it, the reader is too slow. */
function isExpected(fault: unknown): boolean {
  return isHostError(fault) && (fault.status < 500 || fault.code === 'HOST_SHUTTING_DOWN')
}
