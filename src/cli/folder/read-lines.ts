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
export async function readLines(handle: FileHandle, request: StretchRequest, signal: AbortSignal): Promise<Stretch> {
  const { from, count, lineBytesMax, bytesMax } = request
  const lines: string[] = []
  let number = 1
  let kept: Buffer[] = []
  let keptBytes = 0
  let lineBytes = 0
  let seenBytes = 0
  let cut = false
  const keep = (piece: Buffer) => {
    lineBytes += piece.length
    if (number < from || lines.length >= count) return
    const room = piece.subarray(0, Math.max(0, lineBytesMax - keptBytes))
    if (room.length < piece.length) cut = true
    kept.push(Buffer.from(room))
    keptBytes += room.length
  }
  const endLine = () => {
    if (number >= from && lines.length < count) lines.push(lineText(Buffer.concat(kept), keptBytes < lineBytes))
    number += 1
    kept = []
    keptBytes = 0
    lineBytes = 0
  }
  for await (const chunk of fileChunks(handle, signal, bytesMax)) {
    seenBytes += chunk.length
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, at))
      endLine()
      start = at + 1
    }
    keep(chunk.subarray(start))
  }
  const isWhole = seenBytes < bytesMax
  if (lineBytes > 0) endLine()
  return { lines, cut, ...(isWhole ? { total: number - 1 } : {}) }
}

function lineText(bytes: Buffer, wasCut: boolean): string {
  const text = bytes.toString('utf8').replace(/\r$/, '')
  // A cut can go through a character, which then reads as U+FFFD.
  return wasCut ? `${text.replace(/\ufffd+$/, '')}…` : text
}
