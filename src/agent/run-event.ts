import type { Event } from '../core/event.ts'
import type { Progress } from '../core/executor.ts'

/** What is shown while it happens and kept nowhere. */
export type Delta =
  | { readonly type: 'text.delta'; readonly delta: string }
  | { readonly type: 'reasoning.delta'; readonly delta: string }
  /** The model has begun to write a call. */
  | { readonly type: 'call.delta'; readonly modelCallId: string; readonly name: string }
  | { readonly type: 'call.progressed'; readonly call: string; readonly progress: Progress }
  | { readonly type: 'warning'; readonly message: string }

/** What a session's stream gives: the facts of the log as they are written, and deltas between them. */
export type RunEvent = (Event & { readonly sequence: number; readonly at: number }) | Delta

/** A run below the one that is followed, and the call that started it. */
export interface ChildPlace {
  /** The agent's name. */
  readonly agent: string
  readonly session: string
  readonly run: string
  /** The call of the run above. */
  readonly call: string
}

/** What happened in a run below the one that is followed; a stream gives it with the option `children`. */
export interface ChildEvent {
  readonly type: 'child.event'
  /** Down from the run that is followed: its own child first, the run whose event it is last. */
  readonly path: readonly ChildPlace[]
  /** As the child's own stream gives it; its sequence is that of the child's log. */
  readonly event: RunEvent
}
