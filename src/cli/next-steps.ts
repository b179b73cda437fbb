import type { RunResult } from '../agent/run-result.ts'
import type { SessionState, TicketState } from '../core/run/state.ts'
import { type AskingMode, nobodyToAsk } from './approvals/choose-approvals.ts'
import type { AskKinds } from './ask-kinds.ts'
import { commandLine } from './command-line.ts'
import type { Place } from './command-options.ts'
import { timeText } from './terminal/input-card.ts'

/** The words that this run was begun with, so that what is advised does the same again. */
export interface SameAgain {
  /** The person's request, and with which model. */
  readonly begin: readonly string[]
  /** With which model a run goes on. */
  readonly model: readonly string[]
}

/** The command that gives what an ask is for. */
export function answeringCommand(place: Place, ticket: string, kind: TicketState['kind']): string {
  if (kind === 'approval') return commandLine(place, 'approve', ticket)
  return `${commandLine(place, 'answer', ticket)} --value '...'`
}

/** The command that declines an ask. */
export function denyingCommand(place: Place, ticket: string): string {
  return `${commandLine(place, 'deny', ticket)} --reason "..."`
}

/** The commands that go on from where a run stands. `model` holds the words that choose the model, if any were given. */
export function nextCommands(
  place: Place,
  result: Pick<RunResult, 'run' | 'status' | 'tickets'>,
  kinds: AskKinds,
  model: readonly string[] = [],
): readonly string[] {
  if (result.status !== 'waiting') return []
  return [
    ...result.tickets.map((ticket) => answeringCommand(place, ticket, kinds.get(ticket) ?? 'approval')),
    ...result.tickets.map((ticket) => denyingCommand(place, ticket)),
    commandLine(place, 'resume', result.run, ...model),
  ]
}

/** How a run was driven, and what is open. */
export interface Closing {
  readonly mode: AskingMode
  readonly again: SameAgain
  readonly kinds: AskKinds
}

/** What a person is told after a run: how to answer, how to go on, what to look into. */
export function closingLines(
  place: Place,
  result: RunResult,
  state: SessionState,
  { mode, again, kinds }: Closing,
): readonly string[] {
  return [
    ...waitingLines(place, result, state, { again, kinds }),
    ...declinedLines(place, result, state, mode, again),
    ...uncertainLines(place, result, state),
    `Everything is recorded: ${commandLine(place, 'show', result.run)}`,
  ]
}

function waitingLines(
  place: Place,
  result: RunResult,
  state: SessionState,
  { again, kinds }: Pick<Closing, 'again' | 'kinds'>,
): string[] {
  if (result.status !== 'waiting') return []
  const { tickets } = result
  const commands = nextCommands(place, result, kinds, again.model).map((command) => `  ${command}`)
  if (tickets.length === 0) return [...restingLines(place, result, state), ...commands]
  const asks = tickets.length === 1 ? 'an ask is open' : `${tickets.length} asks are open`
  const questions = tickets.filter((ticket) => kinds.get(ticket) === 'input')
  return [
    `The run rests: ${asks}. Answer, then go on:`,
    ...commands,
    ...(questions.length === 0
      ? []
      : [`What an answer must look like: ${commandLine(place, 'asks')}; --text WORDS gives a plain text.`]),
  ]
}

/**
 * What stands over the commands that go on where no ask of its own is open: a call waits for a time, or for runs that it
 * started, whose asks are listed with all.
 */
export function restingLines(
  place: Place,
  { run }: Pick<RunResult, 'run'>,
  state: SessionState,
): readonly string[] {
  const resting = [...state.calls.values()].filter((call) => call.run === run && call.status === 'resting')
  const until = resting.flatMap(({ rest }) => rest?.until ?? [])
  if (until.length > 0) return [`The run rests until ${timeText(Math.min(...until))}. Then go on:`]
  return [`The run rests on what it started; what is asked there: ${commandLine(place, 'asks')}. Then go on:`]
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
