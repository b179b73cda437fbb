import type { Session } from '../../agent/session.ts'
import type { RunState, SessionState, Values } from '../../core/run/state.ts'
import type { HostOptions } from '../host-options.ts'

/** A run that this process drives. */
interface Shows {
  isShown(ticket: string): boolean
}

/** The value of a run in which its asks stand that were brought before people, where the host has a word first. */
const shownKey = 'toolpost.host.shown'

/** Whether the host decides, or is told, before people are asked. Without that, an ask is before them as soon as it is in the log. */
export function hasWordFirst({ approve, onAudit }: HostOptions): boolean {
  return approve !== undefined || onAudit !== undefined
}

/** The open asks of a run of which its log says that they were brought before people. */
export function shownAsks({ values, openTickets }: RunState): readonly string[] {
  const listed = listedIn(values)
  return openTickets.filter((ticket) => listed.includes(ticket))
}

/** Whether the log says that an ask was brought before people, after the host had its word. */
export function wasShown({ tickets, runs }: SessionState, ticket: string): boolean {
  const run = runs.get(tickets.get(ticket)?.run ?? '')
  return run !== undefined && shownAsks(run).includes(ticket)
}

/** Whether people see an ask and may decide it: in the process that drives its run, or by the log alone. */
export function isBeforePeople(
  options: HostOptions,
  { live, state }: { readonly live: Shows | undefined; readonly state: SessionState },
  ticket: string,
): boolean {
  if (live !== undefined) return live.isShown(ticket)
  return !hasWordFirst(options) || wasShown(state, ticket)
}

/** Records that the host has had its word about an ask, so that in no process it is had again. */
export async function recordShown(session: Session, ticket: string): Promise<void> {
  const isOpen = (id: string) => session.state.tickets.get(id)?.decided === undefined
  await session.updateState((values) => ({ [shownKey]: [...listedIn(values).filter(isOpen), ticket] }), {
    scope: 'run',
  })
}

function listedIn(values: Values): readonly string[] {
  const listed = values[shownKey]
  return Array.isArray(listed) ? listed.filter((ticket) => typeof ticket === 'string') : []
}
