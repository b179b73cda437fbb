import type { Clock } from '../core/clock.ts'
import type { Actor, Event } from '../core/event.ts'
import type { SessionState } from '../core/run/state.ts'
import { closeEvents } from './cancel.ts'
import { writeInTime } from './expire.ts'
import type { Journal } from './journal.ts'
import { stopEvents } from './request-stop.ts'
import { openTicketOf } from './tickets.ts'

/** Whose ask is closed, by whom, and why. */
export interface CancelAsk {
  readonly journal: Journal
  readonly clock: Clock
  readonly by: Actor
  /** What is said of it, as one sentence. */
  readonly sentence: string
  /** What the person said himself. */
  readonly reason?: string
}

/**
 * Answers an ask by ending its run, from any process, in one append: of several who answer at once one is the first. A
 * call that is at work can be ended by its owner alone: then only what was asked about is closed here, and whoever drives the
 * run is asked to stop it. Errors: TICKET_NOT_FOUND, TICKET_DECIDED.
 */
export async function cancelAsk(options: CancelAsk, ticket: string): Promise<void> {
  const { journal, clock } = options
  await journal.refresh()
  await writeInTime(journal, clock, (state, now) => cancelEvents(options, state, ticket, now))
}

function cancelEvents(options: CancelAsk, state: SessionState, id: string, now: number): readonly Event[] {
  const { by, sentence, reason } = options
  const { ticket, call } = openTicketOf(state, id)
  const text = `Stopped: ${sentence}`
  const said = reason === undefined ? {} : { reason }
  const closed = closeEvents(state, ticket.run, text, now).map(
    (event): Event =>
      event.type === 'approval.decided' && event.ticket === id ? { ...event, ...said, by } : event,
  )
  if (isAtWork(state, ticket.run))
    return [
      ...closed.filter((event) => 'call' in event && event.call === call.id),
      ...stopEvents(state, { run: ticket.run, reason: sentence, by }),
    ]
  return [...closed, { type: 'run.ended', run: ticket.run, status: 'cancelled', text }]
}

function isAtWork(state: SessionState, run: string): boolean {
  const calls = state.runs.get(run)?.stepCalls ?? []
  return calls.some((id) => ['started', 'resting'].includes(state.calls.get(id)?.status ?? ''))
}
