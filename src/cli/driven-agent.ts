import type { Agent } from '../agent/agent.ts'
import type { RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import type { Session } from '../agent/session.ts'
import type { FinishReason } from '../core/driver.ts'
import type { Store } from '../core/store.ts'
import type { Model } from '../models/model.ts'
import { processOwner } from '../process/process-owner.ts'
import {
  type ApprovalOptions,
  type AskingMode,
  askingMode,
  chooseApprovals,
} from './approvals/choose-approvals.ts'
import { OpenAsks } from './approvals/open-asks.ts'
import type { ModelOptions } from './choose-model.ts'
import { commandLine } from './command-line.ts'
import type { Place } from './command-options.ts'
import { mainAgent } from './main-agent.ts'
import { closingLines, nextCommands } from './next-steps.ts'
import { runSession } from './run-session.ts'
import { sameAgain } from './same-again.ts'
import { JsonLines } from './terminal/json-lines.ts'
import { Output } from './terminal/output.ts'
import { RunPrinter } from './terminal/run-printer.ts'
import type { RunView } from './terminal/run-view.ts'

/** The options of commands that drive a run. */
export interface DrivingOptions extends ApprovalOptions, ModelOptions {
  readonly json?: boolean
}

/** The main agent with the terminal, or the lack of one, at its side. */
export interface DrivenAgent {
  readonly agent: Agent
  readonly output: Output
  readonly asks: OpenAsks
  readonly mode: AskingMode
  /** Drives a run of a session and shows it to its end. */
  drive(
    session: Session,
    begin: (signal: AbortSignal) => AsyncGenerator<RunEvent, RunResult, undefined>,
  ): Promise<RunResult>
}

/** Puts the main agent together for this process. `stream` is where a person reads; default standard output. */
export function drivenAgent(
  place: Place,
  store: Store,
  model: Model,
  options: DrivingOptions,
  stream: NodeJS.WriteStream = process.stdout,
): DrivenAgent {
  const output = new Output(stream)
  const asks = new OpenAsks()
  const mode = askingMode(options)
  const explain = (tool: string, args: unknown) => agent.explain(tool, args, { mode: 'ask' })
  const sayItWaits = (ticket: string) => {
    if (options.json !== true) sayHowToAnswer(place, output, ticket)
  }
  const approvals = chooseApprovals(mode, { output, explain, asks, sayItWaits })
  const agent: Agent = mainAgent({ dir: place.folder.root, store, model, approvals, owner: processOwner() })
  const drive: DrivenAgent['drive'] = async (session, begin) => {
    const view = viewOf(place, session, output, mode, options)
    asks.stoodBefore(openTickets(session))
    const sayNothing = sayHowToGoOn(place, session, options)
    try {
      return await runSession({ begin, view, asks })
    } finally {
      sayNothing()
    }
  }
  return { agent, output, asks, mode, drive }
}

function viewOf(
  place: Place,
  session: Session,
  output: Output,
  mode: AskingMode,
  options: DrivingOptions,
): RunView {
  if (options.json === true) {
    return new JsonLines(session.id, (result) =>
      nextCommands(place, result, sameAgain(session.state, options).model),
    )
  }
  const { openRun, runs } = session.state
  const stepsBefore = openRun === undefined ? 0 : (runs.get(openRun)?.step ?? 0)
  const names = {
    toolOf: (call: string) => session.state.calls.get(call)?.name ?? call,
    finishOf: (run: string) => finishOf(session, run),
    ...(mode === 'prompt' ? { asker: 'you' } : {}),
  }
  const printer = new RunPrinter(output, names, stepsBefore)
  return {
    event: (event) => printer.event(event),
    end: (result) => {
      printer.end(result)
      const again = sameAgain(session.state, options)
      for (const line of closingLines(place, result, session.state, mode, again)) output.line(line)
    },
  }
}

function openTickets({ state }: Session): readonly string[] {
  return state.openRun === undefined ? [] : (state.runs.get(state.openRun)?.openTickets ?? [])
}

function finishOf({ state }: Session, run: string): FinishReason | undefined {
  const last = state.history.findLast((entry) => entry.role === 'assistant' && entry.run === run)
  return last?.role === 'assistant' ? last.finish : undefined
}

/** A process that ends while it drives a run (its reader has gone, a second Ctrl-C) says how to go on with it. */
function sayHowToGoOn(place: Place, session: Session, options: DrivingOptions): () => void {
  const say = () => {
    const { openRun } = session.state
    if (openRun === undefined) return
    const command = commandLine(place, 'resume', openRun, ...sameAgain(session.state, options).model)
    process.stderr.write(`The run has not ended; go on with: ${command}\n`)
  }
  process.once('exit', say)
  return () => process.removeListener('exit', say)
}

function sayHowToAnswer(place: Place, output: Output, ticket: string): void {
  output.line(`    It waits here for an answer from another process:`)
  output.line(`      ${commandLine(place, 'approve', ticket)}`)
  output.line(`      ${commandLine(place, 'deny', ticket)} --reason "..."`)
}
