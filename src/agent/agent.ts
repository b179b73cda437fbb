import { runnable } from '../core/child.ts'
import type { ApprovalDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor, Event } from '../core/event.ts'
import { named } from '../core/json/named.ts'
import { checkNothingMore, checkOptions } from '../core/known-keys.ts'
import type { ToolClass } from '../core/policy/class.ts'
import { isToolMode, type ToolMode } from '../core/policy/mode.ts'
import { evaluateOffer } from '../core/policy/offer.ts'
import { readActor } from '../core/read-actor.ts'
import { isName, nameLengthMax } from '../core/read-name.ts'
import type { ProviderTool } from '../core/tool/provider-tool.ts'
import type { Tool } from '../core/tool/tool.ts'
import { decideTicket } from '../runtime/decide.ts'
import { type DueTimers, type FailedTimers, runDueTimers } from '../runtime/due-timers.ts'
import { giveInput } from '../runtime/give-input.ts'
import { Journal } from '../runtime/journal.ts'
import { toolFacts } from '../runtime/judge.ts'
import { providerToolFacts } from '../runtime/judge-provider-tool.ts'
import type { GivenResult } from '../runtime/redeem.ts'
import { closeIfOver } from '../runtime/run-over.ts'
import { type AgentConfig, defineAgent } from './agent-config.ts'
import { adopted } from './children/child-session.ts'
import { type Definition, redefine } from './definition.ts'
import { driveOptionKeys } from './drive-input.ts'
import { type Explanation, explainCall } from './explain-call.ts'
import { agentOf, type FoundAsk, findAsk, findQuestion } from './find-ask.ts'
import { type ForkOptions, forkSession } from './fork-session.ts'
import { goingOn } from './going-on.ts'
import { stopOrphans } from './orphans.ts'
import { type RedeemedBy, redeem } from './redeem.ts'
import { removeSession } from './remove-session.ts'
import { type ResumedRun, resumeOpen } from './resume-open.ts'
import { Session } from './session.ts'
import { initialEvents } from './state-options.ts'
import { stopRun } from './stop-run.ts'

/** A tool of an agent with the class that it runs under. */
export interface AgentTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly toolClass: ToolClass
}

/** How a session begins. */
export interface SessionOptions {
  /** Default: a new one. Errors: SESSION_EXISTS. */
  readonly id?: string
  /** Whose session it is; default `local`. */
  readonly subject?: string
  readonly mode?: ToolMode
}

/** Options of `runTimers`. */
export interface TimerOptions {
  /** Is told of every session of which what is due could not be done. */
  readonly onError?: (failed: FailedTimers) => void
}

/** Errors: INVALID_ARGUMENT. */
function readSessionOptions(options: unknown): SessionOptions {
  const given = typeof options === 'string' ? { mode: options } : options
  if (typeof given !== 'object' || given === null)
    refuse('A session is started with a mode, or with { id, subject, mode }.')
  const unknown = Object.keys(given).find((key) => !['id', 'subject', 'mode'].includes(key))
  if (unknown !== undefined)
    refuse(`A session has no option ${named(unknown)}; the options are id, subject, mode.`)
  const { id, subject, mode } = given as Record<string, unknown>
  if (mode !== undefined && !isToolMode(mode)) {
    refuse(`There is no tool mode ${named(mode)}; the modes are off, read_only, ask, auto.`)
  }
  for (const [key, value] of Object.entries({ id, subject })) {
    if (value !== undefined && !isName(value))
      refuse(`"${key}" must be a text of 1 to ${nameLengthMax} characters.`)
  }
  return given as SessionOptions
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}

/** A model with tools under a policy. It holds no conversation: sessions do. */
export class Agent {
  readonly #definition: Definition

  constructor(definition: Definition) {
    this.#definition = definition
  }

  get name(): string {
    return this.#definition.name
  }

  /** What calls run it by. @internal */
  get [runnable](): unknown {
    return this.#definition
  }

  /** The tools as they were declared, without those of the runtime. */
  get declaredTools(): readonly Tool[] {
    return this.#definition.catalog.tools.filter((tool) => tool.source.kind !== 'runtime')
  }

  /** The tools that the model's provider runs, as they were declared. */
  get providerTools(): readonly ProviderTool[] {
    return this.#definition.providerTools
  }

  /** The tools with their effective classes; tools that a contract does not list are not among them. */
  get tools(): readonly AgentTool[] {
    const { layers } = this.#definition
    const ours = this.declaredTools.map((tool) => ({ tool, facts: toolFacts(tool) }))
    const theirs = this.providerTools.map((tool) => ({
      tool: { name: tool.name, title: tool.name, description: `Runs at the model's provider: ${tool.id}` },
      facts: providerToolFacts(tool),
    }))
    return [...ours, ...theirs]
      .map(({ tool, facts }) => ({
        tool,
        decision: evaluateOffer({ ...layers, tool: facts, mode: 'auto' }),
      }))
      .filter(({ decision }) => decision.category !== 'contract' && decision.category !== 'profile')
      .map(({ tool: { name, title, description }, decision: { toolClass } }) => ({
        name,
        title,
        description,
        toolClass,
      }))
  }

  /**
   * Begins a conversation, in a mode if one is given. Errors: SESSION_EXISTS, INVALID_ARGUMENT.
   */
  async startSession(options: ToolMode | SessionOptions = {}): Promise<Session> {
    const { id, subject = 'local', mode } = readSessionOptions(options)
    const { parts, name, layers, defaultMode } = this.#definition
    const session = id ?? parts.ids.next('session')
    const journal = new Journal(parts.store, session, parts.clock)
    const made = new Session(this.#definition, journal)
    const chosen = mode ?? (layers.governed ? defaultMode : undefined)
    const given = chosen === undefined ? {} : { mode: chosen }
    await journal.write((state) => {
      const started: Event = { type: 'session.started', session, subject, agent: name, ...given }
      if (state.sequence === 0) return [started, ...initialEvents(this.#definition.state)]
      throw new ToolpostError('SESSION_EXISTS', `The session "${session}" exists already; open it instead.`)
    })
    return made
  }

  /** Takes up a conversation from the store; that of a child run is its own agent's, if that is known here. Errors: SESSION_NOT_FOUND. */
  async openSession(id: string, ...more: readonly never[]): Promise<Session> {
    checkNothingMore(more, 'agent.openSession()', 'the id of a session')
    const { parts } = this.#definition
    const journal = await Journal.open(parts.store, id, parts.clock)
    const own = agentOf(this.#definition, journal.state)
    const isOwn = own === undefined || own === this.#definition
    return new Session(isOwn ? this.#definition : adopted(this.#definition, own), journal)
  }

  /**
   * Begins another conversation with what this one's log says up to an event: its history, its decisions, its values.
   * What happens in one afterwards is not seen in the other. Values of the agent's own scopes are shared, not forked.
   * Errors: SESSION_NOT_FOUND, SESSION_EXISTS, INVALID_ARGUMENT for a place that is none or at which a call has
   * begun and not ended, and for a child's session.
   */
  async forkSession(from: Session | string, options: ForkOptions = {}): Promise<Session> {
    checkOptions(options, ['at', 'id'], 'agent.forkSession()')
    const session = typeof from === 'string' ? from : from?.id
    if (typeof session !== 'string') refuse('agent.forkSession() takes a session, or the id of one.')
    if (options.id !== undefined) readSessionOptions({ id: options.id })
    return new Session(this.#definition, await forkSession(this.#definition.parts, session, options))
  }

  /**
   * Removes a conversation for ever: its log, its index rows and its large results, and those of the child runs in it.
   * Errors: SESSION_NOT_FOUND; SESSION_BUSY while a process owns it, or one of those.
   */
  async removeSession(id: string): Promise<void> {
    await removeSession(this.#definition.parts, id)
  }

  /** The session that holds a run. Errors: RUN_NOT_FOUND. */
  async openSessionOfRun(run: string): Promise<Session> {
    const [row] = await this.#definition.parts.store.list({ kind: 'run', id: run, limit: 1 })
    if (row === undefined) throw new ToolpostError('RUN_NOT_FOUND', `The store holds no run ${named(run)}.`)
    return await this.openSession(String(row.data.session))
  }

  /**
   * Answers an ask by its id, wherever its session is. `by` says who answers and by which door.
   * Errors: INVALID_ARGUMENT for a wrong `by`, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH, INVALID_DECISION.
   */
  async decide(ticket: string, decision: ApprovalDecision, by: Actor): Promise<void> {
    const actor = readActor(by)
    const { clock } = this.#definition.parts
    const found = await this.#inTime(findAsk(this.#definition, ticket))
    await decideTicket({ ...found, clock, by: actor }, ticket, decision)
  }

  /**
   * Gives a tool what it stopped to ask for, wherever its session is; `ask` is the ask's id, or the call's.
   * Errors: INVALID_INPUT, INVALID_ARGUMENT for a wrong `by`, TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH.
   */
  async answer(ask: string, value: unknown, by: Actor): Promise<void> {
    const actor = readActor(by)
    const { clock } = this.#definition.parts
    const found = await this.#inTime(findQuestion(this.#definition, ask))
    await giveInput({ ...found, clock, by: actor }, ask, value)
  }

  /**
   * Gives the outcome of a call that was handed out to an application, by its ticket, wherever its session is and whoever
   * drives the run. Sent again under the same `resultKey`, the same result gets the same answer.
   * Errors: TICKET_NOT_FOUND, TOOL_OUTPUT_LIMIT, INVALID_TOOL_OUTPUT, INVALID_ARGUMENT, UNKNOWN_TOOL, TICKET_MISMATCH.
   */
  async redeem(ticket: string, result: GivenResult, redeemed: RedeemedBy): Promise<void> {
    await redeem(this.#definition, ticket, result, redeemed)
  }

  /**
   * Does what is due in the store, for every session in it: asks whose time is over are closed, runs whose time is over
   * or that were idle for too long are stopped, and so are child runs that nobody drives and that nobody waits for any
   * more. Each is done once, whoever comes first. Call it at the start of a process and from time to time. Gives the sessions
   * to resume: those whose run can go on because of a timer and that nobody has taken up since. For a child that the run
   * above it still holds, that is the session at the top; for one that goes on by itself, its own. A session in which a run
   * was stopped, one that still waits for somebody, and one that a person has answered, are not among them. A session of which nothing can be done, because its log cannot be read,
   * keeps up no other: it is left out, and `onError` is told.
   */
  async runTimers(options: TimerOptions = {}): Promise<readonly string[]> {
    checkOptions(options, ['onError'], 'agent.runTimers()')
    const { onError = () => {} } = options
    const stop: DueTimers['stop'] = (journal, reason) => stopRun(this.#definition, journal, reason)
    const { parts } = this.#definition
    const due = await runDueTimers(parts, { stop, onError })
    const stopped = await stopOrphans(this.#definition, onError)
    return await goingOn(parts, [...due, ...stopped], onError)
  }

  /**
   * Takes up every run of this agent in the store that has not ended and that nobody drives, as after a crash, and those of
   * the agents that its calls have dispatched; child runs whose call has ended without them are stopped. Resolves when each
   * has ended or rests again. One that cannot be taken up,
   * because its log cannot be read or the agent has changed, is given with its `error`, and the others go on.
   */
  async resumeOpen(options: { readonly signal?: AbortSignal } = {}): Promise<readonly ResumedRun[]> {
    checkOptions(options, driveOptionKeys, 'agent.resumeOpen()')
    return await resumeOpen(this.#definition, options.signal)
  }

  /** What is found of a run whose time is over is closed. */
  async #inTime(finding: Promise<FoundAsk>): Promise<FoundAsk> {
    const found = await finding
    await closeIfOver(this.#definition.parts, found.journal)
    return found
  }

  /** Checks and judges a call without running it. Errors: UNKNOWN_TOOL. */
  explain(
    tool: string,
    args: unknown,
    options: { mode?: ToolMode; subject?: string } = {},
  ): Promise<Explanation> {
    return explainCall(this.#definition, tool, args, options)
  }

  /** Another agent, with what `change` makes of this one's definition; this one stays as it is. @internal */
  [redefine](change: (definition: Definition) => Definition): Agent {
    return new Agent(change(this.#definition))
  }
}

/**
 * Makes an agent. Errors: INVALID_AGENT, INVALID_SCHEMA, DUPLICATE_TOOL, RESERVED_NAME.
 */
export function agent(config: AgentConfig): Agent {
  return new Agent(defineAgent(config))
}
