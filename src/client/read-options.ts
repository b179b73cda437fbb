import { checkGiven, checkSignal } from '../protocol/check-given.ts'
import type { RequestOptions } from './client-options.ts'

/**
 * The options of a client's method: those of a request, and the keys that are named. Errors: INVALID_REQUEST, and nothing
 * is sent, for a key that is not known and a signal that is none.
 */
export function readOptions<Options extends RequestOptions>(
  given: Options | undefined,
  where: string,
  more: readonly string[] = [],
): Options | Record<string, never> {
  if (given === undefined) return {}
  checkGiven(given, ['signal', ...more], where)
  checkSignal(given.signal, where)
  return given
}
