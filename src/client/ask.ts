import type { JsonObject } from '../core/json/value.ts'
import type { Body } from '../protocol/body.ts'
import { wireBounds } from '../protocol/bounds.ts'
import { HostError, isHostError } from '../protocol/host-error.ts'
import { faultSentence } from '../protocol/parse-body.ts'
import type { RouteMethod } from '../protocol/route.ts'
import type { RequestOptions } from './client-options.ts'
import type { Exchange, Sending } from './exchange.ts'
import { readBytes } from './read-bytes.ts'
import { readJson } from './read-json.ts'
import { transportError } from './transport-error.ts'

/** A question that is answered with JSON. */
export interface Question<Answer> extends Omit<Sending, 'accept' | 'signal'>, RequestOptions {
  readonly answer: Body<Answer>
  /** Members that the answer must have exactly so: what it echoes, and what follows from the question. */
  readonly echoes?: JsonObject
}

/**
 * Asks and gives the answer. Throws what `Exchange.send` throws, RESPONSE_TOO_LARGE beyond 2,000,000 bytes, and
 * INVALID_RESPONSE for an answer of a wrong shape, or one that does not echo what was asked; where the question may have
 * changed something, its outcome is uncertain then.
 */
export async function ask<Answer>(exchange: Exchange, question: Question<Answer>): Promise<Answer> {
  const { answer, echoes = {}, signal = new AbortController().signal, ...sending } = question
  const { method } = sending.route
  const response = await exchange.send({ ...sending, accept: 'application/json', signal })
  const read = readJson(answer, await bytesOf(response, method, signal))
  if (!read.ok)
    throw invalid(`The answer is not what the protocol says: ${faultSentence(read.faults)}`, method)
  const other = Object.keys(echoes).find((key) => (read.value as JsonObject)[key] !== echoes[key])
  if (other === undefined) return read.value
  throw invalid(
    `The answer has another ${other} than it must have; the run's stream tells what became of it.`,
    method,
  )
}

async function bytesOf(response: Response, method: RouteMethod, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readBytes(response.body, wireBounds.frameBytesMax, signal)
  } catch (fault) {
    signal.throwIfAborted()
    throw isHostError(fault) ? fault : transportError(fault, method)
  }
}

function invalid(message: string, method: RouteMethod): HostError {
  return new HostError('INVALID_RESPONSE', message, { outcome: method !== 'GET' ? 'uncertain' : undefined })
}
