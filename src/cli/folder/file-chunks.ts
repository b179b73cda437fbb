import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 65_536
/** A zero byte this near to the beginning means that the file is no text; the same mark as other tools take. */
const sniffedBytes = 8_192

/** Gives a file's bytes piece by piece; the piece is only good until the next one. Stops at `bytesMax`. */
export async function* fileChunks(
  handle: FileHandle,
  signal: AbortSignal,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; position < bytesMax; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(chunkBytes, bytesMax - position), position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Whether a file that begins with these bytes is no text. */
export function looksBinary(beginning: Uint8Array): boolean {
  return beginning.subarray(0, sniffedBytes).includes(0)
}
