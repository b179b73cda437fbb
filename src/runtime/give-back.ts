import type { Event } from '../core/event.ts'
import type { Resting } from '../core/executor.ts'
import { limits } from '../core/limits.ts'
import type { CallState } from '../core/run/state.ts'
import { stopReason } from './stop-reason.ts'
import type { Task } from './task.ts'

/**
 * Gives a claim back: nothing of the call runs, and whoever owns the session may claim it again. It holds only for the
 * claim of this owner. A call that is put off without end is ended; one that waits for child runs is not, however often
 * it is entered: what they wait for may be a person's answer.
 */
export async function giveBack(task: Task, call: CallState, { on, until }: Resting): Promise<void> {
  if (on.length === 0 && (call.putOff ?? 0) + 1 >= limits.claimsMax) return await giveUp(task, call)
  const rested: Event = {
    type: 'call.rested',
    call: call.id,
    ...(on.length === 0 ? {} : { on }),
    ...(until === undefined ? {} : { until }),
  }
  await task.journal.write((state) => {
    const now = state.calls.get(call.id)
    return now?.status === 'started' && now.epoch === task.lease.epoch ? [rested] : []
  }, task.lease)
}

async function giveUp(task: Task, call: CallState): Promise<void> {
  const message = `The call was put off ${limits.claimsMax} times and has not come to an end.`
  await task.children?.stop(call, new Error(message))
  await endUnfinished(task, call, 'claim_limit', message)
}

/** Ends a call of a run that is stopped while it waits for child runs or for a time: the children are stopped first. */
export async function endResting(task: Task, call: CallState, reason: unknown): Promise<void> {
  await task.children?.stop(call, reason)
  await endUnfinished(task, call, 'cancelled', `Cancelled: ${stopReason(reason)}`)
}

/** Nothing of the call runs, so that no effect of it can come later. */
export async function endUnfinished(
  task: Task,
  call: CallState,
  code: string,
  message: string,
): Promise<void> {
  const outcome = { status: 'failed', code, message, effect: 'none' } as const
  const failed: Event = { type: 'call.failed', call: call.id, outcome, tries: 0, durationMs: 0 }
  await task.journal.write((state) => {
    const status = state.calls.get(call.id)?.status
    return status === 'started' || status === 'resting' ? [failed] : []
  })
}
