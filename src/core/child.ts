import type { RunEnding } from './event.ts'
import type { RunInput } from './input-part.ts'
import type { JsonValue } from './json/value.ts'
import type { ToolMode } from './policy/mode.ts'

/** The mark of what can be run by a call: agents and flows. */
export const runnable: unique symbol = Symbol.for('toolpost.runnable') as never

/** An agent or a flow, as a tool's function may run it. */
export interface Runnable {
  readonly name: string
  /** What it is made of; for the library itself. */
  readonly [runnable]: unknown
}

/** Whether a value is an agent or a flow, also one made by another copy of this package. */
export function isRunnable(value: unknown): value is Runnable {
  try {
    return typeof value === 'object' && value !== null && runnable in value
  } catch {
    return false
  }
}

/** The mark of a child run that stands in the place of the run above: it gets the files that one was told, too. */
export const filesOfRun: unique symbol = Symbol.for('toolpost.filesOfRun') as never

/** Whether it does so whichever step its call is of, or in the first step of the run only. */
export type FilesOfRun = 'any_step' | 'first_step'

/** What a child run begins with. */
export interface ChildOptions {
  /** What it is told, as a user would: a text, or parts with images and files. */
  readonly input: RunInput
  /** For the library itself. @internal */
  readonly [filesOfRun]?: FilesOfRun
  /** Its tool mode; never wider than that of the run that starts it, which is the default. */
  readonly mode?: ToolMode
  /** Milliseconds after which it is stopped; default: its agent's own. */
  readonly timeoutMs?: number
  /** What its run starts with in the scope `run` of its state. */
  readonly state?: { readonly [key: string]: JsonValue }
}

/** How a child run ended. */
export interface ChildResult {
  readonly status: RunEnding
  /** Its last words, or the sentence that says why it ended. */
  readonly text: string
  /** The value that a tool ended it with. */
  readonly output?: JsonValue
  /** Why it ended, where that has a code: `RUN_TIMEOUT`, `IDLE_TIMEOUT`, that of a failed tool. */
  readonly code?: string
  readonly session: string
  readonly run: string
}

/** A child run that goes on beside the call that started it. */
export interface SpawnedChild {
  readonly session: string
  readonly run: string
  /** Its result, once it has ended; when it rests, the call rests with it and is entered again. */
  wait(): Promise<ChildResult>
  /** Stops it. */
  abort(reason?: unknown): void
}

/**
 * How one try of a call starts other agents. Children are numbered in the order in which they are started: a call that
 * is entered again finds its children by their numbers, so it must start them in the same order.
 *
 * Errors: INVALID_ARGUMENT for what is no agent; LIMIT_EXCEEDED for too many, or too deep; DEFINITION_CHANGED when
 * another agent was started at this place before.
 */
export interface ChildStarter {
  run(agent: Runnable, options: ChildOptions): Promise<ChildResult>
  spawn(agent: Runnable, options: ChildOptions): SpawnedChild
  dispatch(
    agent: Runnable,
    options: ChildOptions,
  ): Promise<{ readonly session: string; readonly run: string }>
  /** Runs an agent in this one's place: without an input, with what this run was told. */
  handOver(agent: Runnable, input?: RunInput): Promise<ChildResult>
}
