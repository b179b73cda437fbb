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
import { driveRun } from './turn.ts'

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
  const { definition, journal, begin } = input
  const { signal } = input.options
  refuseOtherThanSignal(signal)
  const ownership = await ownSession(definition.parts, journal.stream)
  const queue = new Queue<RunEvent>()
  const unlisten = journal.listen(({ event, sequence, at }) => queue.push({ ...event, sequence, at }))
  try {
    await journal.refresh()
    const run = await begin(ownership.lease)
    const left = new AbortController()
    const linked = linkedSignal(signal === undefined ? [left.signal] : [signal, left.signal])
    const driven = driveRun({
      definition,
      journal,
      ownership,
      run,
      signal: linked.signal,
      emit: (delta) => queue.push(delta),
      propose: (task, step) => input.propose(task, step, (delta) => queue.push(delta)),
    })
    driven.then(
      () => queue.end(),
      (error) => queue.end(error ?? new Error('The run broke off.')),
    )
    try {
      yield* queue
    } finally {
      left.abort(new Error('The reader left.'))
      await driven.catch(() => undefined)
      linked.release()
    }
    return runResult(journal.state, run)
  } finally {
    unlisten()
    await ownership.release()
  }
}

function refuseOtherThanSignal(signal: unknown): void {
  if (signal === undefined) return
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw new ToolpostError('INVALID_ARGUMENT', 'The option "signal" must be an AbortSignal.')
}

/** Reads a drive to its end without looking on. */
export async function finish(stream: AsyncGenerator<RunEvent, RunResult, undefined>): Promise<RunResult> {
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return next.value
  }
}
