import { limits } from '../core/limits.ts'
import { messageOf } from '../core/message-of.ts'
import { orAborted, withDeadline } from './race.ts'
import type { Task } from './task.ts'

/** What a tool's side function gave: its value, or the sentence that says why there is none. */
export type SideResult = { readonly value: unknown } | { readonly fault: string; readonly cause?: unknown }

/**
 * Runs `prepare`, `check` or `finalize`: bounded in time, never throwing. They look things up and shape; they
 * do not work, so ten seconds is plenty, unless another time is given. A function that ignores its signal is left
 * behind.
 */
export async function runSideFunction(
  task: { readonly parts: Pick<Task['parts'], 'clock'>; readonly signal: AbortSignal },
  what: string,
  action: (signal: AbortSignal) => unknown,
  withinMs: number = limits.prepareMs,
): Promise<SideResult> {
  return await withDeadline(task.parts.clock, what, withinMs, task.signal, async (signal) => {
    try {
      const running = Promise.resolve(action(signal))
      const ended = await orAborted(running, signal)
      if ('value' in ended) return { value: ended.value }
      running.catch(() => undefined)
      return { fault: messageOf(signal.reason) }
    } catch (error) {
      return { fault: messageOf(error), cause: error }
    }
  })
}
