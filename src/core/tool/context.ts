import type { Progress } from '../executor.ts'

declare const controlBrand: unique symbol

/** What `context.output` and `context.end` give; returned from `execute`, it ends the run. */
export interface ControlSignal {
  readonly [controlBrand]: true
  readonly control: 'output' | 'end'
  readonly value: unknown
}

/** What every function of a tool gets beside the arguments. */
export interface ToolContext<Args = unknown> {
  /** The same value as the first argument. */
  readonly args: Args
  readonly toolName: string
  /** Our own id of the call, unique for ever. */
  readonly callId: string
  /** The run, also called invocation. */
  readonly invocationId: string
  /** The agent that the call belongs to. */
  readonly runnable: { readonly name: string }
  readonly session: { readonly id: string; readonly subject: string }
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
}

/** What `finalize` gets: the context and what `execute` returned. */
export interface FinalizeContext<Args = unknown, Result = unknown> extends ToolContext<Args> {
  readonly result: Result
}

const control = Symbol.for('toolpost.control')

/** Makes a control signal. */
export function controlSignal(kind: 'output' | 'end', value?: unknown): ControlSignal {
  return Object.freeze({ [control]: true, control: kind, value }) as unknown as ControlSignal
}

/** Whether a returned value is a control signal. A value that cannot be read is none. */
export function isControlSignal(value: unknown): value is ControlSignal {
  try {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, control)) return false
    return ['output', 'end'].includes((value as ControlSignal).control)
  } catch {
    return false
  }
}
