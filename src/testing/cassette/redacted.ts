import { asJson } from '../../core/json/as-json.ts'
import { jsonPointer } from '../../core/json/pointer.ts'
import { refuseArgument } from '../refuse-argument.ts'
import { shownValue } from '../shown-value.ts'
import type { Cassette } from './cassette.ts'

/** Gives what stands in a cassette in place of a value. */
export type Redact = (path: string, value: string | number | boolean) => unknown

const argumentKeys = ['argumentsText', 'argsJson', 'digest']

/**
 * A cassette after everybody's eyes were thought of; nobody has checked yet that it is still one. Errors:
 * INVALID_ARGUMENT with the place where `redact` gave what is no JSON.
 */
export function redacted(cassette: Cassette, redact: Redact): unknown {
  return withRedacted(cassette, [], redact)
}

function withRedacted(value: unknown, path: readonly (string | number)[], redact: Redact): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withRedacted(item, [...path, index], redact))
  if (typeof value === 'object' && value !== null) return redactedObject(value, path, redact)
  const given: unknown = redact(jsonPointer(path), value as string)
  if (asJson(given) !== undefined) return given
  refuseArgument(
    `"redact" gave ${shownValue(given)} at ${jsonPointer(path)}, which is no JSON; where nothing is to change it gives the value back.`,
  )
}

function redactedObject(value: object, path: readonly (string | number)[], redact: Redact): object {
  const members = Object.entries(value)
  const changed = members.map(([key, member]) => [key, withRedacted(member, [...path, key], redact)] as const)
  const hasOtherArguments = changed.some(
    ([key, member], index) => argumentKeys.includes(key) && member !== members[index]?.[1],
  )
  // A digest of what is not there any more would only say that it is not there.
  const left = (key: string) => hasOtherArguments && (key === 'argsJson' || key === 'digest')
  return Object.fromEntries(changed.filter(([key]) => !left(key)))
}
