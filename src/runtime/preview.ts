const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The number of UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(index + 1))) {
      bytes += 2
      index += 1
    } else bytes += 2
  }
  return bytes
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
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

const gap = '\n[...]\n'

/**
 * What a model gets of a text that is too large: its beginning, its end, and a last line that says where the
 * whole of it is. All of it stays within `bytesMax`, if the last line does.
 */
export function previewOf(bytes: Uint8Array, bytesMax: number, lastLine: string): string {
  const room = Math.max(0, bytesMax - encoder.encode(lastLine).length - gap.length - 1)
  const headBytes = Math.floor(room * 0.7)
  return `${head(bytes, headBytes)}${gap}${tail(bytes, room - headBytes)}\n${lastLine}`
}
