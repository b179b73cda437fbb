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

export const driveOptionKeys: readonly (keyof DriveOptions)[] = ['signal']
export const runOptionKeys: readonly (keyof RunOptions)[] = ['signal', 'timeoutMs', 'idle', 'id', 'origin']

/** One drive: which run, and who proposes its steps. */
export interface Drive {
  readonly definition: Definition
  readonly journal: Journal
  readonly options: DriveOptions
  /** Gives the run to drive; it may start one under the lease. */
  readonly begin: (lease: LeaseProof) => Promise<string>
  readonly propose: (task: Task, step: number, emit: (delta: Delta) => void) => Promise<Answer>
  /** What is reported of calls that are carried elsewhere. */
  readonly outside?: OutsideProgress
  /** What the agents above allow now, where one of them drives the run; default what the log says of them. */
  readonly bounds?: () => Bounds
  /** The count of the tree that the run stands in, where an agent above drives it. */
  readonly tree?: TreeCount
}

/** Drives a run to its end, or until it rests. Errors: SESSION_BUSY, LEASE_LOST, and those of `begin`. */
export type DriveSession = (input: Drive) => Promise<RunResult>
