import { ToolpostError } from './error.ts'
import { named } from './json/named.ts'

/** Whether a value is an object with members: no list, no function, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Errors: INVALID_ARGUMENT for a key that is not known; `has` begins its sentence: `The case "x" has`. */
export function checkKeys(given: object, known: readonly string[], has: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new ToolpostError('INVALID_ARGUMENT', `${has} no ${named(unknown)}; there are ${known.join(', ')}.`)
}

/**
 * A misspelt option would do nothing, and nobody would notice. Errors: INVALID_ARGUMENT for options that are no object or
 * have another key than these; `where` begins the sentence: `session.run()`.
 */
export function checkOptions(given: unknown, known: readonly string[], where: string): void {
  if (!isRecord(given))
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `${where} takes an object with ${known.join(', ')}, not ${wordOf(given)}.`,
    )
  checkKeys(given, known, `${where} has`)
}

/**
 * Options where there are none would do nothing. Errors: INVALID_ARGUMENT when anything stands behind the last argument;
 * `where` begins the sentence: `agent.openSession()`, and `takes` says what there is: `the id of a session`.
 */
export function checkNothingMore(more: readonly unknown[], where: string, takes: string): void {
  if (more.every((each) => each === undefined)) return
  throw new ToolpostError('INVALID_ARGUMENT', `${where} takes ${takes}, and nothing more.`)
}

function wordOf(given: unknown): string {
  if (given === null) return 'null'
  return Array.isArray(given) ? 'a list' : `a value of the type ${typeof given}`
}
