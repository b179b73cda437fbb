import type { ChildOptions, ChildResult, Runnable } from '../../core/child.ts'
import type { ToolpostError } from '../../core/error.ts'
import type { ParentLink } from '../../core/parent-link.ts'
import type { Children } from '../../runtime/children.ts'

/** One child of one call: what is to be started, or was. */
export interface ChildOrder {
  readonly call: string
  /** Counts the children of the call, from 0. */
  readonly index: number
  readonly agent: Runnable
  readonly kind: ParentLink['kind']
  /** Absent for a child that is only to go on. */
  readonly options?: ChildOptions
  /** Called before the child goes on; a throw keeps it from doing so. */
  readonly onDrive?: () => void
  /** The call is not entered for it. */
  readonly isBeside?: true
}

/** How far a child came in this process. */
export type ChildEnd =
  | { readonly result: ChildResult }
  /** `refused`: it was not taken up, since it is another one than it was. */
  | { readonly rests: true; readonly refused?: ToolpostError }

/** A child that this process drives. */
export interface RunningChild {
  readonly session: string
  readonly run: string
  /** Resolves when the log of the run above names it. */
  readonly recorded: Promise<void>
  /** Resolves when its run is in the store. */
  readonly begun: Promise<void>
  readonly end: Promise<ChildEnd>
  stop(reason: unknown): void
}

/** The children of the calls of one run, as one of the calls has them. */
export interface Siblings extends Pick<Children, 'stop'> {
  /**
   * Starts a child, or finds it again; it is stopped with the first of the signals.
   * Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED, DEFINITION_CHANGED when another agent stands at its number.
   */
  start(order: ChildOrder, signals: readonly AbortSignal[]): RunningChild
  /** Ends the drive with this error once nothing runs any more: what was started is another one than it was. */
  refuse(error: ToolpostError): void
  /** Whether a child of a call has gone on while this process drives the run. */
  hasDriven(call: string): boolean
}
