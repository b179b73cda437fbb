import { ToolpostError } from '../core/error.ts'
import type { LeaseProof } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import { ownSession } from '../runtime/ownership.ts'
import { linkedSignal } from '../runtime/race.ts'
import type { Answer, Task } from '../runtime/task.ts'
import type { Definition } from './definition.ts'
import { Queue } from './queue.ts'
import type { Delta, RunEvent } from './run-event.ts'
import { type RunResult, runResult } from './run-result.ts'
import { driveRun, type Turn } from './turn.ts'

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
}

/**
 * Owns the session while a run is driven, and gives what happens: the events of the log as they are written,
 * deltas between them, and at last the result. Leaving the loop early stops the run.
 */
export async function* drive(input: Drive): AsyncGenerator<RunEvent, RunResult, undefined> {
  const queue = new Queue<RunEvent>()
  const left = new AbortController()
  const driven = driveShown(input, (event) => queue.push(event), left.signal)
  driven.then(
    () => queue.end(),
    (error) => queue.end(error ?? new Error('The run broke off.')),
  )
  try {
    yield* queue
  } finally {
    left.abort(new Error('The reader left.'))
    await driven.catch(() => undefined)
  }
  return await driven
}

/** The same without looking on: nothing is handed over that nobody reads. */
export function driveToEnd(input: Drive): Promise<RunResult> {
  return driveShown(input)
}

async function driveShown(
  input: Drive,
  show?: (event: RunEvent) => void,
  left?: AbortSignal,
): Promise<RunResult> {
  const { definition, journal, begin } = input
  const { signal } = input.options
  refuseOtherThanSignal(signal)
  const ownership = await ownSession(definition.parts, journal.stream)
  const unlisten = show && journal.listen(({ event, sequence, at }) => show({ ...event, sequence, at }))
  const linked = linkedSignal([signal, left].filter((each) => each !== undefined))
  try {
    await journal.refresh()
    const run = await begin(ownership.lease)
    const emit = show ?? (() => undefined)
    const propose: Turn['propose'] = (task, step) => input.propose(task, step, emit)
    await driveRun({ definition, journal, ownership, run, signal: linked.signal, emit, propose })
    return runResult(journal.state, run)
  } finally {
    linked.release()
    unlisten?.()
    await ownership.release()
  }
}

function refuseOtherThanSignal(signal: unknown): void {
  if (signal === undefined) return
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw new ToolpostError('INVALID_ARGUMENT', 'The option "signal" must be an AbortSignal.')
}
