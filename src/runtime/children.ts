import type { ChildStarter } from '../core/child.ts'
import type { Execution } from '../core/executor.ts'
import type { CallState } from '../core/run/state.ts'

/** The code of a call that failed because the tree of agents is as large, or as deep, as it may be: its run ends with it. */
export const treeLimitCode = 'tree_limit'

/** The code of a call that was entered again and started other agents than before, after some of them had gone on. */
export const childrenChangedCode = 'children_changed'

/** The code of a call that waited for a run which ended over an outcome that nobody saw, where its own run has a rule for that. */
export const unseenBelowCode = 'unseen_below'

/** How the calls of a run start other agents, and what becomes of those. */
export interface Children {
  /** What one try of a call starts children with; they are stopped with the signal. */
  forTry(call: string, signal: AbortSignal): TryChildren
  /**
   * Ends the runs that a call waits for, wherever they stand, and with `bound` also those that it started beside itself;
   * those that it dispatched go on.
   */
  stop(call: CallState, reason: unknown, which?: 'awaited' | 'bound'): Promise<void>
}

/** The children of one try of a call. */
export interface TryChildren extends ChildStarter {
  /**
   * Resolves when none of those that the try waits for runs any more, with what the try came to, given what its function
   * said. Nothing can be started afterwards.
   */
  settled(ended: Execution): Promise<Execution>
}
