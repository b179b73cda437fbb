import { isToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import type { CallState, SessionState } from '../core/run/state.ts'
import { effectOf } from './settle.ts'
import { stopReason } from './stop-reason.ts'
import type { Task } from './task.ts'

/**
 * The events that end every call of a run of which nothing runs here: open asks are closed first, and what was handed
 * out is waited for no longer, whatever becomes of it.
 */
export function closeEvents(
  state: SessionState,
  run: string,
  message: string,
  now: number,
  by: Actor = { id: 'runtime', method: 'abort' },
): Event[] {
  return (state.runs.get(run)?.stepCalls ?? []).flatMap((id): Event[] => {
    const call = state.calls.get(id)
    if (call === undefined || ['started', 'resting', 'ended'].includes(call.status)) return []
    if (call.status === 'handed_out') return [callBack(call, message)]
    return [...closeAsk(state, call, by, now), { type: 'call.cancelled', call: id, message }]
  })
}

function callBack(call: CallState, message: string): Event {
  const outcome = { status: 'failed', code: 'cancelled', message, effect: effectOf(call) } as const
  return { type: 'call.failed', call: call.id, outcome, tries: 1, durationMs: 0 }
}

/** The event that closes the open ask of a call which nobody is to answer any more; none when it has no open ask. */
export function closeAsk(state: SessionState, call: CallState, by: Actor, now: number): Event[] {
  const { id, status, ticket } = call
  if (status !== 'asking' || ticket === undefined) return []
  const { kind, requestedAt = now } = state.tickets.get(ticket) ?? {}
  const closed = { ticket, call: id, by, category: 'cancelled', waitedMs: Math.max(0, now - requestedAt) }
  if (kind === 'input') return [{ type: 'input.declined', ...closed }]
  return [{ type: 'approval.decided', approved: false, scope: 'once', ...closed }]
}

/** Ends what does not run here, because the run ends or was stopped. Calls that run are not touched. */
export async function closeOpenCalls(task: Task, message: string): Promise<void> {
  await task.journal.write(
    (state) => closeEvents(state, task.run, message, task.parts.clock.now()),
    task.lease,
  )
}

/** Ends a stopped run. Its started calls must be at rest. */
export async function cancelRun(task: Task): Promise<void> {
  const { reason } = task.signal
  const text = `Stopped: ${stopReason(reason)}`
  const code = isToolpostError(reason) ? { code: reason.code } : {}
  await task.journal.write((state) => {
    const run = state.runs.get(task.run)
    if (run === undefined || run.ended !== undefined) return []
    const closed = closeEvents(state, task.run, text, task.parts.clock.now())
    return [...closed, { type: 'run.ended', run: task.run, status: 'cancelled', text, ...code }]
  }, task.lease)
}
