import type { FingerprintChange } from '../core/fingerprint.ts'
import type { JsonValue } from '../core/json/value.ts'

/** A call that waits, of a tool that is not what it was. */
export interface ChangedCall {
  readonly id: string
  readonly tool: string
  /** `missing`: the agent has no tool of this name any more. */
  readonly is: 'changed' | 'missing'
  /** The version of the tool that the call was checked by, and that of the tool as it is now. */
  readonly from: string
  readonly to?: string
  /** What would have run. */
  readonly args: JsonValue
}

/** How the agent that takes up a run differs from the one that began it. */
export interface DefinitionChange extends FingerprintChange {
  /** Open calls of the run that the change is about. */
  readonly calls: readonly ChangedCall[]
  /** The same as the sentences of a refusal. */
  readonly sentences: readonly string[]
}

/** Whose run it is. */
export interface ChangedSession {
  readonly id: string
  readonly subject: string
  readonly run: string
}

/** Brings open calls to the new form of their tools. */
export interface Migration {
  /**
   * The arguments of a call for the tool as it is now, or undefined for a call that is to be made again. They have to
   * pass the tool's schema, run as they are given, and are transformed no second time; whoever was asked about the call is asked again.
   */
  readonly args: (call: ChangedCall) => JsonValue | undefined | Promise<JsonValue | undefined>
}

/** What a function may answer; `continue` is what `ask again` does. */
export type ChangeAnswer = 'continue' | 'refuse' | Migration

/** Decides about a change; it looks and does nothing. */
export type ChangeFunction = (
  change: DefinitionChange,
  session: ChangedSession,
) => ChangeAnswer | Promise<ChangeAnswer>

/** What becomes of an unfinished run whose agent is another one than it was. */
export type OnChange = 'refuse' | 'ask again' | ChangeFunction
