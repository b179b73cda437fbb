import { checkOptions } from '../core/known-keys.ts'
import { messageOf } from '../core/message-of.ts'
import type { WireErrorCode } from './errors.ts'
import { HostError } from './host-error.ts'

/**
 * A misspelt option would do nothing, and nobody would notice. Errors: the code, by default INVALID_REQUEST, for options
 * that are no object or have another key than these; `where` begins the sentence: `client.stream()`.
 */
export function checkGiven(
  given: unknown,
  known: readonly string[],
  where: string,
  code: WireErrorCode = 'INVALID_REQUEST',
): void {
  try {
    checkOptions(given, known, where)
  } catch (fault) {
    throw new HostError(code, messageOf(fault))
  }
}

/** Errors: INVALID_REQUEST for what stands where an `AbortSignal` belongs and is none. */
export function checkSignal(signal: unknown, where: string): void {
  // A page's own signals are of another class than those of a worker or a test, and are named the same.
  if (signal === undefined || Object.prototype.toString.call(signal) === '[object AbortSignal]') return
  throw new HostError('INVALID_REQUEST', `${where}: "signal" has to be an AbortSignal.`)
}
