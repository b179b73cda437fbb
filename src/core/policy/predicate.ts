import type { JsonValue } from '../json/value.ts'
import { equalJson, isJson } from './equal-json.ts'
import { followPointer, isPointer } from './follow-pointer.ts'

/**
 * A condition on a call's arguments, as JSON. `path` is a JSON pointer (RFC 6901) into the arguments. A field
 * that is missing matches only `absent: true`. A number and a text are never equal.
 */
export type Predicate =
  | { readonly path: string; readonly eq: JsonValue }
  | { readonly path: string; readonly in: readonly JsonValue[] }
  | { readonly path: string; readonly absent: boolean }
  | { readonly all: readonly Predicate[] }
  | { readonly any: readonly Predicate[] }

/** Whether arguments fulfil a predicate; `malformed` when it is none, whatever the arguments are. */
export type PredicateOutcome = 'match' | 'no_match' | 'malformed'

const depthMax = 32

/**
 * Judges arguments by a predicate. Always ends and never throws: a part that is malformed (another key than
 * these, an empty list, nesting deeper than 32) makes the whole predicate malformed. Without arguments, only
 * `malformed` says something.
 */
export function judgePredicate(predicate: unknown, args: JsonValue | undefined): PredicateOutcome {
  return judge(predicate, args, 0)
}

function judge(predicate: unknown, args: JsonValue | undefined, depth: number): PredicateOutcome {
  if (typeof predicate !== 'object' || predicate === null || depth > depthMax) return 'malformed'
  const keys = Object.keys(predicate)
  const parts = predicate as Readonly<Record<string, unknown>>
  if (keys.length === 1 && keys[0] === 'all') return judgeList(parts.all, args, depth, 'no_match')
  if (keys.length === 1 && keys[0] === 'any') return judgeList(parts.any, args, depth, 'match')
  const operator = keys[0] === 'path' ? keys[1] : keys[0]
  if (keys.length !== 2 || operator === undefined || !Object.hasOwn(parts, 'path')) return 'malformed'
  return judgeField(parts.path, operator, parts[operator], args)
}

/** `decisive` is the outcome of one part that settles the list; every part is looked at all the same. */
function judgeList(
  parts: unknown,
  args: JsonValue | undefined,
  depth: number,
  decisive: 'match' | 'no_match',
): PredicateOutcome {
  if (!Array.isArray(parts) || parts.length === 0) return 'malformed'
  let outcome: PredicateOutcome = decisive === 'match' ? 'no_match' : 'match'
  for (const part of parts) {
    const found = judge(part, args, depth + 1)
    if (found === 'malformed') return 'malformed'
    if (found === decisive) outcome = decisive
  }
  return outcome
}

function judgeField(
  path: unknown,
  operator: string,
  operand: unknown,
  args: JsonValue | undefined,
): PredicateOutcome {
  if (typeof path !== 'string' || !isPointer(path) || !isOperand(operator, operand)) return 'malformed'
  const found = args === undefined ? 'missing' : followPointer(args, path)
  if (typeof found === 'string') return operator === 'absent' && operand === true ? 'match' : 'no_match'
  if (operator === 'absent') return operand === false ? 'match' : 'no_match'
  const wanted = operator === 'eq' ? [operand as JsonValue] : (operand as readonly JsonValue[])
  return wanted.some((value) => equalJson(value, found.value)) ? 'match' : 'no_match'
}

function isOperand(operator: string, operand: unknown): boolean {
  if (operator === 'absent') return typeof operand === 'boolean'
  if (operator === 'in') return Array.isArray(operand) && operand.length > 0 && isJson(operand)
  return operator === 'eq' && isJson(operand)
}
