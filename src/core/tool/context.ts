import type { ChildOptions, ChildResult, Runnable, SpawnedChild } from '../child.ts'
import type { Progress } from '../executor.ts'
import type { RunInput } from '../input-part.ts'
import type { ToolState } from './tool-state.ts'

declare const controlBrand: unique symbol

/** What `context.output`, `end`, `handOver` and `retryAfter` give; it works when it is returned from `execute`. */
export interface ControlSignal {
  readonly [controlBrand]: true
  readonly control: Control
  readonly value: unknown
}

/** `output`, `end`: the run ends; `hand_over`: another agent ends it; `rest`: the call waits for a time. */
export type Control = 'output' | 'end' | 'hand_over' | 'rest'

/** What every function of a tool gets beside the arguments. */
export interface ToolContext<Args = unknown, Input = unknown> {
  /** The same value as the first argument. */
  readonly args: Args
  /** What the person answered, after the tool has stopped to ask; `undefined` before, and for tools that do not. */
  readonly input?: Input
  readonly toolName: string
  /** Our own id of the call, unique for ever. */
  readonly callId: string
  /** The run, also called invocation. */
  readonly invocationId: string
  /** The run that started this one; `undefined` unless it is a child's. */
  readonly parentInvocationId: string | undefined
  /** The agent that the call belongs to. */
  readonly runnable: { readonly name: string }
  readonly session: { readonly id: string; readonly subject: string }
  /**
   * Values that outlive the call: those of the session, and those of other scopes by their names. `prepare`, `check` and
   * `reconcile` may only read them.
   */
  readonly state: ToolState
  /** Aborts when the run is stopped or the call's time is over; hand it to your own I/O. */
  readonly signal: AbortSignal
  /** The same for every try of this call and after a crash. */
  readonly idempotencyKey: string
  /** Counts tries within the claim, from 1. */
  readonly attempt: number
  /** Says how far the work is; call it after real work only. */
  progress(progress: Progress): void
  /** Reads a large result of this session by its handle, whole; undefined when the session has none of it. */
  readResult(handle: string): Promise<string | undefined>
  /** Ends the run with this value as its output: `return context.output(value)`. */
  output(value: unknown): ControlSignal
  /** Ends the run: `return context.end()`. */
  end(): ControlSignal
  /**
   * Runs another agent, in a session of its own, and waits for its end; it is never freer than this run. When the child
   * has to wait for somebody who is not here, the function is unwound by a signal that is thrown, and the call gives its
   * claim back, whatever the function does with the signal. When the child can go on, `execute` is entered again from its
   * start, and children that have ended give their results at once: so what stands beside them in `execute` must bear to
   * run twice. In `execute` only.
   * Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED, DEFINITION_CHANGED.
   */
  run(agent: Runnable, options: ChildOptions): Promise<ChildResult>
  /** Starts another agent beside this run: it is stopped when the run is, and the run's end waits for it. */
  spawn(agent: Runnable, options: ChildOptions): SpawnedChild
  /**
   * Starts another agent that goes on by itself, whatever becomes of this run. Resolves when it is in the store: after a
   * crash it is an open run that `agent.resumeOpen()` takes up.
   */
  dispatch(
    agent: Runnable,
    options: ChildOptions,
  ): Promise<{ readonly session: string; readonly run: string }>
  /**
   * Ends the run with another agent's: `return context.handOver(agent)`, or `return agent`. Without an input it is told
   * what this run was told. Its output, or its last words, are the run's output.
   */
  handOver(agent: Runnable, options?: { readonly input?: RunInput }): ControlSignal
  /**
   * Gives the claim back until a time: `return context.retryAfter(60_000)`, in milliseconds. `execute` is then entered
   * again from its start. Errors: INVALID_ARGUMENT for what is no such number.
   */
  retryAfter(delayMs: number): ControlSignal
}

/** What `finalize` gets: the context and what `execute` returned. */
export interface FinalizeContext<Args = unknown, Result = unknown, Input = unknown>
  extends ToolContext<Args, Input> {
  readonly result: Result
}

const control = Symbol.for('toolpost.control')

/** Makes a control signal. */
export function controlSignal(kind: Control, value?: unknown): ControlSignal {
  return Object.freeze({ [control]: true, control: kind, value }) as unknown as ControlSignal
}

/** Whether a returned value is a control signal. A value that cannot be read is none. */
export function isControlSignal(value: unknown): value is ControlSignal {
  try {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, control)) return false
    return ['output', 'end', 'hand_over', 'rest'].includes((value as ControlSignal).control)
  } catch {
    return false
  }
}
