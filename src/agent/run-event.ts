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
