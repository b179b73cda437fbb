import { ToolpostError } from '../error.ts'
import type { EventOf } from '../event.ts'
import { asJson } from '../json/as-json.ts'
import { deepFreeze } from '../json/deep-freeze.ts'
import { parseJson } from '../json/strict.ts'
import { stringifyJson } from '../json/stringify.ts'
import type { JsonValue } from '../json/value.ts'
import { whyNotJson } from '../json/why-not-json.ts'
import { limits } from '../limits.ts'
import type { Values } from './state.ts'

/** One key that is set or deleted. */
export type StateChange = EventOf<'state.changed'>['changes'][number]

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}

function exceed(sentence: string): never {
  throw new ToolpostError('LIMIT_EXCEEDED', sentence)
}

/**
 * Reads changes of the state as a caller gives them, into frozen copies that are as they will come back from a store.
 * Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED.
 */
export function readChanges(given: unknown, reserved: ReadonlySet<string>): readonly StateChange[] {
  if (given === undefined) return []
  if (!isPlainObject(given))
    refuse('A change of the state is an object of keys and values, or a function that returns one at once.')
  return Object.keys(given).map((key) => {
    refuseKey(key, reserved)
    const value: unknown = given[key]
    return Object.freeze(value === undefined ? { key } : { key, value: storedValue(key, value) })
  })
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function refuseKey(key: string, reserved: ReadonlySet<string>): void {
  if (reserved.has(key)) {
    const taken = [...reserved].join(', ')
    refuse(`"${key}" is no key of the state: these names are taken: ${taken}. Choose another.`)
  }
  if (key === '' || key.length > limits.stateKeyCharactersMax || !key.isWellFormed())
    refuse(`A key of the state is a text of 1 to ${limits.stateKeyCharactersMax} characters.`)
}

/** What a store would give back, so that nothing changes with a restart. */
function storedValue(key: string, value: unknown): JsonValue {
  const json = asJson(value)
  if (json === undefined)
    refuse(
      `The value of "${key}" is no JSON: ${whyNotJson(value)}. It can be neither stored nor read back; keep plain data.`,
    )
  const text = stringifyJson(json)
  const bytesMax = limits.stateValueBytesMax
  if (new TextEncoder().encode(text).length > bytesMax)
    exceed(`The value of "${key}" has more than ${bytesMax} bytes; keep it elsewhere, and its name here.`)
  const stored = parseJson(text, { bytesMax })
  if (!stored.ok) refuse(`The value of "${key}" cannot be kept: ${stored.fault.message}.`)
  return deepFreeze(stored.value)
}

/** Errors: LIMIT_EXCEEDED. */
export function refuseTooManyKeys(values: Values): void {
  const count = Object.keys(values).length
  if (count > limits.stateKeysMax)
    exceed(`A scope of the state holds at most ${limits.stateKeysMax} keys; this would be ${count}.`)
}
