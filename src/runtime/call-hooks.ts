import type { FailedOutcome } from '../core/event.ts'
import type { CallState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'

/** A call that somebody's functions stand around. */
export interface HookedCall {
  readonly tool: Tool
  readonly call: CallState
  /** Ends the functions; it is not the run's when a call is settled after its run was stopped. */
  readonly signal: AbortSignal
}

/** What a tool gave, as it is before it is encoded. */
export interface GivenValue {
  readonly value: unknown
  readonly control?: 'output' | 'end'
}

/** What a hook made of a value: another one, the same, or a sentence that says why it is not let through. */
export type LetThrough = { readonly value: unknown; readonly by?: 'hook' } | { readonly fault: string }

/** The functions around every call of a run. None of them throws; all are bounded in time. */
export interface CallHooks {
  /** Before the claim of a call that nothing else holds back. Nothing: the tool is entered. */
  before(call: HookedCall): Promise<{ readonly refused: string } | LetThrough | undefined>
  /** After the tool gave a value and it was shaped. */
  after(call: HookedCall, given: GivenValue): Promise<LetThrough>
  /** After a call failed; it can change nothing. */
  failed(call: HookedCall, outcome: FailedOutcome): Promise<void>
}
