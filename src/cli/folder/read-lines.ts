import type { FileHandle } from 'node:fs/promises'
import { fileChunks } from './file-chunks.ts'

/** A stretch of a text file. */
export interface Stretch {
  readonly lines: readonly string[]
  /** The number of lines in the file; absent when reading stopped before its end. */
  readonly total?: number
  /** True when a line was longer than the bound and was cut. */
  readonly cut: boolean
}

/** What is read. */
export interface StretchRequest {
  /** The first line, from 1. */
  readonly from: number
  readonly count: number
  /** Bytes of one line that are kept. */
  readonly lineBytesMax: number
  /** Bytes of the file that are looked at in all. */
  readonly bytesMax: number
}

const lineFeed = 10

/** Reads some lines, whatever the file's size and however long its lines are. */
export async function readLines(
  handle: FileHandle,
  request: StretchRequest,
  signal: AbortSignal,
): Promise<Stretch> {
  const collector = new LineCollector(request)
  let seenBytes = 0
  for await (const chunk of fileChunks(handle, signal, request.bytesMax)) {
    seenBytes += chunk.length
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      collector.add(chunk.subarray(start, at))
      collector.endLine()
      start = at + 1
    }
    collector.add(chunk.subarray(start))
  }
  const total = collector.end()
  const { lines, cut } = collector
  return { lines, cut, ...(seenBytes < request.bytesMax ? { total } : {}) }
}

/** Takes a file's bytes in pieces and keeps the lines that were asked for. */
class LineCollector {
  readonly lines: string[] = []
  cut = false
  readonly #request: StretchRequest
  #number = 1
  #kept: Buffer[] = []
  #keptBytes = 0
  #lineBytes = 0

  constructor(request: StretchRequest) {
    this.#request = request
  }

  add(piece: Buffer): void {
    this.#lineBytes += piece.length
    if (!this.#isWanted()) return
    const fitting = piece.subarray(0, Math.max(0, this.#request.lineBytesMax - this.#keptBytes))
    if (fitting.length < piece.length) this.cut = true
    // The piece is a window on a buffer that is filled anew.
    this.#kept.push(Buffer.from(fitting))
    this.#keptBytes += fitting.length
  }

  endLine(): void {
    if (this.#isWanted())
      this.lines.push(lineText(Buffer.concat(this.#kept), this.#keptBytes < this.#lineBytes))
    this.#number += 1
    this.#kept = []
    this.#keptBytes = 0
    this.#lineBytes = 0
  }

  /** Ends the last line, which may have no line feed, and gives the number of lines. */
  end(): number {
    if (this.#lineBytes > 0) this.endLine()
    return this.#number - 1
  }

  #isWanted(): boolean {
    return this.#number >= this.#request.from && this.lines.length < this.#request.count
  }
}

function lineText(bytes: Buffer, wasCut: boolean): string {
  const text = bytes.toString('utf8').replace(/\r$/, '')
  // A cut can go through a character, which then reads as U+FFFD.
  return wasCut ? `${text.replace(/\ufffd+$/, '')}…` : text
}
