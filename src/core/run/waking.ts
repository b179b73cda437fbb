import type { Actor, Event, EventType } from '../event.ts'
import type { Draft } from './draft.ts'

/** What only who drives a run writes: it has been taken up. An answer, or a value that somebody set, says nothing. */
const drivers: ReadonlySet<EventType> = new Set<EventType>([
  'message.added',
  'output.refused',
  'tools.offered',
  'call.proposed',
  'call.migrated',
  'approval.requested',
  'input.requested',
  'call.started',
  'call.completed',
  'call.failed',
  'call.rested',
  'child.started',
  'usage.recorded',
])

/** A timer that closes an ask wakes the run; whoever looks for due timers is told so until somebody goes on with it. */
export function noteWaking(draft: Draft, event: Event, at: number): void {
  const { openRun } = draft.head
  const run = openRun === undefined ? undefined : draft.runs.get(openRun)
  if (run === undefined) return
  if (isExpiry(event)) draft.runs.set(run.id, { ...run, woken: { at, isTaken: false } })
  else if (run.woken?.isTaken === false && drivers.has(event.type))
    draft.runs.set(run.id, { ...run, woken: { at: run.woken.at, isTaken: true } })
}

function isExpiry(event: Event): boolean {
  // A log from outside may have lost it.
  const by: Partial<Actor> | null | undefined = 'by' in event ? event.by : undefined
  return by?.method === 'expiry' && !isRunOver(event)
}

/** Whether an event closes what a run waits for because the run is to end: nothing goes on by that. */
export function isRunOver(event: Event): boolean {
  if (event.type === 'call.cancelled' || event.type === 'stop.requested') return true
  const isDecided = event.type === 'approval.decided' || event.type === 'input.declined'
  return isDecided && event.category === 'cancelled'
}
