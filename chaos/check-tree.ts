import type { SessionState } from '../src/index.ts'
import type { ReadRound, ReadSession } from './read-round.ts'
import { afterKillInTree } from './tree-tool-kinds.ts'

/** How the run of a session may have ended. */
export function endingsOf({ parent, runs }: SessionState): readonly string[] {
  const ends = ['completed', 'uncertain']
  if (parent === undefined) return ends
  // A flow fails with a part of it; what nobody waits for any more is cancelled.
  const isFlow = [...runs.values()].some(({ structure }) => structure !== undefined)
  return [...ends, 'cancelled', ...(isFlow ? ['failed'] : [])]
}

/** The logs of a tree agree about who started whom, and about what became of it. */
export function checkTree({ sessions }: ReadRound): string[] {
  const known = new Map(sessions.map((session) => [session.id, session]))
  return sessions.flatMap((session) => [
    ...checkAbove(session, known),
    ...checkBelow(session, known),
    ...checkClaims(session),
    ...checkExpiry(session),
    ...checkTimers(session),
  ])
}

/** A child stands in the log above it, and was cancelled only when that had given it up. */
function checkAbove({ id, state }: ReadSession, known: ReadonlyMap<string, ReadSession>): string[] {
  const { parent } = state
  if (parent === undefined) return []
  const above = known.get(parent.session)?.state
  const call = above?.calls.get(parent.call)
  const links = call?.children?.filter(({ session }) => session === id) ?? []
  const isCancelled = [...state.runs.values()].some(({ ended }) => ended?.status === 'cancelled')
  return [
    ...(links.length === 1 ? [] : [`The child ${id} stands ${links.length} times in the log above it.`]),
    ...(call?.run === parent.run ? [] : [`The child ${id} hangs on another run than its call.`]),
    ...(isCancelled && call?.end?.status === 'completed'
      ? [
          `The child ${id} was cancelled, and the call ${call.name} ${call.id} that waited for it is completed.`,
        ]
      : []),
  ]
}

/** What a completed call has started has ended, and an agent as a tool is completed only with its agent; each was started once. */
function checkBelow({ state }: ReadSession, known: ReadonlyMap<string, ReadSession>): string[] {
  const faults: string[] = []
  for (const { id, name, end, children = [] } of state.calls.values()) {
    const ends = children.map(
      ({ session }) => [...(known.get(session)?.state.runs.values() ?? [])][0]?.ended?.status,
    )
    const what = `The call ${name} ${id}`
    if (new Set(children.map(({ agent }) => agent)).size !== children.length)
      faults.push(`${what} has started an agent twice.`)
    if (end?.status !== 'completed') continue
    if (ends.includes(undefined)) faults.push(`${what} is completed before its children: ${ends.join(', ')}.`)
    if (name.startsWith('call_') && ends.join() !== 'completed')
      faults.push(`${what} is completed, and its agent ended as ${ends.join()}.`)
  }
  return faults
}

/** What may not run twice is claimed again only when it had given its claim back, and not before the time that it named. */
function checkClaims({ log, state }: ReadSession): string[] {
  const held = new Set<string>()
  const until = new Map<string, number>()
  const faults: string[] = []
  for (const { event, at } of log) {
    if (event.type === 'call.rested') {
      held.delete(event.call)
      until.set(event.call, event.until ?? 0)
    }
    if (event.type !== 'call.started') continue
    const name = state.calls.get(event.call)?.name ?? ''
    const what = `The call ${name} ${event.call} was claimed again`
    if (held.has(event.call) && afterKillInTree(name) === 'uncertain')
      faults.push(`${what}, and had not given its claim back.`)
    const earlyMs = (until.get(event.call) ?? 0) - at
    if (earlyMs > 0) faults.push(`${what} ${earlyMs} ms before its time.`)
    // The time was kept by this claim; who claims after a crash may have a clock that is behind.
    until.delete(event.call)
    held.add(event.call)
  }
  return faults
}

/** Nobody but a person closes an ask before its time is over. */
function checkExpiry({ log, state }: ReadSession): string[] {
  return log.flatMap(({ event, at }) => {
    if (!('ticket' in event && 'by' in event) || event.by?.id !== 'timer') return []
    const { expiresAt = Number.POSITIVE_INFINITY } = state.tickets.get(String(event.ticket)) ?? {}
    return at < expiresAt ? [`The ask ${event.ticket} expired ${expiresAt - at} ms before its time.`] : []
  })
}

/** Every run has ended, so that nothing is due. */
function checkTimers({ id, rows }: ReadSession): string[] {
  const due = rows.filter(({ kind, status }) => kind === 'timer' && status === 'due')
  return due.map((row) => `The timer ${row.id} of session ${id} is due, and every run has ended.`)
}
