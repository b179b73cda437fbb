import type { Bounds } from '../core/policy/bounds.ts'
import type { LeaseProof } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Answer, Task } from '../runtime/task.ts'
import type { Definition } from './definition.ts'
import type { Delta } from './run-event.ts'
import type { RunResult } from './run-result.ts'

/** Options of one drive of a run. */
export interface DriveOptions {
  /** Stops the run; calls that run are told through their own signals. */
  readonly signal?: AbortSignal
}

/** One drive: which run, and who proposes its steps. */
export interface Drive {
  readonly definition: Definition
  readonly journal: Journal
  readonly options: DriveOptions
  /** Gives the run to drive; it may start one under the lease. */
  readonly begin: (lease: LeaseProof) => Promise<string>
  readonly propose: (task: Task, step: number, emit: (delta: Delta) => void) => Promise<Answer>
  /** What the agents above allow now, where one of them drives the run; default what the log says of them. */
  readonly bounds?: () => Bounds
}

/** Drives a run to its end, or until it rests. Errors: SESSION_BUSY, LEASE_LOST, and those of `begin`. */
export type DriveSession = (input: Drive) => Promise<RunResult>
