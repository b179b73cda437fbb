import { wireBounds } from '../bounds.ts'
import { HostError } from '../host-error.ts'

/** One event of a stream as it came, its data not read yet. */
export interface StreamFrame {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = [0xef, 0xbb, 0xbf]

/**
 * Reads `text/event-stream` (WHATWG HTML 9.2) piece by piece, wherever the pieces are cut. It never looks again at
 * what it has read, and keeps no more than one frame.
 */
export class EventStreamParser {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  private readonly frameBytesMax: number
  /** Pieces of the line that has not ended. */
  private line: Uint8Array[] = []
  private lineBytes = 0
  private frameBytes = 0
  private data: string[] = []
  private fields: { id?: string; event?: string } = {}
  private isFrameOpen = false
  private wasReturn = false
  /** Bytes of a mark that were met at the beginning; 3 once the beginning is past. */
  private markBytes = 0

  constructor(options: { readonly frameBytesMax?: number } = {}) {
    this.frameBytesMax = options.frameBytesMax ?? wireBounds.frameBytesMax
  }

  /**
   * Gives the frames that end in a piece. Read it to its end: what it throws comes after the frames before the fault.
   * Throws RESPONSE_TOO_LARGE for a frame beyond the bound, which counts field names and comments but no line ends
   * and no byte order mark, and INVALID_STREAM for what is no UTF-8.
   */
  *read(chunk: Uint8Array): Generator<StreamFrame, void> {
    const rest = this.skipMark(chunk)
    let start = 0
    for (let index = 0; index < rest.length; index += 1) {
      const byte = rest[index]
      const isPair = byte === lineFeed && this.wasReturn
      this.wasReturn = byte === carriageReturn
      if (byte !== lineFeed && byte !== carriageReturn) continue
      if (!isPair) {
        this.keep(rest.subarray(start, index))
        const frame = this.endLine()
        if (frame !== undefined) yield frame
      }
      start = index + 1
    }
    this.keep(rest.subarray(start))
  }

  /** Says that the stream has ended. Throws INCOMPLETE_STREAM when it did so inside of a frame. */
  end(): void {
    const isInMark = this.markBytes > 0 && this.markBytes < byteOrderMark.length
    if (!this.isFrameOpen && this.lineBytes === 0 && !isInMark) return
    throw new HostError('INCOMPLETE_STREAM', 'The stream ended in the middle of a frame.')
  }

  /** Takes a byte order mark off the beginning of the stream, also when it comes in pieces. */
  private skipMark(chunk: Uint8Array): Uint8Array {
    let index = 0
    while (this.markBytes < byteOrderMark.length && index < chunk.length) {
      if (chunk[index] !== byteOrderMark[this.markBytes]) {
        // What was held back as the beginning of a mark is none.
        this.keep(Uint8Array.from(byteOrderMark.slice(0, this.markBytes)))
        this.markBytes = byteOrderMark.length
        break
      }
      this.markBytes += 1
      index += 1
    }
    return chunk.subarray(index)
  }

  private keep(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.frameBytes += piece.length
    if (this.frameBytes > this.frameBytesMax) {
      throw new HostError('RESPONSE_TOO_LARGE', `A frame has more than ${this.frameBytesMax} bytes.`)
    }
    this.lineBytes += piece.length
    // The caller may use its buffer again.
    this.line.push(piece.slice())
  }

  private endLine(): StreamFrame | undefined {
    if (this.lineBytes === 0) return this.endFrame()
    const text = this.decoded()
    this.line = []
    this.lineBytes = 0
    if (!text.startsWith(':')) this.field(text)
    return undefined
  }

  private decoded(): string {
    const bytes = new Uint8Array(this.lineBytes)
    let offset = 0
    for (const piece of this.line) {
      bytes.set(piece, offset)
      offset += piece.length
    }
    try {
      return this.decoder.decode(bytes)
    } catch (cause) {
      throw new HostError('INVALID_STREAM', 'The stream holds bytes that are no UTF-8.', { cause })
    }
  }

  private field(text: string): void {
    this.isFrameOpen = true
    const colon = text.indexOf(':')
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + (text[colon + 1] === ' ' ? 2 : 1))
    if (name === 'data') this.data.push(value)
    if (name === 'event') this.fields.event = value
    if (name === 'id' && !value.includes('\0')) this.fields.id = value
  }

  private endFrame(): StreamFrame | undefined {
    const frame = this.data.length === 0 ? undefined : { ...this.fields, data: this.data.join('\n') }
    this.data = []
    this.fields = {}
    this.frameBytes = 0
    this.isFrameOpen = false
    return frame
  }
}
