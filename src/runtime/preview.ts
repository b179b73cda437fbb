const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The number of UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  return encoder.encode(text).length
}

/** The first bytes of a text, cut between characters. */
function head(bytes: Uint8Array, length: number): string {
  let end = Math.min(length, bytes.length)
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end -= 1
  return decoder.decode(bytes.subarray(0, end))
}

/** The last bytes of a text, cut between characters. */
function tail(bytes: Uint8Array, length: number): string {
  let start = Math.max(0, bytes.length - length)
  while (start < bytes.length && isContinuation(bytes[start])) start += 1
  return decoder.decode(bytes.subarray(start))
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}

/**
 * What a model gets of a text that is too large: its beginning and its end, and in the last line where the
 * whole of it is. The preview with that line stays within `bytesMax`.
 */
export function previewOf(bytes: Uint8Array, bytesMax: number, handle: string): string {
  const lastLine = `[The whole result has ${bytes.length} bytes; it is kept as ${handle}]`
  const gap = '\n[...]\n'
  const room = bytesMax - byteLength(lastLine) - byteLength(gap) - 1
  const headBytes = Math.floor(room * 0.7)
  return `${head(bytes, headBytes)}${gap}${tail(bytes, room - headBytes)}\n${lastLine}`
}
