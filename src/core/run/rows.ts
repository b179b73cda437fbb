import type { Event } from '../event.ts'
import type { JsonValue } from '../json/value.ts'
import type { IndexRow } from '../store.ts'
import type { Draft } from './draft.ts'
import type { CallState, RunState, TicketState } from './state.ts'
import { isUncertain, wasUncertain } from './uncertain.ts'

type Data = { readonly [key: string]: JsonValue }

/**
 * The index rows that a batch changes, whole: rows follow from the folded state alone,
 * so they can be made anew from the log at any time.
 */
export function rowsOf(draft: Draft, stream: string): IndexRow[] {
  const rows: IndexRow[] = []
  const { subject, id: session, agent } = draft.head
  const row = (kind: IndexRow['kind'], id: string, status: string, at: number, data: Data) =>
    rows.push({ kind, id, stream, subject, status, at, data: { session, agent, ...data } })
  for (const id of draft.runs.touched) {
    const run = draft.runs.get(id)
    if (run !== undefined) row('run', id, statusOfRun(run), run.startedAt, dataOfRun(run))
  }
  for (const id of draft.tickets.touched) {
    const ticket = draft.tickets.get(id)
    const call = ticket && draft.calls.get(ticket.call)
    if (ticket === undefined || call === undefined) continue
    row('ticket', id, ticket.decided ? 'decided' : 'open', ticket.requestedAt, dataOfTicket(ticket, call))
  }
  for (const id of draft.calls.touched) {
    const call = draft.calls.get(id)
    const status = call && uncertainty(call)
    if (status !== undefined) row('call', id, status, call?.startedAt ?? 0, dataOfCall(call as CallState))
  }
  return rows
}

/** Whether any of these events can change a row of a session. */
export function sessionRow(draft: Draft, stream: string, events: readonly Event[]): IndexRow[] {
  if (!events.some((event) => event.type === 'session.started' || event.type === 'mode.changed')) return []
  const { id, subject, agent, startedAt, mode } = draft.head
  const data = mode === undefined ? { agent } : { agent, mode }
  return [{ kind: 'session', id, stream, subject, status: 'open', at: startedAt, data }]
}

/** `waiting` while a ticket is open, else `open`, else how it ended. */
export function statusOfRun(run: RunState): string {
  if (run.ended !== undefined) return run.ended.status
  return run.openTickets.length > 0 ? 'waiting' : 'open'
}

function dataOfRun(run: RunState): Data {
  const { step, callCount, model } = run
  return { model, steps: step, calls: callCount, ...(run.ended ? { endedAt: run.ended.at } : {}) }
}

function dataOfTicket(ticket: TicketState, call: CallState): Data {
  const { run, digest, toolClass, reason } = ticket
  return { run, call: call.id, tool: call.name, digest, toolClass, reason }
}

function uncertainty(call: CallState): 'uncertain' | 'reconciled' | undefined {
  if (!wasUncertain(call)) return undefined
  return isUncertain(call) ? 'uncertain' : 'reconciled'
}

function dataOfCall(call: CallState): Data {
  return { run: call.run, tool: call.name, digest: call.digest ?? '' }
}
