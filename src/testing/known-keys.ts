import { refuseArgument } from './refuse-argument.ts'
import { shownValue } from './shown-value.ts'

/** Errors: INVALID_ARGUMENT for a key that is not known; `has` begins its sentence: `The case "x" has`. */
export function checkKeys(given: object, known: readonly string[], has: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) refuseArgument(`${has} no "${unknown}"; there are ${known.join(', ')}.`)
}

/** Whether a value is an object with members: no list, no function, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
