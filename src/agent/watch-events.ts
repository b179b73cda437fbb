import type { StoredEvent } from '../core/store.ts'
import type { Journal } from '../runtime/journal.ts'
import { runSideFunction } from '../runtime/side-function.ts'
import type { Task } from '../runtime/task.ts'
import { placeOf, reportError } from './hook-stop.ts'
import type { Hooks } from './hooks.ts'
import type { RunResult } from './run-result.ts'

/** Shows every event of a session's log to the hooks that look on, when it is stored, in order. */
export function watchEvents(hooks: readonly Hooks[], journal: Journal): void {
  const watching = hooks.filter(({ onEvent }) => onEvent !== undefined)
  if (watching.length === 0) return
  journal.listen((event) => {
    for (const each of watching) show(hooks, each, event)
  })
}

function show(hooks: readonly Hooks[], each: Hooks, event: StoredEvent): void {
  try {
    Promise.resolve(each.onEvent?.(event)).catch((error) => reportError(hooks, 'onEvent', error))
  } catch (error) {
    reportError(hooks, 'onEvent', error)
  }
}

/** Tells the hooks, from the inside out, that a run has ended. */
export async function afterRun(
  hooks: readonly Hooks[],
  task: Pick<Task, 'parts' | 'journal' | 'run' | 'agent'>,
  result: RunResult,
): Promise<void> {
  const unstopped = { ...task, signal: new AbortController().signal }
  for (const each of hooks.toReversed()) {
    if (each.afterRun === undefined) continue
    const what = `The hook afterRun of "${each.name}"`
    const said = await runSideFunction(unstopped, what, (signal) =>
      each.afterRun?.({ ...placeOf(task, signal), result }),
    )
    if ('fault' in said) reportError(hooks, 'afterRun', said.cause ?? new Error(said.fault))
  }
}
