import type { Agent } from '../agent/agent.ts'
import type { ApprovalFunction } from '../agent/approver.ts'
import { ChildLogs } from '../agent/children/child-logs.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import { redefine } from '../agent/definition.ts'
import type { InputFunction } from '../agent/input-request.ts'
import type { ChildEvent, RunEvent } from '../agent/run-event.ts'
import type { RunResult } from '../agent/run-result.ts'
import type { Session } from '../agent/session.ts'
import type { FinishReason } from '../core/driver.ts'
import type { TicketState } from '../core/run/state.ts'
import { AskQueue } from './approvals/ask-queue.ts'
import {
  type ApprovalOptions,
  type AskingMode,
  askingMode,
  chooseApprovals,
} from './approvals/choose-approvals.ts'
import { chooseInputs } from './approvals/choose-inputs.ts'
import { OpenAsks } from './approvals/open-asks.ts'
import { ownApprovalsFirst, ownInputsFirst } from './approvals/own-first.ts'
import { type AskKinds, askKinds } from './ask-kinds.ts'
import { checkInput } from './check-input.ts'
import type { ModelOptions } from './choose-model.ts'
import { commandLine } from './command-line.ts'
import type { Place } from './command-options.ts'
import { answeringCommand, closingLines, denyingCommand, nextCommands } from './next-steps.ts'
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

/** An agent with the terminal, or the lack of one, at its side. */
export interface DrivenAgent {
  readonly agent: Agent
  readonly output: Output
  readonly asks: OpenAsks
  readonly mode: AskingMode
  /** Drives a run of a session and shows it to its end. */
  drive(
    session: Session,
    begin: (signal: AbortSignal) => AsyncGenerator<RunEvent | ChildEvent, RunResult, undefined>,
  ): Promise<RunResult>
}

/** Makes the agent, with who answers its asks in this process. */
export type MakeAgent = (answerers: {
  readonly approvals: ApprovalFunction
  readonly inputs: InputFunction
}) => Agent

/** Puts an agent together for this process. `stream` is where a person reads; default standard output. */
export function drivenAgent(
  place: Place,
  make: MakeAgent,
  options: DrivingOptions,
  stream: NodeJS.WriteStream = process.stdout,
): DrivenAgent {
  const output = new Output(stream)
  const asks = new OpenAsks()
  const mode = askingMode(options)
  const judged = place.module === undefined ? ({ mode: 'ask' } as const) : {}
  const explain = (tool: string, args: unknown) => agent.explain(tool, args, judged)
  const sayItWaits = (ticket: string, kind: TicketState['kind']) => {
    if (options.json !== true) sayHowToAnswer(place, output, ticket, kind)
  }
  const asking = { output, explain, asks, queue: new AskQueue(asks), sayItWaits }
  const agent: Agent = make({
    approvals: chooseApprovals(mode, asking),
    inputs: chooseInputs(mode, { ...asking, check: (...given) => checkInput(agent, ...given) }),
  })
  const drive: DrivenAgent['drive'] = async (session, begin) => {
    const kinds = ({ tickets }: RunResult) => askKinds(agent, tickets)
    const view = viewOf(place, session, output, mode, options, kinds)
    asks.stoodBefore(await openTickets(agent, session))
    const sayNothing = sayHowToGoOn(place, session, options)
    try {
      return await runSession({ begin, view, asks })
    } finally {
      sayNothing()
    }
  }
  return { agent, output, asks, mode, drive }
}

/** An agent of a module with who answers here behind its own handlers. */
export function withAnswerers(agent: Agent): MakeAgent {
  return ({ approvals, inputs }) =>
    agent[redefine]((definition) => ({
      ...definition,
      approvals: ownApprovalsFirst(definition.approvals, approvals),
      inputs: ownInputsFirst(definition.inputs, inputs),
    }))
}

function viewOf(
  place: Place,
  session: Session,
  output: Output,
  mode: AskingMode,
  options: DrivingOptions,
  kindsOfAsks: (result: RunResult) => Promise<AskKinds>,
): RunView {
  if (options.json === true) {
    return new JsonLines(session.id, async (result) => {
      const { model } = sameAgain(session.state, options)
      return nextCommands(place, result, await kindsOfAsks(result), model)
    })
  }
  const { openRun, runs } = session.state
  const stepsBefore = openRun === undefined ? 0 : (runs.get(openRun)?.step ?? 0)
  const names = {
    toolOf: (call: string) => session.state.calls.get(call)?.name ?? call,
    finishOf: (run: string) => finishOf(session, run),
    // A module's agent may have answered by a handler of its own.
    ...(mode === 'prompt' && place.module === undefined ? { asker: 'you' } : {}),
  }
  const printer = new RunPrinter(output, names, stepsBefore)
  return {
    event: (event) => printer.event(event),
    end: async (result) => {
      printer.end(result)
      const again = sameAgain(session.state, options)
      const kinds = await kindsOfAsks(result)
      for (const line of closingLines(place, result, session.state, { mode, again, kinds })) output.line(line)
    },
  }
}

/** The open asks of the run that is gone on with, and of all runs below it. */
async function openTickets(agent: Agent, { state }: Session): Promise<readonly string[]> {
  if (state.openRun === undefined) return []
  const { tickets } = await new ChildLogs(definitionOf(agent).parts).ofRun(state, state.openRun)
  return [...(state.runs.get(state.openRun)?.openTickets ?? []), ...tickets]
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

function sayHowToAnswer(place: Place, output: Output, ticket: string, kind: TicketState['kind']): void {
  output.line(`    It waits here for an answer from another process:`)
  output.line(`      ${answeringCommand(place, ticket, kind)}`)
  output.line(`      ${denyingCommand(place, ticket)}`)
}
