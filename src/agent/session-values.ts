import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { Values } from '../core/run/state.ts'
import type { StateUpdate } from '../core/tool/tool-state.ts'
import type { Journal } from '../runtime/journal.ts'
import { OwnScopes } from '../runtime/state/own-scopes.ts'
import { ScopeWriter } from '../runtime/state/scope-writer.ts'
import { runTarget, type StateTarget, sessionTarget } from '../runtime/state/state-target.ts'
import type { Definition } from './definition.ts'

/** A session and the agent that it belongs to. */
export interface SessionOfAgent {
  readonly definition: Definition
  readonly journal: Journal
}

const opened = new WeakMap<Journal, OwnScopes>()

/** The agent's own scopes of a session, read to their ends. Errors: INVALID_ARGUMENT, also when a function of a scope throws. */
export async function openScopes({ definition, journal }: SessionOfAgent): Promise<OwnScopes> {
  const known = opened.get(journal)
  if (known !== undefined) {
    await known.refresh()
    return known
  }
  const { id, subject, agent } = journal.state
  const scopes = await OwnScopes.open(definition.parts, definition.state.scopes, { id, subject, agent })
  opened.set(journal, scopes)
  return scopes
}

/** Changes values from outside of any call. Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED, RUN_NOT_FOUND. */
export async function updateValues(
  whose: SessionOfAgent,
  changes: StateUpdate,
  scope: string,
): Promise<void> {
  await whose.journal.refresh()
  const scopes = await openScopes(whose)
  await new ScopeWriter(targetOf(whose, scopes, scope), scopes.reserved).update(changes)
}

/** The newest values of a scope. Errors: INVALID_ARGUMENT, RUN_NOT_FOUND. */
export async function readValues(whose: SessionOfAgent, scope: string): Promise<Values> {
  await whose.journal.refresh()
  return targetOf(whose, await openScopes(whose), scope).values
}

function targetOf({ journal }: SessionOfAgent, scopes: OwnScopes, scope: string): StateTarget {
  if (scope === 'session') return sessionTarget(journal, {})
  const { id, openRun } = journal.state
  if (scope === 'run') {
    if (openRun !== undefined) return runTarget(journal, openRun, {})
    throw new ToolpostError('RUN_NOT_FOUND', `Every run of the session ${id} has ended; it has no values.`)
  }
  const shared = scopes.find(scope)
  if (shared !== undefined) return shared.target(id, {})
  const names = ['session', 'run', ...scopes.names].join(', ')
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `There is no scope ${named(scope)} here; the scopes are ${names}.`,
  )
}
