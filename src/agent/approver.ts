import type { Catalog } from '../core/catalog.ts'
import { type ApprovalDecision, parseDecision } from '../core/decision.ts'
import { isToolpostError, ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import { messageOf } from '../core/message-of.ts'
import type { StoredEvent } from '../core/store.ts'
import { editedArguments, writeAnswer } from '../runtime/decide.ts'
import { giveInput } from '../runtime/give-input.ts'
import type { Task } from '../runtime/task.ts'
import type { Answered } from '../runtime/tickets.ts'
import { type ApprovalRequest, approvalRequest } from './approval-request.ts'
import { isDeclined } from './decline.ts'
import { type InputFunction, inputRequest } from './input-request.ts'
import { isSuspended, type Suspended } from './suspend.ts'

/**
 * Answers asks. It gets the request and a signal that aborts when the answer is no longer wanted: the run was
 * stopped, or somebody else answered first. It may answer with a decision, `{ approved, ... }`, or `suspend()`;
 * a throw and anything else is a no.
 */
export type ApprovalFunction = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalAnswer | Promise<ApprovalAnswer>

/** What a handler may answer. */
export type ApprovalAnswer = ApprovalDecision | Suspended

/** A function, or an object with a `request` method. */
export type ApprovalHandler = ApprovalFunction | { request: ApprovalFunction }

/** Who answers while a run waits. */
export interface Answerers {
  readonly approvals?: ApprovalHandler
  readonly inputs?: InputFunction
  /** Is told what one of them threw, and what was wrong with an answer that could not be taken. */
  readonly onFault?: (source: 'approvals' | 'inputs', ticket: string, error: unknown) => void
}

/** Brings the asks of one run before the handlers, each once, and writes the answers down. */
export class Approver {
  readonly #task: Task
  readonly #handler: ApprovalHandler | undefined
  readonly #inputs: InputFunction | undefined
  readonly #onFault: NonNullable<Answerers['onFault']>
  readonly #open = new Map<string, AbortController>()
  readonly #left = new Set<string>()
  readonly #onChange: () => void

  constructor(task: Task, { approvals, inputs, onFault }: Answerers, onChange: () => void) {
    this.#task = task
    this.#handler = approvals
    this.#inputs = inputs
    this.#onFault = onFault ?? (() => {})
    this.#onChange = onChange
  }

  /** Whether the handler has left every one of these tickets to somebody else. What was handed out is waited for. */
  hasLeft(tickets: readonly string[]): boolean {
    return tickets.every((ticket) => this.#left.has(ticket))
  }

  /** Follows the log: new asks are brought before the handler, answered ones are taken from it. */
  onEvent({ event }: StoredEvent): void {
    const { type } = event
    if (type === 'approval.requested' || type === 'input.requested') this.bring(event.ticket)
    if (type === 'approval.decided' || type === 'input.given' || type === 'input.declined')
      this.#open.get(event.ticket)?.abort(new Error('The ask was answered.'))
  }

  /** Brings one open ask before the handler. A call that was handed out asks nobody here. */
  bring(ticket: string): void {
    if (this.#task.journal.state.tickets.get(ticket)?.kind === 'execution') return
    if (this.#open.has(ticket) || this.#left.has(ticket)) return
    const controller = new AbortController()
    this.#open.set(ticket, controller)
    const cancelWait = this.#waitFor(ticket, controller)
    const isInput = this.#task.journal.state.tickets.get(ticket)?.kind === 'input'
    const answering = isInput
      ? this.#give(ticket, controller.signal)
      : this.#answer(ticket, controller.signal)
    answering
      // An answer that could not be written leaves the ask open for somebody else.
      .catch((error: unknown) => {
        if (!controller.signal.aborted && !isDecided(error))
          this.#onFault(isInput ? 'inputs' : 'approvals', ticket, error)
        this.#leave(ticket)
      })
      .finally(() => {
        cancelWait()
        this.#open.delete(ticket)
      })
  }

  /** Who takes too long is not waited for: the ask is left to somebody else. */
  #waitFor(ticket: string, controller: AbortController): () => void {
    const { answerWaitMs, parts } = this.#task
    if (answerWaitMs === undefined) return () => {}
    return parts.clock.timer(answerWaitMs, () => {
      this.#leave(ticket)
      controller.abort(new Error('The ask was left to somebody else.'))
    })
  }

  /** Takes all asks from the handler, because the run was stopped. */
  stop(reason: unknown): void {
    for (const controller of this.#open.values()) controller.abort(reason)
  }

  async #answer(ticket: string, signal: AbortSignal): Promise<void> {
    const given = await this.#ask(ticket, signal)
    if (given === undefined || signal.aborted) return
    if ('answer' in given && isSuspended(given.answer)) return this.#leave(ticket)
    await this.#write(ticket, await this.#read(ticket, given))
  }

  async #give(ticket: string, signal: AbortSignal): Promise<void> {
    const { journal, catalog, parts } = this.#task
    const call = journal.state.calls.get(journal.state.tickets.get(ticket)?.call ?? '')
    const request = inputRequest(journal.state, ticket, findTool(catalog, call?.name))
    if (request === undefined || this.#inputs === undefined) return this.#leave(ticket)
    const given = await this.#inputs(request, signal)
    if (signal.aborted) return
    if (isSuspended(given)) return this.#leave(ticket)
    if (isDeclined(given)) {
      const parsed = parseDecision(given)
      // A no that cannot be read leaves the question open, like a value that does not pass.
      if ('fault' in parsed) throw new ToolpostError('INVALID_DECISION', parsed.fault)
      return await this.#write(ticket, { decision: parsed.decision, by: handlerActor })
    }
    await giveInput({ journal, catalog, clock: parts.clock, by: handlerActor }, ticket, given)
  }

  #leave(ticket: string): void {
    this.#left.add(ticket)
    this.#onChange()
  }

  async #ask(ticket: string, signal: AbortSignal): Promise<Given | undefined> {
    const { journal, catalog } = this.#task
    const call = journal.state.calls.get(journal.state.tickets.get(ticket)?.call ?? '')
    const request = approvalRequest(journal.state, ticket, findTool(catalog, call?.name))
    if (request === undefined) return undefined
    if (this.#handler === undefined) return { declined: declined(undefined, 'no_handler', nobody) }
    try {
      const answer =
        typeof this.#handler === 'function'
          ? await this.#handler(request, signal)
          : await this.#handler.request(request, signal)
      return { answer }
    } catch (error) {
      if (!signal.aborted) this.#onFault('approvals', ticket, error)
      return { declined: declined(`The approval failed: ${messageOf(error)}`, 'handler_error') }
    }
  }

  async #read(ticket: string, given: Given): Promise<Answered> {
    if ('declined' in given) return given.declined
    const parsed = parseDecision(given.answer)
    if ('fault' in parsed) {
      this.#onFault('approvals', ticket, new ToolpostError('INVALID_DECISION', parsed.fault))
      return declined(parsed.fault, 'handler_error')
    }
    const { decision } = parsed
    const { journal, catalog, parts } = this.#task
    try {
      const edited = await editedArguments(
        { journal, catalog, clock: parts.clock, by: handlerActor },
        ticket,
        decision,
      )
      return { decision, by: handlerActor, ...(edited === undefined ? {} : { edited }) }
    } catch (error) {
      this.#onFault('approvals', ticket, error)
      return declined(messageOf(error), 'handler_error')
    }
  }

  async #write(ticket: string, answered: Answered): Promise<void> {
    const { journal, parts } = this.#task
    try {
      await writeAnswer(journal, ticket, answered, parts.clock)
    } catch (error) {
      // Somebody else was first, or the answer was given to other arguments: the log says what holds.
      const isStale = isToolpostError(error) && ['TICKET_DECIDED', 'TICKET_MISMATCH'].includes(error.code)
      if (!isStale) throw error
      if (isToolpostError(error) && error.code === 'TICKET_MISMATCH') {
        await writeAnswer(journal, ticket, declined(messageOf(error), 'handler_error'), parts.clock)
      }
    }
  }
}

/** Somebody else was first: nothing is wrong with the answer. */
function isDecided(error: unknown): boolean {
  return isToolpostError(error) && error.code === 'TICKET_DECIDED'
}

const handlerActor: Actor = { id: 'handler', method: 'handler' }
const nobody: Actor = { id: 'agent', method: 'default' }

/** What the handler answered, or the no that stands for an answer. */
type Given = { readonly answer: unknown } | { readonly declined: Answered }

function declined(reason: string | undefined, category: string, by: Actor = handlerActor): Answered {
  return {
    decision: { approved: false, scope: 'once', ...(reason === undefined ? {} : { reason }) },
    by,
    category,
  }
}

function findTool(catalog: Catalog, name: string | undefined) {
  return name === undefined ? undefined : catalog.find(name)
}
