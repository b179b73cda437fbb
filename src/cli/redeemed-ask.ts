import type { Agent } from '../agent/agent.ts'
import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { TicketState } from '../core/run/state.ts'
import type { IndexRow, Store } from '../core/store.ts'
import { processOwner } from '../process/process-owner.ts'
import { type AgentsHere, withAgents } from './agents-here.ts'
import { commandLine } from './command-line.ts'
import type { Place } from './command-options.ts'
import { folderOfAgent } from './main-agent.ts'
import { type RunAtTop, runAtTop } from './run-at-top.ts'
import { inertLine } from './terminal/inert-text.ts'

/** An ask after somebody answered it. */
export interface AnsweredAsk {
  readonly decided?: TicketState['decided']
  readonly tool: string
  readonly args: JsonValue
  /** What the tool was given, when it had asked for something. */
  readonly given?: JsonValue
  readonly run: string
  /** The run that is to be gone on with: of a child's ask, that of the session at the top. */
  readonly goesOn: RunAtTop
  /** Whether a process waits for the answer. */
  readonly isDriven: boolean
}

/** Looks an ask up with the agent that it is about. Errors: TICKET_NOT_FOUND. */
export async function withAsk<Value>(
  place: Place,
  ticket: string,
  use: (agent: Agent, row: IndexRow, here: AgentsHere) => Promise<Value>,
): Promise<Value> {
  return await withAgents(place, async (here) => {
    const [row] = await here.store.list({ kind: 'ticket', id: ticket, limit: 1 })
    if (row === undefined) throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask ${named(ticket)}.`)
    const { state } = await here.any.openSession(String(row.data.session))
    // An agent that another one started is known to the topmost.
    return await use(here.agentFor(state.parent?.path[0] ?? state.agent), row, here)
  })
}

/** Reads off the log what became of an ask. */
export async function answeredAsk(agent: Agent, here: AgentsHere, row: IndexRow): Promise<AnsweredAsk> {
  const { state } = await agent.openSession(String(row.data.session))
  const ticket = state.tickets.get(row.id)
  const call = ticket && state.calls.get(ticket.call)
  const goesOn = await runAtTop(agent, here, state)
  const streams = [...new Set([row.stream, goesOn.stream])]
  const driven = await Promise.all(streams.map((stream) => isDrivenNow(here.store, stream)))
  return {
    ...(ticket?.decided === undefined ? {} : { decided: ticket.decided }),
    ...(call?.input === undefined ? {} : { given: call.input.value }),
    tool: call?.name ?? '',
    args: call?.args ?? null,
    run: ticket?.run ?? '',
    goesOn,
    isDriven: driven.includes(true),
  }
}

/** Who goes on after an answer, and how. */
export function goOnLine(place: Place, { goesOn, isDriven }: AnsweredAsk): string {
  return isDriven ? 'The process that waits for it goes on.' : `Nobody waits for it; ${goOn(place, goesOn)}`
}

async function isDrivenNow(store: Store, stream: string): Promise<boolean> {
  const lease = await store.readLease(stream)
  return lease !== undefined && lease.expiresAt > Date.now() && !processOwner().hasEnded(lease.owner)
}

/** How somebody goes on with a run. */
export function goOn(place: Place, { run, agent, isLetGo }: RunAtTop): string {
  if (isLetGo)
    return `${run} goes on by itself: call resumeOpen() in the program that defines the agent "${inertLine(agent)}".`
  if (place.module === undefined && folderOfAgent(agent) === undefined)
    return `resume ${run} in the program that defines the agent "${inertLine(agent)}".`
  return `go on with: ${commandLine(place, 'resume', run)}`
}
