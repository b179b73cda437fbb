import type { ExecutionContext, Progress } from '../core/executor.ts'
import type { Task } from './task.ts'

async function readResult(task: Task, handle: string): Promise<string | undefined> {
  const bytes = await task.parts.store.getBlob(task.journal.stream, handle)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** What surrounds one try of a call, or one of its side functions (`prepare`, `check`, `finalize`, `reconcile`). */
export function surroundings(
  task: Task,
  call: string,
  signal: AbortSignal,
  attempt: number,
  onProgress: (progress: Progress) => void = () => undefined,
): ExecutionContext {
  const { id, subject } = task.journal.state
  return {
    signal,
    idempotencyKey: call,
    session: { id, subject },
    run: task.run,
    agent: task.agent,
    attempt,
    progress: onProgress,
    readResult: (handle) => readResult(task, handle),
  }
}
