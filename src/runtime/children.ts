import type { ChildStarter } from '../core/child.ts'
import type { CallState } from '../core/run/state.ts'

/** How the calls of a run start other agents, and what becomes of those. */
export interface Children {
  /** What one try of a call starts children with; they are stopped with the signal. */
  forTry(call: string, signal: AbortSignal): TryChildren
  /** Ends the runs that a call waits for, wherever they stand; those that it started beside itself go on. */
  stop(call: CallState, reason: unknown): Promise<void>
}

/** The children of one try of a call. */
export interface TryChildren extends ChildStarter {
  /** Resolves when none of those that the try waits for runs any more, with the sessions of those that rest. */
  settled(): Promise<readonly string[]>
}
