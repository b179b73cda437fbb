import type { Event } from '../core/event.ts'
import { messageOf } from '../core/message-of.ts'
import type { SessionState } from '../core/run/state.ts'
import type { Task } from './task.ts'

/** The events that end every call of a run that has not been started: open asks are closed first. */
function closeEvents(state: SessionState, run: string, message: string, now: number): Event[] {
  const by = { id: 'runtime', method: 'abort' }
  return (state.runs.get(run)?.stepCalls ?? []).flatMap((id): Event[] => {
    const call = state.calls.get(id)
    if (call === undefined || call.status === 'started' || call.status === 'ended') return []
    const cancelled: Event = { type: 'call.cancelled', call: id, message }
    if (call.status !== 'asking' || call.ticket === undefined) return [cancelled]
    const waitedMs = Math.max(0, now - (state.tickets.get(call.ticket)?.requestedAt ?? now))
    const facts = { approved: false, scope: 'once', category: 'cancelled', waitedMs } as const
    return [{ type: 'approval.decided', ticket: call.ticket, call: id, by, ...facts }, cancelled]
  })
}

/** Ends what has not been started, because the run ends or was stopped. Calls that run are not touched. */
export async function closeOpenCalls(task: Task, message: string): Promise<void> {
  await task.journal.write(
    (state) => closeEvents(state, task.run, message, task.parts.clock.now()),
    task.lease,
  )
}

/** Ends a stopped run. Its started calls must be at rest. */
export async function cancelRun(task: Task): Promise<void> {
  const text = `Stopped: ${messageOf(task.signal.reason)}`
  await task.journal.write((state) => {
    const run = state.runs.get(task.run)
    if (run === undefined || run.ended !== undefined) return []
    const closed = closeEvents(state, task.run, text, task.parts.clock.now())
    return [...closed, { type: 'run.ended', run: task.run, status: 'cancelled', text }]
  }, task.lease)
}
