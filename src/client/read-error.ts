import { wireBounds } from '../protocol/bounds.ts'
import { errorBody } from '../protocol/error-body.ts'
import { HostError, hostErrorOf } from '../protocol/host-error.ts'
import { readBytes } from './read-bytes.ts'
import { readJson } from './read-json.ts'

/**
 * The error that an answer carries. One that is not of the protocol, or has more than 64,000 bytes, is HTTP_ERROR, which
 * can be retried after 429 and 5xx (application-tools-details 1.8).
 */
export async function readError(response: Response, signal: AbortSignal): Promise<HostError> {
  const { status } = response
  const bytes = await bytesOrNothing(response, signal)
  const read = bytes && readJson(errorBody, bytes)
  if (read?.ok) return hostErrorOf(read.value.error, status)
  const text = `The host answered with status ${status} and no error of the protocol.`
  return new HostError('HTTP_ERROR', text, { status, retryable: status === 429 || status >= 500 })
}

async function bytesOrNothing({ body }: Response, signal: AbortSignal): Promise<Uint8Array | undefined> {
  try {
    return await readBytes(body, wireBounds.errorBodyBytesMax, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
