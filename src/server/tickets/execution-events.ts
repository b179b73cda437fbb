import type { IndexRow } from '../../core/store.ts'
import type {
  ExecutionClosedEvent,
  ExecutionEvent,
  ExecutionRequestedEvent,
} from '../../protocol/tool-executions/execution-event.ts'
import type { ToolExecutionIdentity } from '../../protocol/tool-executions/tool-execution.ts'
import { listAll } from '../../runtime/list-all.ts'
import type { HostParts } from '../host-parts.ts'
import { LogChanges } from '../runs/log-changes.ts'
import type { Who } from '../who.ts'
import { isPending, isServed, openTicketsOf, refuseOthers } from './pending-executions.ts'
import { RecordedRuns, type RecordedTicket } from './recorded-runs.ts'
import { executionOf, identityOf, statusOf } from './wire-execution.ts'

/**
 * Work for somebody who serves the functions of all the caller's runs: first what waits already, the oldest first, then
 * what comes and what needs no result any more, each once, whichever process of the store drives the runs. What comes and
 * goes before it is looked at is not told. Ends when the signal aborts. Errors: FORBIDDEN.
 */
export async function* executionEvents(
  host: HostParts,
  who: Who,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  refuseOthers(who)
  // The store tells of what this process appends, too.
  const stored = new LogChanges(host.parts.store)
  const leave = () => stored.stop()
  signal.addEventListener('abort', leave, { once: true })
  const open = new Map<string, ToolExecutionIdentity | undefined>()
  try {
    while (!signal.aborted) {
      for (const event of await changes(host, who, open)) {
        if (signal.aborted) return
        yield event
      }
      await stored.next()
    }
  } finally {
    leave()
    signal.removeEventListener('abort', leave)
  }
}

/** What differs from what was told before; `open` is what was, and is again what is. */
async function changes(
  { parts }: HostParts,
  who: Who,
  open: Map<string, ToolExecutionIdentity | undefined>,
): Promise<readonly ExecutionEvent[]> {
  const recordedRuns = new RecordedRuns(parts)
  const events: ExecutionEvent[] = []
  const seen = new Set<string>()
  for await (const row of listAll(parts.store, openTicketsOf(who))) {
    seen.add(row.id)
    if (open.has(row.id)) continue
    const execution = await pendingIn(recordedRuns, row, who)
    // What is not the caller's to carry is kept in mind as nothing, so that it is not read again.
    open.set(row.id, execution && identityOf(execution))
    if (execution !== undefined) events.push(requested(execution))
  }
  for (const [id, identity] of open) {
    if (seen.has(id)) continue
    open.delete(id)
    if (identity !== undefined)
      events.push(closed(identity, await recordedRuns.ticket(id), parts.clock.now()))
  }
  return events
}

async function pendingIn(
  recordedRuns: RecordedRuns,
  row: IndexRow,
  who: Who,
): Promise<RecordedTicket | undefined> {
  const execution = isServed(row, who) ? await recordedRuns.ticketOf(row) : undefined
  return execution && isPending(execution, who) ? execution : undefined
}

function requested(execution: RecordedTicket): ExecutionRequestedEvent {
  const timestamp = new Date(execution.ticket.requestedAt).toISOString()
  return { type: 'execution.requested', timestamp, execution: executionOf(execution) }
}

/** An execution whose session was deleted has no record any more. */
function closed(
  execution: ToolExecutionIdentity,
  record: RecordedTicket | undefined,
  now: number,
): ExecutionClosedEvent {
  const { status, settledAt = new Date(now).toISOString() } = record === undefined ? gone : statusOf(record)
  return {
    type: 'execution.closed',
    timestamp: settledAt,
    execution,
    status: status === 'pending' ? 'cancelled' : status,
  }
}

const gone: { readonly status: 'cancelled'; readonly settledAt?: string } = { status: 'cancelled' }
