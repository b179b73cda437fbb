import { ToolpostError } from './error.ts'
import { named } from './json/named.ts'
import { checkKeys, isRecord } from './known-keys.ts'
import type { Actor } from './outcome.ts'
import { isName, nameLengthMax } from './read-name.ts'

/** The doors that the runtime itself uses, with who stands at each. Nobody else answers by them. */
const kept: Readonly<Record<string, string>> = {
  expiry: 'a timer',
  abort: 'the runtime',
  migration: 'the runtime',
  default: 'an agent without a handler',
  handler: "an agent's handler",
}

const form = `must be { id, method }, each a text of 1 to ${nameLengthMax} characters`

/**
 * Reads who answered, and by which door, from what a caller handed in; what is given back is a copy.
 * Errors: INVALID_ARGUMENT, also for a method that is kept for the runtime: expiry, abort, migration, default, handler.
 */
export function readActor(given: unknown): Actor {
  const { id, method } = fieldsOf(given)
  if (!isName(id) || !isName(method)) refuse(`"by" ${form}.`)
  const whose = Object.hasOwn(kept, method) ? kept[method] : undefined
  if (whose !== undefined)
    refuse(`"by" cannot have the method ${named(method)}: it is kept for ${whose}; name your own door.`)
  return { id, method }
}

/** What somebody hands in may throw when it is read. */
function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) refuse(`"by" says who answers and by which door: it ${form}.`)
  let fields: Record<string, unknown>
  try {
    fields = { ...given }
  } catch {
    refuse(`"by" cannot be read; it ${form}.`)
  }
  checkKeys(fields, ['id', 'method'], '"by" has')
  return fields
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
