import type { ExecutionContext, Progress } from '../core/executor.ts'
import { readProgress } from '../core/read-progress.ts'
import { StateOfCall } from './state/state-of-call.ts'
import type { Shaping } from './task.ts'

async function readResult(task: Shaping, handle: string): Promise<string | undefined> {
  const bytes = await task.parts.store.getBlob(task.journal.stream, handle)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** What surrounds one try of a call, or one of its side functions (`prepare`, `check`, `finalize`, `reconcile`). */
export function surroundings(
  task: Shaping,
  call: string,
  signal: AbortSignal,
  attempt: number,
  onProgress: (progress: Progress) => void = () => undefined,
  state: StateOfCall = new StateOfCall(task, call, false),
  children?: ExecutionContext['children'],
): ExecutionContext {
  const { id, subject, parent } = task.journal.state
  return {
    signal,
    idempotencyKey: call,
    session: { id, subject },
    run: task.run,
    ...(parent === undefined ? {} : { parentRun: parent.run }),
    ...(children === undefined ? {} : { children }),
    agent: task.agent,
    attempt,
    get state() {
      return state.shown
    },
    progress: (given) => {
      const progress = readProgress(given)
      if (progress !== undefined) onProgress(progress)
    },
    warn: (message) => task.onWarning?.(message),
    readResult: (handle) => readResult(task, handle),
    get resultBytesMax() {
      return task.budget.allowed
    },
    now: () => task.parts.clock.now(),
  }
}
