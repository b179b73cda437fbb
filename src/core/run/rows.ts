import type { Event } from '../event.ts'
import type { JsonValue } from '../json/value.ts'
import type { IndexRow } from '../store.ts'
import { countsIdle, idleAt } from './clocks.ts'
import type { Draft, Head } from './draft.ts'
import type { CallState, RunState, TicketState } from './state.ts'
import { isUncertain, wasUncertain } from './uncertain.ts'

type Data = { readonly [key: string]: JsonValue }

/**
 * The index rows that a batch changes, whole: rows follow from the folded state alone,
 * so they can be made anew from the log at any time.
 */
export function rowsOf(draft: Draft, stream: string): IndexRow[] {
  const rows: IndexRow[] = []
  const { subject } = draft.head
  for (const run of changedRuns(draft)) {
    const { id } = run
    const data = dataOfRun(draft.head, run)
    const status = statusOfRun(run, draft)
    rows.push({ kind: 'run', id, stream, subject, status, at: run.startedAt, data })
    rows.push(...clockRows(run, { stream, subject, draft }))
  }
  for (const id of draft.tickets.touched) {
    const ticket = draft.tickets.get(id)
    const call = ticket && draft.calls.get(ticket.call)
    if (ticket === undefined || call === undefined) continue
    const status = ticket.decided ? 'decided' : 'open'
    const data = dataOfTicket(draft.head, ticket, call)
    rows.push({ kind: 'ticket', id, stream, subject, status, at: ticket.requestedAt, data })
    const { expiresAt } = ticket
    if (expiresAt !== undefined)
      rows.push(timerRow(id, expiresAt, ticket.decided === undefined, { stream, subject, draft }))
  }
  for (const id of draft.calls.touched) {
    const call = draft.calls.get(id)
    const until = call?.rest?.until
    if (call !== undefined && until !== undefined)
      rows.push(timerRow(id, until, call.status === 'resting', { stream, subject, draft }))
    const status = call && uncertainty(call)
    if (call === undefined || status === undefined) continue
    const data = dataOfCall(draft.head, call)
    rows.push({ kind: 'call', id, stream, subject, status, at: call.startedAt ?? 0, data })
  }
  return rows
}

/** The runs that a batch touches, and those that wait, or wait no longer, because of what it does to their calls. */
function changedRuns(draft: Draft): Iterable<RunState> {
  const ids = new Set(draft.runs.touched)
  for (const id of draft.calls.touched) {
    const run = draft.calls.get(id)?.run ?? ''
    const hasRested = draft.runs.get(run)?.stepCalls.some((each) => draft.calls.get(each)?.rest !== undefined)
    if (hasRested === true) ids.add(run)
  }
  return [...ids].flatMap((id) => draft.runs.get(id) ?? [])
}

/** Whether any of these events can change a row of a session. */
export function sessionRow(
  draft: Draft,
  stream: string,
  events: readonly { readonly event: Event }[],
): IndexRow[] {
  if (!events.some(({ event }) => event.type === 'session.started' || event.type === 'mode.changed'))
    return []
  const { id, subject, agent, startedAt, mode, parent } = draft.head
  const above = parent === undefined ? {} : { root: parent.root }
  const data = { agent, ...(mode === undefined ? {} : { mode }), ...above }
  return [{ kind: 'session', id, stream, subject, status: 'open', at: startedAt, data }]
}

/** `waiting` while a ticket is open or all that is left of a step rests, else `open`, else how it ended. */
function statusOfRun(run: RunState, { calls }: Draft): string {
  if (run.ended !== undefined) return run.ended.status
  if (run.openTickets.length > 0) return 'waiting'
  const open = run.stepCalls.map((id) => calls.get(id)?.status).filter((status) => status !== 'ended')
  return open.includes('resting') && !open.includes('started') ? 'waiting' : 'open'
}

function dataOfRun({ id: session, agent, parent }: Head, run: RunState): Data {
  const { step: steps, callCount: calls, model, ended } = run
  const above = parent === undefined ? {} : { root: parent.root }
  const data = { session, agent, model, steps, calls, ...above }
  return ended === undefined ? data : { ...data, endedAt: ended.at }
}

function dataOfTicket({ id: session, agent, parent }: Head, ticket: TicketState, call: CallState): Data {
  const { kind, run, digest, toolClass, reason } = ticket
  const facts = { session, agent, run, call: call.id, kind, tool: call.name, digest, toolClass, reason }
  return parent === undefined ? facts : { ...facts, root: parent.root, path: [...parent.path, agent] }
}

interface Whose {
  readonly stream: string
  readonly subject: string
  readonly draft: Draft
}

/** A time at which something is to be done; it is known by the ask, or the call, that it is about. */
function timerRow(id: string, at: number, isDue: boolean, { stream, subject, draft }: Whose): IndexRow {
  const { id: session, agent } = draft.head
  const status = isDue ? 'due' : 'done'
  return { kind: 'timer', id, stream, subject, status, at, data: { session, agent } }
}

/** What ends a run by the clock, or has woken it: its rows name the run, and say `done` while time does not count against it. */
function clockRows(run: RunState, whose: Whose): IndexRow[] {
  const { id, endsAt, idle, ended, woken } = run
  const rows: IndexRow[] = []
  const add = (name: string, at: number, isDue: boolean) => {
    const row = timerRow(`${id}.${name}`, at, isDue, whose)
    rows.push({ ...row, data: { ...row.data, run: id } })
  }
  if (endsAt !== undefined) add('ends', endsAt, ended === undefined)
  if (woken !== undefined) add('wake', woken.at, ended === undefined && !woken.isTaken)
  const calls = run.stepCalls.map((call) => whose.draft.calls.get(call))
  if (idle !== undefined) add('idle', idleAt(run), ended === undefined && countsIdle(run, calls))
  return rows
}

function uncertainty(call: CallState): 'uncertain' | 'reconciled' | undefined {
  if (!wasUncertain(call)) return undefined
  return isUncertain(call) ? 'uncertain' : 'reconciled'
}

function dataOfCall({ id: session, agent }: Head, call: CallState): Data {
  return { session, agent, run: call.run, tool: call.name, digest: call.digest ?? '' }
}
