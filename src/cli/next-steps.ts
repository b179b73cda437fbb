import type { RunResult } from '../agent/run-result.ts'
import type { SessionState } from '../core/run/state.ts'
import { type AskingMode, nobodyToAsk } from './approvals/choose-approvals.ts'
import { commandLine } from './command-line.ts'
import type { Place } from './command-options.ts'

/** The words that this run was begun with, so that what is advised does the same again. */
export interface SameAgain {
  /** The person's request, and with which model. */
  readonly begin: readonly string[]
  /** With which model a run goes on. */
  readonly model: readonly string[]
}

/** The commands that go on from where a run stands. `model` holds the words that choose the model, if any were given. */
export function nextCommands(
  place: Place,
  result: RunResult,
  model: readonly string[] = [],
): readonly string[] {
  if (result.status !== 'waiting') return []
  return [
    ...result.tickets.map((ticket) => commandLine(place, 'approve', ticket)),
    ...result.tickets.map((ticket) => `${commandLine(place, 'deny', ticket)} --reason "..."`),
    commandLine(place, 'resume', result.run, ...model),
  ]
}

/** What a person is told after a run: how to answer, how to go on, what to look into. */
export function closingLines(
  place: Place,
  result: RunResult,
  state: SessionState,
  mode: AskingMode,
  again: SameAgain,
): readonly string[] {
  return [
    ...waitingLines(place, result, again),
    ...declinedLines(place, result, state, mode, again),
    ...uncertainLines(place, result, state),
    `Everything is recorded: ${commandLine(place, 'show', result.run)}`,
  ]
}

function waitingLines(place: Place, result: RunResult, again: SameAgain): string[] {
  if (result.status !== 'waiting') return []
  const asks = result.tickets.length === 1 ? 'an ask is open' : `${result.tickets.length} asks are open`
  return [
    `The run rests: ${asks}. Answer, then go on:`,
    ...nextCommands(place, result, again.model).map((command) => `  ${command}`),
  ]
}

function declinedLines(
  place: Place,
  { run }: RunResult,
  state: SessionState,
  mode: AskingMode,
  { begin }: SameAgain,
): string[] {
  const isDeclined = [...state.tickets.values()].some(
    (ticket) => ticket.run === run && ticket.decided?.reason === nobodyToAsk,
  )
  if (mode !== 'decline' || !isDeclined) return []
  return [
    'What had to be asked was declined, because no terminal is attached. To answer for yourself:',
    `  ${commandLine(place, 'start', ...begin)} in a terminal`,
    `  ${commandLine(place, 'start', ...begin, '--leave-open')} here, then, from any terminal:`,
    `  ${commandLine(place, 'approve', 'ID')} (with --wait beside --leave-open, the run goes on at once)`,
  ]
}

function uncertainLines(place: Place, { run }: RunResult, state: SessionState): string[] {
  const calls = [...state.uncertain.values()].filter((call) => state.calls.get(call)?.run === run)
  if (calls.length === 0) return []
  return [
    'Nobody saw the outcome of a call. Find out what became of it, and record it:',
    ...calls.map((call) => `  ${commandLine(place, 'reconcile', call)} completed|failed|not_run`),
  ]
}
