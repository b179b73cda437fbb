import type { Clock } from '../../core/clock.ts'
import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { wireBounds } from '../../protocol/bounds.ts'
import { HostError } from '../../protocol/host-error.ts'
import { charsetsOf } from './charsets-of.ts'

/** How deep a body may nest: as deep as a value that can be recorded. */
const depthMax = 128

/** How long a sender may take for a body, in milliseconds; Node's servers bound a whole request by the same. */
export const bodyTimeoutMs = 30_000

/**
 * Reads a body as JSON: strict UTF-8, one value, no key twice, at most 1,000,000 bytes and 128 levels, within 30 seconds.
 * One that may be absent is an object without members when it is, whatever the request says of it.
 * Errors: INVALID_REQUEST, BODY_TOO_LARGE, REQUEST_TIMEOUT.
 */
export async function readJson(request: Request, clock: Clock, mayBeAbsent = false): Promise<JsonValue> {
  if (!mayBeAbsent) requireForm(request)
  const text = await readText(request, clock)
  if (mayBeAbsent && text === '') return {}
  requireForm(request)
  const parsed = parseJson(text, { bytesMax: wireBounds.bodyBytesMax, depthMax })
  if (parsed.ok) return parsed.value
  throw invalid(`The body is no JSON that a host reads: ${parsed.fault.message}.`)
}

function requireForm({ headers }: Request): void {
  const type = headers.get('content-type') ?? ''
  if (!/^application\/json[ \t]*(;.*)?$/i.test(type))
    throw invalid('The content type of a body has to be application/json.')
  if (!charsetsOf(type).every((charset) => /^utf-?8$/i.test(charset)))
    throw invalid('A body has to be UTF-8: send it as such, with the content type application/json alone.')
  if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? ''))
    throw invalid('A body has to be sent as it is, without a content encoding.')
}

async function readText(request: Request, clock: Clock): Promise<string> {
  const length = request.headers.get('content-length')
  if (Number(length) > wireBounds.bodyBytesMax) throw tooLarge()
  // A body that says how long it is needs no stream, which servers make at a cost.
  if (length !== null) return await readWhole(request, clock)
  if (request.body === null) return ''
  return await readPieces(request.body.getReader(), clock)
}

async function readWhole(request: Request, clock: Clock): Promise<string> {
  const isLate = Promise.withResolvers<never>()
  const stopTimer = clock.timer(bodyTimeoutMs, () => isLate.reject(late()))
  const whole = request.arrayBuffer().catch((cause: unknown) => {
    throw invalid('The body broke off.', cause)
  })
  try {
    const bytes = new Uint8Array(await Promise.race([whole, isLate.promise]))
    if (bytes.length > wireBounds.bodyBytesMax) throw tooLarge()
    return decoded(() => newDecoder().decode(bytes))
  } finally {
    stopTimer()
  }
}

async function readPieces(reader: Reader, clock: Clock): Promise<string> {
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

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function decode(reader: Reader): Promise<string> {
  const decoder = newDecoder()
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
