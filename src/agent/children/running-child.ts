import type { ChildOptions, ChildResult, Runnable } from '../../core/child.ts'
import type { ParentLink } from '../../core/event.ts'

/** One child of one call: what is to be started, or was. */
export interface ChildOrder {
  readonly call: string
  /** Counts the children of the call, from 0. */
  readonly index: number
  readonly agent: Runnable
  readonly kind: ParentLink['kind']
  /** Absent for a child that is only to go on. */
  readonly options?: ChildOptions
}

/** How far a child came in this process. */
export type ChildEnd = { readonly result: ChildResult } | { readonly rests: true }

/** A child that this process drives. */
export interface RunningChild {
  readonly session: string
  readonly run: string
  /** Resolves when its run is in the store. */
  readonly begun: Promise<void>
  readonly end: Promise<ChildEnd>
  stop(reason: unknown): void
}

/** Starts a child, or finds it again; it is stopped with the first of the signals. Errors: INVALID_ARGUMENT, LIMIT_EXCEEDED. */
export type StartChild = (order: ChildOrder, signals: readonly AbortSignal[]) => RunningChild
