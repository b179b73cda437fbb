import { fileChunks, looksBinary } from './file-chunks.ts'
import { openFile } from './open-file.ts'
import type { WalkedFile } from './walk.ts'

/** What a file came to. */
export type FileCount =
  | { readonly kind: 'text'; readonly path: string; readonly bytes: number; readonly lines: number }
  /** Its size counts, lines it has none. `large`: it is beyond the bound, so its lines were not counted. */
  | { readonly kind: 'binary' | 'large'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly path: string }

/** The lines of larger files are not counted. */
export const countedBytesMax = 16_777_216

const lineFeed = 10

/** Counts one file. Only an abort is thrown. */
export async function countFile(file: WalkedFile, signal: AbortSignal): Promise<FileCount> {
  const { path } = file
  const opened = await openFile(file.absolute).catch(() => undefined)
  if (opened === undefined) return { kind: 'unreadable', path }
  const { handle, bytes } = opened
  try {
    if (bytes > countedBytesMax) return { kind: 'large', path, bytes }
    let lines = 0
    let last = lineFeed
    let isFirst = true
    for await (const chunk of fileChunks(handle, signal, countedBytesMax)) {
      if (isFirst && looksBinary(chunk)) return { kind: 'binary', path, bytes }
      isFirst = false
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines += 1
      last = chunk.at(-1) as number
    }
    return { kind: 'text', path, bytes, lines: last === lineFeed ? lines : lines + 1 }
  } catch {
    signal.throwIfAborted()
    return { kind: 'unreadable', path }
  } finally {
    await handle.close()
  }
}
