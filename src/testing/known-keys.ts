import { checkKeys, isRecord } from '../core/known-keys.ts'
import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'

/** The object, if it has these keys and no others. Errors: INVALID_ARGUMENT, in a sentence that begins with `where`. */
export function readRecord(
  given: unknown,
  known: readonly string[],
  where: string,
): Readonly<Record<string, unknown>> {
  if (!isRecord(given))
    refuseArgument(`${where} takes an object with ${known.join(', ')}, not ${shownValue(given)}.`)
  checkKeys(given, known, `${where} has`)
  return given
}
