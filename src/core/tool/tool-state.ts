import type { JsonValue } from '../json/value.ts'

/** Values of one scope by their keys: a frozen copy. */
export type StateValues = { readonly [key: string]: JsonValue }

/**
 * What is to change: keys with their new values, `undefined` for a key that is to go; keys that are not named stay as
 * they are. Or a function that gives this from the newest values: it must be pure, for it runs again when somebody else
 * has written in between.
 */
export type StateUpdate =
  | { readonly [key: string]: unknown }
  | ((values: StateValues) => { readonly [key: string]: unknown } | undefined)

interface ScopeMembers {
  /** All values of the scope, with what is under way. */
  readonly values: StateValues
  /** One value; undefined when there is none. */
  get(key: string): JsonValue | undefined
  /**
   * Sets and deletes values. What is read afterwards sees them at once; the promise resolves when they are stored. Nobody
   * has to wait for it: the call's outcome is written behind them, and a write that fails fails the call.
   * Errors, thrown at once: INVALID_ARGUMENT for a key that is taken, for what is no JSON, and where state may only be
   * read; LIMIT_EXCEEDED for a value that is too large, or too many keys.
   */
  update(changes: StateUpdate): Promise<void>
}

/** Values that outlive a call. `state.key` reads, `state.key = value` and `delete state.key` write, as `update` does. */
export type StateScope = ScopeMembers & { [key: string]: unknown }

interface SessionMembers extends ScopeMembers {
  /** Values of this run. */
  readonly run: StateScope
  /** Values of this run in this process: they are never stored. */
  readonly temp: StateScope
  /** A scope by its name: `session`, `run`, `temp`, or one of the agent's own. Errors: INVALID_ARGUMENT. */
  scope(name: string): StateScope
}

/** The state as a tool's function has it: the session's values, and the other scopes by their names. */
export type ToolState = SessionMembers & { [key: string]: unknown }
