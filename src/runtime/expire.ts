import type { Clock } from '../core/clock.ts'
import type { Actor, Event } from '../core/event.ts'
import type { SessionState, TicketState } from '../core/run/state.ts'
import { givenEvent } from './given-event.ts'
import type { Journal } from './journal.ts'
import { decideEvents, openTicketOf } from './tickets.ts'

const timer: Actor = { id: 'timer', method: 'expiry' }

/** When the first open ask of the session runs out, in milliseconds since 1970. */
export function nextExpiry(state: SessionState): number | undefined {
  let first: number | undefined
  for (const { expiresAt } of openTickets(state)) {
    if (expiresAt !== undefined && (first === undefined || expiresAt < first)) first = expiresAt
  }
  return first
}

/**
 * Closes every open ask whose time is over: a question with a default is answered by it, everything else is declined.
 * Decided on the log, so that it happens once, whoever comes first. Gives how many were closed.
 */
export async function expireAsks(journal: Journal, now: number): Promise<number> {
  let count = 0
  await journal.write((state) => {
    const due = dueTickets(state, now)
    count = due.length
    return due.flatMap((ticket) => expiryEvents(state, ticket, now))
  })
  return count
}

/**
 * Writes an answer, unless the time of its ask is over: that is written first then, so that the answer meets a closed
 * ask. It does not matter whether anybody has looked for due timers.
 */
export async function writeInTime(
  journal: Journal,
  clock: Clock,
  answer: (state: SessionState, now: number) => readonly Event[],
): Promise<void> {
  for (let isWritten = false; !isWritten; ) {
    await journal.write((state) => {
      const now = clock.now()
      const due = dueTickets(state, now)
      isWritten = due.length === 0
      return isWritten ? answer(state, now) : due.flatMap((ticket) => expiryEvents(state, ticket, now))
    })
  }
}

function dueTickets(state: SessionState, now: number): TicketState[] {
  return openTickets(state).filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
}

function expiryEvents(state: SessionState, ticket: TicketState, now: number): readonly Event[] {
  if (ticket.default !== undefined) return [givenEvent(ticket, ticket.default, timer, now)]
  const decision = { approved: false, scope: 'once' } as const
  return decideEvents(state, ticket.id, { decision, by: timer, category: 'expired' }, now)
}

function openTickets(state: SessionState): TicketState[] {
  const open = state.openRun === undefined ? [] : (state.runs.get(state.openRun)?.openTickets ?? [])
  return open.map((id) => openTicketOf(state, id).ticket)
}
