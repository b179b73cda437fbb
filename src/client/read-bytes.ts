import { HostError } from '../protocol/host-error.ts'
import { chunksOf } from './chunks.ts'

/** All bytes of a body. Throws RESPONSE_TOO_LARGE as soon as there are more than the bound. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(body, signal)) {
    length += chunk.length
    if (length > bytesMax) {
      throw new HostError('RESPONSE_TOO_LARGE', `The answer has more than ${bytesMax} bytes.`)
    }
    chunks.push(chunk)
  }
  return joined(chunks, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
