import { ToolpostError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import { deepFreeze } from '../core/json/deep-freeze.ts'
import { readChanges, refuseTooManyKeys, type StateChange } from '../core/run/read-changes.ts'
import { withChanges } from '../core/run/state-rules.ts'
import { type ScopeFunctions, takenNames } from '../runtime/state/own-scopes.ts'

/** What an agent says of the state of its sessions. */
export interface StateOptions {
  /** The values that a new session starts with. */
  readonly initial?: { readonly [key: string]: unknown }
  /** Keys, of any scope, that are stored and read like all others, and left out of what a session streams. */
  readonly private?: readonly string[]
}

/** The same, checked. */
export interface StateDefinition {
  readonly initial: readonly StateChange[]
  readonly private: readonly string[]
  readonly scopes: ScopeFunctions
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_AGENT', sentence)
}

/** Errors: INVALID_AGENT; INVALID_ARGUMENT and LIMIT_EXCEEDED for an initial value that cannot be kept. */
export function readStateOptions(state: StateOptions = {}, scopes: ScopeFunctions = {}): StateDefinition {
  checkScopes(scopes)
  const initial = readChanges(state.initial, new Set([...takenNames, ...Object.keys(scopes)]))
  refuseTooManyKeys(withChanges({}, initial))
  return deepFreeze({ initial, private: [...(state.private ?? [])], scopes: { ...scopes } })
}

function checkScopes(scopes: unknown): void {
  if (typeof scopes !== 'object' || scopes === null || Array.isArray(scopes))
    refuse('"scopes" must be an object of functions, such as { user: (session) => session.subject }.')
  for (const [name, idOf] of Object.entries(scopes)) {
    if (!/^[a-z][A-Za-z0-9_]{0,63}$/.test(name) || takenNames.includes(name))
      refuse(
        `The scope "${name}" needs another name: at most 64 letters, digits and _, a small letter first, none of ${takenNames.join(', ')}.`,
      )
    if (typeof idOf !== 'function')
      refuse(`The scope "${name}" must be a function that gives the id of whose values a session shares.`)
  }
}

/** What a new session's log says of its first values. */
export function initialEvents({ initial }: StateDefinition): readonly Event[] {
  return initial.length === 0 ? [] : [{ type: 'state.changed', scope: 'session', changes: initial }]
}

/** The event as it may be streamed: without the keys that stay inside; undefined when nothing of it is left. */
export function shownEvent(event: Event, { private: inside }: StateDefinition): Event | undefined {
  if (event.type !== 'state.changed' || inside.length === 0) return event
  const changes = event.changes.filter(({ key }) => !inside.includes(key))
  return changes.length === 0 ? undefined : { ...event, changes }
}
