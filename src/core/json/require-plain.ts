import { ToolpostError } from '../error.ts'
import { whyNotJson } from './why-not-json.ts'

/** As deep as a store writes. */
const depthMax = 1_000

/**
 * Errors: NOT_ENCODABLE for a value that would not come out of a store as it went in: a function, a symbol, NaN, an
 * infinite number, an undefined place of a list, an object of a class, one that contains itself. An undefined member is
 * none. LIMIT_EXCEEDED beyond 1,000 levels. `what` begins the sentence: `The event "run.ended"`.
 */
export function requirePlain(value: unknown, what: string): void {
  if (isPlain(value, 0)) return
  throw new ToolpostError(
    'NOT_ENCODABLE',
    `${what} cannot be kept, and nothing was written: ${whyNotJson(value)}.`,
  )
}

function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      if (value === null) return true
      if (depth >= depthMax) throw tooDeep()
      return Array.isArray(value) ? hasPlainItems(value, depth + 1) : hasPlainMembers(value, depth + 1)
    default:
      return false
  }
}

function hasPlainItems(list: readonly unknown[], depth: number): boolean {
  for (let index = 0; index < list.length; index += 1) if (!isPlain(list[index], depth)) return false
  return true
}

// Every event passes here: a loop over the keys makes no list of them.
function hasPlainMembers(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) {
    const member = value[key as keyof typeof value] as unknown
    if (member !== undefined && !isPlain(member, depth) && Object.hasOwn(value, key)) return false
  }
  return true
}

function tooDeep(): ToolpostError {
  return new ToolpostError('LIMIT_EXCEEDED', `The value is nested more than ${depthMax} deep; flatten it.`)
}
