import type { Clock } from '../../core/clock.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import { HostError } from '../../protocol/host-error.ts'

/** How deep a body may nest: as deep as a value that can be recorded. */
const depthMax = 128

/** How long a sender may take for a body, in milliseconds; Node's servers bound a whole request by the same. */
export const bodyTimeoutMs = 30_000

/**
 * Reads a body as JSON: strict UTF-8, one value, no key twice, at most 1,000,000 bytes and 128 levels, within 30 seconds.
 * Errors: INVALID_REQUEST, BODY_TOO_LARGE, REQUEST_TIMEOUT.
 */
export async function readJson(request: Request, clock: Clock): Promise<JsonValue> {
  requireForm(request)
  const text = await readText(request, clock)
  const parsed = parseJson(text, { bytesMax: wireBounds.bodyBytesMax, depthMax })
  if (parsed.ok) return parsed.value
  throw invalid(`The body is no JSON that a host reads: ${parsed.fault.message}.`)
}

function requireForm({ headers }: Request): void {
  if (!/^application\/json[ \t]*(;.*)?$/i.test(headers.get('content-type') ?? ''))
    throw invalid('The content type of a body has to be application/json.')
  if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? ''))
    throw invalid('A body has to be sent as it is, without a content encoding.')
}

async function readText(request: Request, clock: Clock): Promise<string> {
  if (Number(request.headers.get('content-length')) > wireBounds.bodyBytesMax) throw tooLarge()
  if (request.body === null) return ''
  const reader = request.body.getReader()
  let isLate = false
  const stopTimer = clock.timer(bodyTimeoutMs, () => {
    isLate = true
    abandon(reader)
  })
  try {
    const text = await decode(reader)
    if (isLate) throw late()
    return text
  } catch (thrown) {
    abandon(reader)
    throw isLate ? late() : thrown
  } finally {
    stopTimer()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function decode(reader: Reader): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw invalid('The body broke off.', cause)
    })
    if (done) return text + decoded(() => decoder.decode())
    bytes += value.length
    if (bytes > wireBounds.bodyBytesMax) throw tooLarge()
    text += decoded(() => decoder.decode(value, { stream: true }))
  }
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch (cause) {
    throw invalid('The body is not UTF-8.', cause)
  }
}

/** Nobody waits for what a broken connection says to that. */
function abandon(reader: Reader): void {
  reader.cancel().catch(() => undefined)
}

function invalid(message: string, cause?: unknown): HostError {
  return new HostError('INVALID_REQUEST', message, { cause })
}

function tooLarge(): HostError {
  const bound = wireBounds.bodyBytesMax.toLocaleString('en')
  return new HostError('BODY_TOO_LARGE', `The body has more than ${bound} bytes.`)
}

function late(): HostError {
  const message = `The body was not there within ${bodyTimeoutMs / 1_000} seconds.`
  return new HostError('REQUEST_TIMEOUT', message)
}
