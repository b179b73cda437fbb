import { processOwner } from '../process/process-owner.ts'
import type { ApprovalFilters, ApprovalInbox } from '../protocol/approvals/approval-inbox.ts'
import type { ApprovalResolution } from '../protocol/approvals/approval-resolution.ts'
import { checkGiven, checkSignal } from '../protocol/check-given.ts'
import type { ProtocolInfo } from '../protocol/host/protocol-info.ts'
import type { ProviderList } from '../protocol/host/provider-list.ts'
import { HostError, hostErrorOf, isHostError } from '../protocol/host-error.ts'
import type { ReconcileReceipt } from '../protocol/run/reconcile-request.ts'
import type { RunDeleted } from '../protocol/run/run-deleted.ts'
import type { RunResult } from '../protocol/run/run-result.ts'
import {
  type RunFilters,
  type RunPage,
  type RunStatus,
  runCancelRequestBody,
} from '../protocol/run/run-status.ts'
import type { SessionDeleted, SessionSnapshot } from '../protocol/sessions/session-snapshot.ts'
import { isTerminal, type RunEvent } from '../protocol/stream/run-event.ts'
import type { ExecutionEvent } from '../protocol/tool-executions/execution-event.ts'
import type { ExecutionStatus } from '../protocol/tool-executions/execution-status.ts'
import type { ExecutionFilters, PendingExecutions } from '../protocol/tool-executions/pending-executions.ts'
import type { ToolProgressReceipt } from '../protocol/tool-executions/tool-progress.ts'
import type { ToolResultReceipt } from '../protocol/tool-executions/tool-result.ts'
import { systemParts } from '../runtime/system.ts'
import { memoryStore } from '../stores/memory/memory-store.ts'
import { audited } from './audited.ts'
import { listRuns } from './discovery/list-runs.ts'
import { protocolInfo } from './discovery/protocol-info.ts'
import { providerList } from './discovery/provider-list.ts'
import { runStatus } from './discovery/run-status.ts'
import type { HostOptions } from './host-options.ts'
import type { HostParts } from './host-parts.ts'
import { readCaller, readWho } from './read-caller.ts'
import { readGiven } from './read-given.ts'
import { readHostOptions } from './read-host-options.ts'
import { OpenStreams } from './runs/open-streams.ts'
import { eventsOnly, type RunStream } from './runs/run-stream.ts'
import { Runs } from './runs/runs.ts'
import { createSession } from './sessions/create-session.ts'
import { deleteRun } from './sessions/delete-run.ts'
import { deleteSession } from './sessions/delete-session.ts'
import { readSession } from './sessions/read-session.ts'
import { completeTool } from './tickets/complete-tool.ts'
import { decideApproval } from './tickets/decide-approval.ts'
import { executionEvents } from './tickets/execution-events.ts'
import { executionStatus } from './tickets/execution-status.ts'
import { listApprovals } from './tickets/list-approvals.ts'
import { pendingExecutions } from './tickets/pending-executions.ts'
import { reconcileCall } from './tickets/reconcile-call.ts'
import { reportToolProgress } from './tickets/report-tool-progress.ts'
import type { Who } from './who.ts'

/** Who calls, and what stops him. */
export interface Caller extends Who {
  /** Ends the run, or the wait, as if the caller had left. */
  readonly signal?: AbortSignal
}

/**
 * Runs agents for applications: with the host's tools, and with the applications' own. Everything is in its store. Every
 * method refuses with a `HostError`, whose code is one of `wireErrors`; callers without `access` are trusted.
 */
export class Host {
  readonly options: HostOptions
  readonly #parts: HostParts
  readonly #streams: OpenStreams

  constructor(options: HostOptions) {
    this.options = readHostOptions(options)
    const store = options.store ?? memoryStore()
    const parts = { ...systemParts(store), owner: processOwner(), ...options.parts, store }
    this.#parts = { options: this.options, runs: new Runs(this.options, parts), parts }
    this.#streams = new OpenStreams(this.options.limits)
  }

  /** The runs of this host. @internal */
  get runs(): Runs {
    return this.#parts.runs
  }

  /** Takes a request up. Everything that can be refused is refused by this promise; nothing has happened then. */
  async startRun(request: unknown, who: Who = {}, signal?: AbortSignal): Promise<RunStream> {
    const caller = readWho(who)
    checkSignal(signal, 'host.startRun()')
    if (signal?.aborted === true) throw new HostError('CANCELLED')
    const stream = await this.runs.start(request, caller, 'stream')
    if (signal === undefined) return stream
    const leave = () => stream.close()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return stream
  }

  /** The events of a new run. Leaving the loop ends the run, unless the request says `onDisconnect: "keep"`. */
  stream(request: unknown, caller: Caller = {}): AsyncGenerator<RunEvent, void, undefined> {
    const { who, signal } = readCaller(caller)
    return eventsOnly(() => this.startRun(request, who, signal), signal)
  }

  /** Runs a request to its end. Errors: TOOL_STREAM_REQUIRED, APPROVAL_STREAM_REQUIRED, and whatever ends a run. */
  async run(request: unknown, caller: Caller = {}): Promise<RunResult> {
    const { who, signal } = readCaller(caller)
    if (signal?.aborted === true) throw new HostError('CANCELLED')
    const stream = await this.runs.start(request, who, 'json')
    const leave = () => stream.close()
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await resultOf(stream)
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** The stream of a run for somebody who comes back: what is behind the event of this id, and what comes. Errors: RUN_NOT_FOUND. */
  async followRun(runId: string, lastEventId: string | undefined, who: Who = {}): Promise<RunStream> {
    return await this.runs.follow(await this.runs.find(runId, readWho(who)), lastEventId)
  }

  /** Stops a run, wherever it rests, and says how it stands then. Errors: RUN_NOT_FOUND. */
  async cancelRun(runId: string, who: Who = {}, reason = 'it was cancelled.'): Promise<RunStatus> {
    readGiven(runCancelRequestBody, { reason }, 'INVALID_REQUEST')
    await this.runs.cancel(await this.runs.find(runId, readWho(who)), reason)
    return await this.runStatus(runId, who)
  }

  /**
   * Ends a run and removes it with all that it recorded, its idempotency key too.
   * Errors: RUN_NOT_FOUND; RUN_IN_SESSION for a turn of a conversation; SESSION_BUSY.
   */
  async deleteRun(runId: string, who: Who = {}): Promise<RunDeleted> {
    return await deleteRun(this.#parts, runId, readWho(who))
  }

  /** How a run stands. Errors: RUN_NOT_FOUND. */
  async runStatus(runId: string, who: Who = {}): Promise<RunStatus> {
    return await runStatus(this.#parts, runId, readWho(who))
  }

  /** The runs that the caller may see; with `uncertain`, those with a call of which nobody knows what became of it. */
  async listRuns(filters: RunFilters = {}, who: Who = {}): Promise<RunPage> {
    return await listRuns(this.#parts, filters, readWho(who))
  }

  /** Redeems an approval, once. Errors: INVALID_APPROVAL, APPROVAL_NOT_FOUND, FORBIDDEN, APPROVAL_MISMATCH. */
  async decideApproval(decision: unknown, who: Who = {}): Promise<ApprovalResolution> {
    const caller = readWho(who)
    const redeem = () => decideApproval(this.#parts, decision, caller)
    return await audited(this.#parts, 'approval', { body: decision, who: caller }, redeem)
  }

  /** The approvals that the caller may see; by default those that wait. */
  async approvals(filters: ApprovalFilters = {}, who: Who = {}): Promise<ApprovalInbox> {
    return await listApprovals(this.#parts, filters, readWho(who))
  }

  /** A sign of life of an execution. Errors: INVALID_TOOL_EXECUTION, TOOL_EXECUTION_NOT_FOUND, FORBIDDEN, TOOL_EXECUTION_MISMATCH. */
  async reportToolProgress(progress: unknown, who: Who = {}): Promise<ToolProgressReceipt> {
    return await reportToolProgress(this.#parts, progress, readWho(who))
  }

  /**
   * Redeems an execution with its outcome, once; the same again under its `resultKey`.
   * Errors: INVALID_TOOL_EXECUTION, TOOL_EXECUTION_NOT_FOUND, FORBIDDEN, TOOL_EXECUTION_MISMATCH leave it open;
   * TOOL_OUTPUT_LIMIT, INVALID_TOOL_OUTPUT use it up.
   */
  async completeTool(result: unknown, who: Who = {}): Promise<ToolResultReceipt> {
    const caller = readWho(who)
    const redeem = () => completeTool(this.#parts, result, caller)
    return await audited(this.#parts, 'execution', { body: result, who: caller }, redeem)
  }

  /** What became of an execution. Errors: TOOL_EXECUTION_NOT_FOUND, FORBIDDEN. */
  async executionStatus(executionId: string, who: Who = {}): Promise<ExecutionStatus> {
    return await executionStatus(this.#parts, executionId, readWho(who))
  }

  /** The executions that wait for the caller's results. */
  async pendingExecutions(filters: ExecutionFilters = {}, who: Who = {}): Promise<PendingExecutions> {
    return await pendingExecutions(this.#parts, filters, readWho(who))
  }

  /** The same as they come and go, of all runs of the caller, until the signal aborts. */
  executionEvents(who: Who, signal: AbortSignal): AsyncGenerator<ExecutionEvent, void, undefined> {
    checkSignal(signal, 'host.executionEvents()')
    return executionEvents(this.#parts, readWho(who), signal)
  }

  /** Records what became of a call whose outcome nobody saw. Errors: RUN_NOT_FOUND, CALL_NOT_FOUND, CALL_NOT_UNCERTAIN. */
  async reconcile(found: unknown, who: Who = {}): Promise<ReconcileReceipt> {
    return await reconcileCall(this.#parts, found, readWho(who))
  }

  /** Begins a conversation. Errors: SESSIONS_UNAVAILABLE, INVALID_SESSION, FORBIDDEN. */
  async createSession(session: unknown, who: Who = {}): Promise<SessionSnapshot> {
    return await createSession(this.#parts, session, readWho(who))
  }

  /** A conversation as it stands. Errors: SESSIONS_UNAVAILABLE, INVALID_SESSION, SESSION_NOT_FOUND, FORBIDDEN. */
  async readSession(session: unknown, who: Who = {}): Promise<SessionSnapshot> {
    return await readSession(this.#parts, session, readWho(who))
  }

  /** Removes a conversation for ever; its open run ends. Errors: as `readSession`. */
  async deleteSession(session: unknown, who: Who = {}): Promise<SessionDeleted> {
    return await deleteSession(this.#parts, session, readWho(who))
  }

  /** What this host does, how much of it, and for whom. */
  protocolInfo(who: Who = {}): ProtocolInfo {
    return protocolInfo(this.options, readWho(who))
  }

  /** The providers that the caller may use. */
  async providers(who: Who = {}): Promise<ProviderList> {
    return providerList(this.options, readWho(who))
  }

  /** Takes a place for a stream over the network; what it gives gives the place back. Errors: CONNECTION_CAPACITY. */
  takeStream(who: Who = {}): () => void {
    return this.#streams.take(readWho(who))
  }

  /** Takes up the runs that an earlier process left in the store, now and every ten seconds until `close`. */
  async recover(): Promise<void> {
    await this.runs.recover()
  }

  /**
   * Lets no new run in, ends those that end with their readers, and lets the others rest in the store; what is at work is
   * waited for, by default for ten seconds.
   */
  async close(options: { readonly graceMs?: number } = {}): Promise<void> {
    checkGiven(options, ['graceMs'], 'host.close()')
    const { graceMs = 10_000 } = options
    if (typeof graceMs !== 'number' || !(graceMs >= 0))
      throw new HostError('INVALID_REQUEST', 'host.close(): "graceMs" has to be milliseconds, 0 or more.')
    await this.runs.close(graceMs)
  }
}

async function resultOf(stream: RunStream): Promise<RunResult> {
  try {
    for await (const { event } of stream) {
      if (!isTerminal(event)) continue
      if (event.type === 'run.completed') return event.result
      throw hostErrorOf(event.error)
    }
  } catch (error) {
    throw isHostError(error) && error.code === 'HOST_SHUTTING_DOWN' ? resting(stream.runId, error) : error
  }
  throw new HostError('CANCELLED', 'The run was left before its end.')
}

/** Of a run that goes on in the next process of the host: asked for again it would be another one. */
function resting(runId: string, cause: unknown): HostError {
  const message = `The host is closing, and the run ${runId} goes on later; read it by its id.`
  return new HostError('HOST_SHUTTING_DOWN', message, { retryable: false, outcome: 'uncertain', cause })
}

/** Makes a host. Errors: INVALID_CONFIG. */
export function createHost(options: HostOptions): Host {
  return new Host(options)
}
