import type { ApprovalDecision } from '../core/decision.ts'
import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import type { ToolClass } from '../core/policy/class.ts'
import { isToolMode, type ToolMode } from '../core/policy/mode.ts'
import { evaluateOffer } from '../core/policy/offer.ts'
import type { Tool } from '../core/tool/tool.ts'
import { decideTicket } from '../runtime/decide.ts'
import { Journal, sessionStream } from '../runtime/journal.ts'
import { toolFacts } from '../runtime/judge.ts'
import { ownSession } from '../runtime/ownership.ts'
import { type AgentConfig, defineAgent } from './agent-config.ts'
import { type Definition, redefine } from './definition.ts'
import { type Explanation, explainCall } from './explain-call.ts'
import { Session } from './session.ts'

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

const idLengthMax = 256

/** Errors: INVALID_ARGUMENT. */
function readSessionOptions(options: unknown): SessionOptions {
  const given = typeof options === 'string' ? { mode: options } : options
  if (typeof given !== 'object' || given === null)
    refuse('A session is started with a mode, or with { id, subject, mode }.')
  const unknown = Object.keys(given).find((key) => !['id', 'subject', 'mode'].includes(key))
  if (unknown !== undefined)
    refuse(`A session has no option "${unknown}"; the options are id, subject, mode.`)
  const { id, subject, mode } = given as Record<string, unknown>
  if (mode !== undefined && !isToolMode(mode)) {
    refuse(`There is no tool mode "${String(mode)}"; the modes are off, read_only, ask, auto.`)
  }
  for (const [key, value] of Object.entries({ id, subject })) {
    const isName = typeof value === 'string' && value !== '' && value.length <= idLengthMax
    if (value !== undefined && !isName) refuse(`"${key}" must be a text of 1 to ${idLengthMax} characters.`)
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

  /** The tools as they were declared, without those of the runtime. */
  get declaredTools(): readonly Tool[] {
    return this.#definition.catalog.tools.filter((tool) => tool.source.kind !== 'runtime')
  }

  /** The tools with their effective classes; tools that a contract does not list are not among them. */
  get tools(): readonly AgentTool[] {
    const { layers } = this.#definition
    const allowed = this.declaredTools.map((tool) => ({
      tool,
      decision: evaluateOffer({ ...layers, tool: toolFacts(tool), mode: 'auto' }),
    }))
    return allowed
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
    const chosen = mode ?? (layers.governed ? defaultMode : undefined)
    const given = chosen === undefined ? {} : { mode: chosen }
    await journal.write((state) => {
      if (state.sequence === 0) return [{ type: 'session.started', session, subject, agent: name, ...given }]
      throw new ToolpostError('SESSION_EXISTS', `The session "${session}" exists already; open it instead.`)
    })
    return new Session(this.#definition, journal)
  }

  /** Takes up a conversation from the store. Errors: SESSION_NOT_FOUND. */
  async openSession(id: string): Promise<Session> {
    const { parts } = this.#definition
    return new Session(this.#definition, await Journal.open(parts.store, id, parts.clock))
  }

  /**
   * Removes a conversation for ever: its log, its index rows and its large results.
   * Errors: SESSION_NOT_FOUND; SESSION_BUSY while a process owns it.
   */
  async removeSession(id: string): Promise<void> {
    const { parts } = this.#definition
    const { stream } = await Journal.open(parts.store, id, parts.clock)
    const ownership = await ownSession(parts, stream)
    try {
      await parts.store.removeStream(ownership.lease)
    } finally {
      await ownership.release()
    }
  }

  /** The session that holds a run. Errors: RUN_NOT_FOUND. */
  async openSessionOfRun(run: string): Promise<Session> {
    const [row] = await this.#definition.parts.store.list({ kind: 'run', id: run, limit: 1 })
    if (row === undefined) throw new ToolpostError('RUN_NOT_FOUND', `The store holds no run "${run}".`)
    return await this.openSession(String(row.data.session))
  }

  /**
   * Answers an ask by its id, wherever its session is.
   * Errors: TICKET_NOT_FOUND, TICKET_DECIDED, TICKET_MISMATCH, INVALID_DECISION.
   */
  async decide(ticket: string, decision: ApprovalDecision, by: Actor): Promise<void> {
    const { parts, catalog } = this.#definition
    const [row] = await parts.store.list({ kind: 'ticket', id: ticket, limit: 1 })
    if (row === undefined) throw new ToolpostError('TICKET_NOT_FOUND', `There is no ask "${ticket}".`)
    const journal = await Journal.open(parts.store, row.stream.slice(sessionStream('').length), parts.clock)
    await decideTicket({ journal, catalog, clock: parts.clock, by }, ticket, decision)
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
 * Makes an agent. Errors: INVALID_AGENT, DUPLICATE_TOOL, RESERVED_NAME.
 */
export function agent(config: AgentConfig): Agent {
  return new Agent(defineAgent(config))
}
