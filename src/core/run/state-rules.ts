import type { EventOf } from '../event.ts'
import { setOwn } from '../json/set-own.ts'
import type { JsonValue } from '../json/value.ts'
import type { Draft } from './draft.ts'
import { openRunOf, refuse } from './illegal.ts'
import type { Values } from './state.ts'

/** Each write names its keys alone, so that writers of other keys lose nothing. */
export function stateChanged(draft: Draft, event: EventOf<'state.changed'>): void {
  if (event.scope === 'session') {
    draft.head = { ...draft.head, values: withChanges(draft.head.values, event.changes) }
    return
  }
  if (event.scope !== 'run') refuse(`The scope "${event.scope}" has a log of its own.`)
  if (event.run === undefined) refuse('A change of the state of a run names its run.')
  const run = openRunOf(draft, event.run)
  draft.runs.set(run.id, { ...run, values: withChanges(run.values, event.changes) })
}

/** The values after these changes, frozen; the given ones stay as they are. */
export function withChanges(values: Values, changes: EventOf<'state.changed'>['changes']): Values {
  if (changes.length === 0) return values
  const changed: Record<string, JsonValue> = {}
  for (const key of Object.keys(values)) setOwn(changed, key, values[key] as JsonValue)
  for (const { key, value } of changes) {
    if (value === undefined) delete changed[key]
    else setOwn(changed, key, value)
  }
  return Object.freeze(changed)
}
