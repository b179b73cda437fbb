import { ToolpostError } from '../error.ts'
import type { Draft } from './draft.ts'
import type { CallState, RunState, TicketState } from './state.ts'

/** Stops a batch whose events do not follow from the log. */
export function refuse(sentence: string): never {
  throw new ToolpostError('ILLEGAL_EVENT', sentence)
}

/** An event from outside may have lost its id; nothing that came after could speak of it. */
export function refuseWithoutId(id: unknown, what: string): void {
  if (typeof id !== 'string' || id === '') refuse(`A ${what} has no id.`)
}

export function openRunOf(draft: Draft, id: string): RunState {
  const run = draft.runs.get(id)
  if (run === undefined) refuse(`No run ${id} was started.`)
  if (run.ended !== undefined) refuse(`The run ${id} has ended.`)
  return run
}

export function callOf(draft: Draft, id: string): CallState {
  return draft.calls.get(id) ?? refuse(`No call ${id} was proposed.`)
}

export function ticketOf(draft: Draft, id: string): TicketState {
  return draft.tickets.get(id) ?? refuse(`No ticket ${id} was opened.`)
}
