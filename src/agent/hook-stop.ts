import type { RunEnding } from '../core/event.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { Task } from '../runtime/task.ts'
import type { ErrorSource, HookPlace, Hooks } from './hooks.ts'

/** A hook that ends its run: its message is the sentence that the run ends with. */
export class HookStop extends Error {
  readonly status: Extract<RunEnding, 'failed' | 'refused'>

  constructor(status: HookStop['status'], message: string) {
    super(message)
    this.name = 'HookStop'
    this.status = status
  }
}

/** Whether what was thrown is a hook's end of its run; a value that cannot be looked at is none. */
export function isHookStop(thrown: unknown): thrown is HookStop {
  try {
    return thrown instanceof HookStop
  } catch {
    return false
  }
}

/** Where a hook of this run stands. */
export function placeOf(task: Pick<Task, 'journal' | 'run' | 'agent'>, signal: AbortSignal): HookPlace {
  const { id, subject } = task.journal.state
  return { session: { id, subject }, run: task.run, agent: task.agent, signal }
}

/** Runs a hook that may end the run: its value, undefined for none, or a throw of HookStop. */
export async function runStoppingHook(
  task: Task,
  { name }: Hooks,
  hook: keyof Hooks,
  action: (place: HookPlace) => unknown,
): Promise<unknown> {
  const what = `The hook ${hook} of "${name}"`
  const result = await runSideFunction(task, what, (signal) => action(placeOf(task, signal)))
  if ('value' in result) return result.value ?? undefined
  if (isHookStop(result.cause)) throw result.cause
  throw new HookStop('failed', `${what} failed: ${result.fault}`)
}

/** The end of a run that a hook's answer could not be read for. */
export function unreadable({ name }: Hooks, hook: keyof Hooks, fault: string): HookStop {
  return new HookStop('failed', `The hook ${hook} of "${name}" failed: ${fault}`)
}

/** Tells every layer of hooks what went wrong where it can change nothing, and the others what one threw at that. */
export function reportError(hooks: readonly Hooks[], source: ErrorSource, error: unknown): void {
  for (const each of hooks) {
    tell(each, source, error, (thrown) => {
      // What is thrown at this is told to nobody: two that throw would tell each other for ever.
      for (const other of hooks) if (other !== each) tell(other, 'onError', thrown, () => {})
    })
  }
}

function tell(hooks: Hooks, source: ErrorSource, error: unknown, onThrow: (thrown: unknown) => void): void {
  try {
    Promise.resolve(hooks.onError?.(error, source)).catch(onThrow)
  } catch (thrown) {
    onThrow(thrown)
  }
}
