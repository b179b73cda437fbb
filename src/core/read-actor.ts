import { ToolpostError } from './error.ts'
import { named } from './json/named.ts'
import { checkKeys, isRecord } from './known-keys.ts'
import type { Actor } from './outcome.ts'
import { isName, nameLengthMax } from './read-name.ts'

/** The doors that the runtime itself uses, with who stands at each. Nobody else answers by them. */
const kept: Readonly<Record<string, string>> = {
  expiry: 'a timer',
  timer: 'a timer',
  runtime: 'the runtime',
  abort: 'the runtime',
  migration: 'the runtime',
  default: 'an agent without a handler',
  handler: "an agent's handler",
}

/** Whom the runtime names at its doors. A person may have such a name at a door of ours, where nobody chooses his own. */
const keptIds: readonly string[] = ['timer', 'runtime', 'agent', 'handler', 'migration']
const ownDoors: readonly string[] = ['library', 'wire', 'command-line']

const form = `must be { id, method }, each a text of 1 to ${nameLengthMax} characters`

/**
 * Reads who answered, and by which door, from what a caller handed in; what is given back is a copy.
 * Errors: INVALID_ARGUMENT, also for a method that is kept for the runtime (expiry, timer, runtime, abort, migration,
 * default, handler), and for an id that the runtime has there (timer, runtime, agent, handler, migration), however they
 * are spaced and written.
 */
export function readActor(given: unknown): Actor {
  const { id, method } = fieldsOf(given)
  if (!isName(id) || !isName(method)) refuse(`"by" ${form}.`)
  const door = plain(method)
  const whose = Object.hasOwn(kept, door) ? kept[door] : undefined
  if (whose !== undefined)
    refuse(`"by" cannot have the method ${named(method)}: it is kept for ${whose}; name your own door.`)
  if (keptIds.includes(plain(id)) && !ownDoors.includes(method))
    refuse(`"by" cannot have the id ${named(id)}: the runtime itself is named so; say who answers.`)
  return { id, method }
}

/** As a reader takes it: compatible forms of a letter are one, spaces around it and its case do not count. */
function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
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
