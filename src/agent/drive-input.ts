import { ToolpostError } from '../core/error.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { Bounds } from '../core/policy/bounds.ts'
import type { LeaseProof } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Answer, Task } from '../runtime/task.ts'
import type { TreeCount } from './children/tree-count.ts'
import type { Definition } from './definition.ts'
import type { OutsideProgress } from './outside-progress.ts'
import type { Delta } from './run-event.ts'
import type { RunResult } from './run-result.ts'
import type { RunTimes } from './run-times.ts'

/** Options of one drive of a run. */
export interface DriveOptions {
  /** Stops the run; calls that run are told through their own signals. */
  readonly signal?: AbortSignal
}

/** Options of a new run; `timeoutMs` and `idle` stand in place of the agent's. */
export interface RunOptions extends DriveOptions, RunTimes {
  /** Default: a new one. Errors: ILLEGAL_EVENT when the session has a run of this id. */
  readonly id?: string
  /** What it was started for, kept with it: whoever takes the run up makes its agent of it. `session.originOf(run)`. */
  readonly origin?: JsonValue
}

/** What is shown beside the run's own events. */
export interface ShownOptions {
  /**
   * True: also the events of the runs that its calls start, as far down as they go, each as a `child.event`. Default
   * false.
   */
  readonly children?: boolean
}

/** Options of a new run that is looked on at. */
export interface StreamOptions extends RunOptions, ShownOptions {}

/** Options of a drive that is looked on at. */
export interface ResumeOptions extends DriveOptions, ShownOptions {}

export const driveOptionKeys: readonly (keyof DriveOptions)[] = ['signal']
export const resumeOptionKeys: readonly (keyof ResumeOptions)[] = [...driveOptionKeys, 'children']
export const runOptionKeys: readonly (keyof RunOptions)[] = ['signal', 'timeoutMs', 'idle', 'id', 'origin']
export const streamOptionKeys: readonly (keyof StreamOptions)[] = [...runOptionKeys, 'children']

/** Errors: INVALID_ARGUMENT for what is neither true nor false. */
export function readShown({ children }: ShownOptions): void {
  if (children === undefined || typeof children === 'boolean') return
  throw new ToolpostError('INVALID_ARGUMENT', 'The option "children" must be true or false.')
}

/** One drive: which run, and who proposes its steps. */
export interface Drive {
  readonly definition: Definition
  readonly journal: Journal
  readonly options: ResumeOptions
  /** Gives the run to drive; it may start one under the lease. */
  readonly begin: (lease: LeaseProof) => Promise<string>
  readonly propose: (task: Task, step: number, emit: (delta: Delta) => void) => Promise<Answer>
  /** What is reported of calls that are carried elsewhere. */
  readonly outside?: OutsideProgress
  /** What the agents above allow now, where one of them drives the run; default what the log says of them. */
  readonly bounds?: () => Bounds
  /** The count of the tree that the run stands in, where an agent above drives it. */
  readonly tree?: TreeCount
  /** Where somebody looks on at the runs below, too: how much of the log of each session he was shown. */
  readonly shown?: Map<string, number>
}

/** Drives a run to its end, or until it rests. Errors: SESSION_BUSY, LEASE_LOST, and those of `begin`. */
export type DriveSession = (input: Drive) => Promise<RunResult>
