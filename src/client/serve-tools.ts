import type { WireApproval } from '../protocol/approvals/approval.ts'
import type { ApprovalDecision } from '../protocol/approvals/approval-decision.ts'
import { isHostError } from '../protocol/host-error.ts'
import type { RunRequest } from '../protocol/run/run-request.ts'
import { isTerminal, type RunEvent } from '../protocol/stream/run-event.ts'
import type { ToolExecution } from '../protocol/tool-executions/tool-execution.ts'
import { type CarryParts, carryOut } from './carry-out.ts'
import { readOptions } from './read-options.ts'
import type { RunOperations, StreamOptions } from './run-operations.ts'
import { servedRequest } from './served-request.ts'
import { ServedRun } from './served-run.ts'
import type { ServedTools } from './served-tool.ts'
import { untilTold } from './until-told.ts'

/** A person's answer to an approval. */
export type ToolDecision = Pick<ApprovalDecision, 'decision' | 'reason' | 'editedArguments'>

/** What serving a run's functions takes beside them. */
export interface ServeOptions extends StreamOptions {
  /**
   * Asks a person about a call. Absent = approvals are decided elsewhere. What it throws ends the run, and is thrown by
   * the iteration.
   */
  readonly decideTool?: (
    approval: WireApproval,
    context: { readonly signal: AbortSignal },
  ) => ToolDecision | Promise<ToolDecision>
  /** Told what a function threw, or what is wrong with its output. The host hears that it failed and nothing more. */
  readonly onFailure?: (fault: unknown, execution: ToolExecution) => void
}

/** What `serveTools` works with. */
export interface ServeParts extends CarryParts {
  readonly runs: RunOperations
}

/** See `Client.serveTools`. */
export function serveTools(
  parts: ServeParts,
  request: RunRequest,
  tools: ServedTools,
  given?: ServeOptions,
): ServedRun {
  const options = readOptions(given, 'client.serveTools()', ['reconnect', 'decideTool', 'onFailure'])
  const whole = servedRequest(request, tools)
  const work = { ...parts, onFailure: options.onFailure }
  return new ServedRun((signal) => new Serving(work, tools, options, signal).events(whole), options.signal)
}

/** One run and everything that is done for it. */
class Serving {
  readonly #parts: ServeParts
  readonly #tools: ServedTools
  readonly #options: ServeOptions
  /** Aborted with the fault when something that is done for the run cannot be told to the host. */
  readonly #fault = new AbortController()
  readonly #signal: AbortSignal
  readonly #calls = new Map<string, AbortController>()
  readonly #sendings = new Set<Promise<void>>()

  constructor(parts: ServeParts, tools: ServedTools, options: ServeOptions, signal: AbortSignal) {
    this.#parts = { ...parts, onSending: (sending) => this.#keep(sending) }
    this.#tools = tools
    this.#options = options
    this.#signal = AbortSignal.any([signal, this.#fault.signal])
    this.#signal.addEventListener('abort', () => this.#stopAll(), { once: true })
  }

  async *events(request: RunRequest): AsyncGenerator<RunEvent, void, undefined> {
    const { reconnect = false } = this.#options
    try {
      for await (const event of this.#parts.runs.stream(request, { signal: this.#signal, reconnect })) {
        this.#act(event)
        yield event
      }
      // What became of a result that was sent is told before the end.
      await Promise.all(this.#sendings)
    } finally {
      this.#fault.abort()
    }
  }

  #act(event: RunEvent): void {
    if (isTerminal(event)) this.#stopAll()
    if (event.type === 'tool.execution.requested') this.#guard(this.#execute(event.execution))
    if (event.type === 'approval.requested') this.#guard(this.#decide(event.approval))
    // The host has an outcome already, so nobody waits for another one.
    if (event.type === 'tool.completed' || event.type === 'tool.failed')
      this.#calls.get(event.callId)?.abort()
  }

  #stopAll(): void {
    for (const call of this.#calls.values()) call.abort()
  }

  #guard(work: Promise<void>): void {
    work.catch((fault: unknown) => this.#fault.abort(fault))
  }

  #keep(sending: Promise<void>): void {
    this.#sendings.add(sending)
    sending.finally(() => this.#sendings.delete(sending))
  }

  async #execute(execution: ToolExecution): Promise<void> {
    const { call } = execution
    const stopping = new AbortController()
    this.#calls.set(call.id, stopping)
    try {
      // The stream was held against the request, so that its function is there.
      await carryOut(this.#parts, this.#tools[call.name]!, execution, stopping)
    } finally {
      this.#calls.delete(call.id)
    }
  }

  async #decide(approval: WireApproval): Promise<void> {
    const { decideTool } = this.#options
    if (decideTool === undefined) return
    const signal = this.#signal
    const { approvalId, runId, call } = approval
    const answer = await decideTool(approval, { signal })
    if (signal.aborted) return
    const decision = { ...answer, approvalId, runId, call }
    try {
      await untilTold(() => this.#parts.tickets.decideApproval(decision, { signal }), this.#parts, signal)
    } catch (fault) {
      // Somebody else has decided, or this decision arrived and its receipt was lost.
      if (!isHostError(fault) || fault.code !== 'APPROVAL_NOT_FOUND') throw fault
    }
  }
}
