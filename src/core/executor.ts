import type { ChildStarter } from './child.ts'
import type { JsonValue } from './json/value.ts'
import type { ToolState } from './tool/tool-state.ts'

/** What a tool may report of its own work. */
export interface Progress {
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
  /** What there is of its output so far. */
  readonly output?: JsonValue
}

/** The call as an executor gets it: decided, claimed, and bound to these arguments. */
export interface ExecutableCall {
  readonly id: string
  readonly name: string
  /** Counts claims of this call, from 1: the second follows a crash. */
  readonly claim: number
  /** A copy of its own for every try: the tool may change it. */
  readonly args: unknown
  readonly digest: string
  /** What a person answered, as the tool's `yieldSchema` gave it; absent when nobody was asked. */
  readonly input?: unknown
}

/** What surrounds one try of a call. */
export interface ExecutionContext {
  /** Aborts on cancellation and on timeout, with the reason. */
  readonly signal: AbortSignal
  /** The same for every try and after a crash: hand it to what must not act twice. */
  readonly idempotencyKey: string
  readonly session: { readonly id: string; readonly subject: string }
  readonly run: string
  /** The run that started this one, when it is a child's. */
  readonly parentRun?: string
  readonly agent: string
  /** Counts tries within the claim, from 1. */
  readonly attempt: number
  /** Values that outlive the call. */
  readonly state: ToolState
  progress(progress: Progress): void
  /** Tells who looks on at the run what the developer should know; absent where nobody can. */
  warn?(message: string): void
  /** Reads a large result of this session by its handle; undefined when the session has none of it. */
  readResult(handle: string): Promise<string | undefined>
  /** Bytes of UTF-8 of a result that the model would get whole now; absent where nothing bounds it. */
  readonly resultBytesMax?: number
  /** Milliseconds since 1970. */
  now(): number
  /** Starts other agents; absent where nothing is executed (`prepare`, `check`, `finalize`, `reconcile`). */
  readonly children?: ChildStarter
}

/**
 * What one try came to. `cause` is the thrown value; it is never stored. `isReading` says that the value is a part of a
 * result which is kept already, so that it is never kept under another handle.
 */
export type Execution =
  | {
      readonly status: 'completed'
      readonly value: unknown
      readonly control?: 'output' | 'end'
      readonly isReading?: true
    }
  | { readonly status: 'failed'; readonly code: string; readonly message: string; readonly cause?: unknown }
  | Resting

/**
 * The claim is given back: nothing of the call runs, and it is entered again from its start when what it waits for is
 * there: child runs that have to go on first (their sessions), or a time (`until`, milliseconds since 1970).
 */
export interface Resting {
  readonly status: 'resting'
  readonly on: readonly string[]
  readonly until?: number
}

/** What an executor found out about a call whose outcome nobody saw. */
export type Reconciliation =
  | { readonly found: 'completed'; readonly value: unknown }
  | { readonly found: 'failed'; readonly message: string }
  /** The effect never took place: the call may run again. */
  | { readonly found: 'not_run' }
  | { readonly found: 'unknown' }

/**
 * How a call is carried.
 *
 * Contract: `execute` never rejects; it ends soon after the signal aborts, or its outcome counts as
 * uncertain. `reconcile` looks, and changes nothing.
 */
export interface Executor {
  /**
   * True: somebody outside carries the call. Its claim opens a ticket, in the same append, and whoever redeems that gives
   * the outcome, in any process; `execute` is not entered for it, so that no end of a process can lose it.
   */
  readonly handsOut?: true
  execute(call: ExecutableCall, context: ExecutionContext): Promise<Execution>
  reconcile?(call: ExecutableCall, context: ExecutionContext): Promise<Reconciliation>
}
