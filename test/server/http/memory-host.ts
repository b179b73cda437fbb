import type { JsonObject } from '../../../src/core/json/value.ts'
import { approvalDecisionBody } from '../../../src/protocol/approvals/approval-decision.ts'
import type { Body, BodyValue } from '../../../src/protocol/body.ts'
import { wireBounds } from '../../../src/protocol/bounds.ts'
import type { WireErrorCode } from '../../../src/protocol/errors.ts'
import { HostError } from '../../../src/protocol/host-error.ts'
import { faultSentence, parseBody } from '../../../src/protocol/parse-body.ts'
import { reconcileRequestBody } from '../../../src/protocol/run/reconcile-request.ts'
import { runRequestBody } from '../../../src/protocol/run/run-request.ts'
import type { RunStatus } from '../../../src/protocol/run/run-status.ts'
import {
  sessionCreateBody,
  sessionDeleteBody,
  sessionReadBody,
} from '../../../src/protocol/sessions/session-request.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import type { ExecutionEvent } from '../../../src/protocol/tool-executions/execution-event.ts'
import { toolProgressBody } from '../../../src/protocol/tool-executions/tool-progress.ts'
import { toolResultBody } from '../../../src/protocol/tool-executions/tool-result.ts'
import type { HostApi, RunEvents } from '../../../src/server/http/host-api.ts'
import { OpenStreams } from '../../../src/server/runs/open-streams.ts'
import { mayUseProvider, subjectOf, type Who } from '../../../src/server/who.ts'

type Said = { event: RunEvent; id: string }

/** A run that a test plays: what it says is what the test says. */
export class PlayedRun implements RunEvents {
  readonly runId: string
  readonly subject: string
  readonly request: JsonObject
  isClosed = false
  /** How many events were taken from it. */
  taken = 0
  readonly #said: Said[] = []
  #isEnded = false
  #fault: unknown
  #wake = Promise.withResolvers<void>()

  constructor(runId: string, subject: string, request: JsonObject) {
    this.runId = runId
    this.subject = subject
    this.request = request
    this.say({ type: 'run.started', provider: 'docs', model: 'small' })
  }

  say(content: object): void {
    const sequence = this.#said.length + 1
    const event = { runId: this.runId, sequence, timestamp: '2026-01-01T00:00:00Z', ...content } as RunEvent
    this.#said.push({ event, id: `${sequence}.${sequence}.0` })
    this.#wake.resolve()
  }

  complete(): void {
    const usage = {}
    const result = { runId: this.runId, provider: 'docs', model: 'small', text: 'Done.', usage, steps: 1 }
    this.say({ type: 'run.completed', result: { ...result, finishReason: 'stop' } })
  }

  end(): void {
    this.#isEnded = true
    this.#wake.resolve()
  }

  /** Breaks as no run of a host should. */
  fail(fault: unknown): void {
    this.#fault = fault
    this.#wake.resolve()
  }

  close(): void {
    this.isClosed = true
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Said, void> {
    for (;;) {
      const next = this.#said[this.taken]
      if (this.isClosed) return
      if (next !== undefined) {
        this.taken += 1
        yield next
      } else if (this.#fault !== undefined) throw this.#fault
      else if (this.#isEnded) return
      else {
        this.#wake = Promise.withResolvers()
        await this.#wake.promise
      }
    }
  }
}

function checked<Of extends Body<object>>(body: Of, code: WireErrorCode, value: unknown): BodyValue<Of> {
  const result = parseBody<object>(body, value)
  if (!result.ok) throw new HostError(code, faultSentence(result.faults))
  return result.value as BodyValue<Of>
}

/** A host without a model: it checks shapes and ids as a host has to, and its runs say what a test lets them say. */
export class MemoryHost implements HostApi {
  readonly runs = new Map<string, PlayedRun>()
  readonly asked: { readonly what: string; readonly who: Who; readonly given?: unknown }[] = []
  readonly work: ExecutionEvent[] = []
  /** Makes any method fail in a way that no host should. */
  fault: unknown
  streams = new OpenStreams()
  recovering: Promise<void> = Promise.resolve()
  closed = 0

  async startRun(request: unknown, who: Who): Promise<PlayedRun> {
    const body = checked(runRequestBody, 'INVALID_REQUEST', request)
    this.#note('startRun', who, body)
    if (!mayUseProvider(who, body.provider)) throw new HostError('FORBIDDEN')
    if (body.provider !== 'docs') throw new HostError('UNKNOWN_PROVIDER')
    if (body.input === 'too much') throw new HostError('BUSY')
    const run = new PlayedRun(`run-${this.runs.size + 1}`, subjectOf(who), body as unknown as JsonObject)
    this.runs.set(run.runId, run)
    return run
  }

  async run(request: unknown, who: Who & { readonly signal?: AbortSignal }) {
    if (typeof request === 'object' && request !== null && 'applicationTools' in request)
      throw new HostError('TOOL_STREAM_REQUIRED')
    const { runId } = await this.startRun(request, who)
    if ((request as { input: string }).input === 'wait')
      await new Promise<void>((_, reject) => {
        who.signal?.addEventListener('abort', () => {
          this.#note('aborted', who)
          reject(new HostError('CANCELLED'))
        })
      })
    const result = { runId, provider: 'docs', model: 'small', text: 'Done.', usage: {}, steps: 1 }
    return { ...result, finishReason: 'stop' as const }
  }

  async followRun(runId: string, lastEventId: string | undefined, who: Who) {
    this.#note('followRun', who, lastEventId)
    return this.#run(runId, who)
  }

  async cancelRun(runId: string, who: Who, reason?: string) {
    this.#note('cancelRun', who, reason)
    return await this.runStatus(runId, who)
  }

  async runStatus(runId: string, who: Who): Promise<RunStatus> {
    this.#note('runStatus', who)
    this.#run(runId, who)
    const lists = { pendingApprovals: [], pendingExecutions: [], uncertainCalls: [] }
    const startedAt = '2026-01-01T00:00:00Z'
    return { runId, provider: 'docs', model: 'small', status: 'running', startedAt, ...lists }
  }

  async listRuns(filters: object, who: Who) {
    this.#note('listRuns', who, filters)
    return { runs: [] }
  }

  async decideApproval(body: unknown, who: Who): Promise<never> {
    this.#note('decideApproval', who, checked(approvalDecisionBody, 'INVALID_APPROVAL', body))
    throw new HostError('APPROVAL_NOT_FOUND')
  }

  async approvals(filters: object, who: Who) {
    this.#note('approvals', who, filters)
    return { approvals: [] }
  }

  async deleteRun(runId: string, who: Who) {
    this.#note('deleteRun', who, runId)
    this.#run(runId, who)
    return { runId, deleted: true as const }
  }

  async reportToolProgress(body: unknown, who: Who) {
    const { executionId, runId, callId } = checked(toolProgressBody, 'INVALID_TOOL_EXECUTION', body)
    this.#note('reportToolProgress', who, body)
    this.#execution(runId, who)
    return { executionId, runId, callId, status: 'progress' as const }
  }

  async completeTool(body: unknown, who: Who) {
    const { executionId, runId, callId } = checked(toolResultBody, 'INVALID_TOOL_EXECUTION', body)
    this.#note('completeTool', who, body)
    this.#execution(runId, who)
    return { executionId, runId, callId, status: 'accepted' as const }
  }

  async executionStatus(_executionId: string, who: Who): Promise<never> {
    this.#note('executionStatus', who)
    throw new HostError('TOOL_EXECUTION_NOT_FOUND')
  }

  async pendingExecutions(filters: object, who: Who) {
    this.#note('pendingExecutions', who, filters)
    if (who.access?.applicationTools.length === 0) throw new HostError('FORBIDDEN')
    return { executions: [] }
  }

  async *executionEvents(_who: Who, signal: AbortSignal): AsyncGenerator<ExecutionEvent, void> {
    yield* this.work
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }

  takeStream(who: Who) {
    return this.streams.take(who)
  }

  async reconcile(body: unknown, who: Who): Promise<never> {
    this.#note('reconcile', who, checked(reconcileRequestBody, 'INVALID_REQUEST', body))
    throw new HostError('CALL_NOT_FOUND')
  }

  async createSession(body: unknown, who: Who): Promise<never> {
    this.#note('createSession', who, checked(sessionCreateBody, 'INVALID_SESSION', body))
    throw new HostError('SESSIONS_UNAVAILABLE')
  }

  async readSession(body: unknown, who: Who): Promise<never> {
    this.#note('readSession', who, checked(sessionReadBody, 'INVALID_SESSION', body))
    throw new HostError('SESSION_NOT_FOUND')
  }

  async deleteSession(body: unknown, who: Who): Promise<never> {
    this.#note('deleteSession', who, checked(sessionDeleteBody, 'INVALID_SESSION', body))
    throw new HostError('SESSION_NOT_FOUND')
  }

  protocolInfo(who: Who) {
    this.#note('protocolInfo', who)
    const lists = { supportedVersions: ['1.0'], features: ['event-stream'], dialects: [] }
    const limits = { ...wireBounds }
    return { protocol: 'toolpost' as const, version: '1.0', ...lists, limits, grants: who.access! }
  }

  async providers(who: Who) {
    this.#note('providers', who)
    const docs = { provider: 'docs', models: ['small'], modelsComplete: true, capabilities: {} }
    const providers = [{ ...docs, health: { status: 'unknown' as const } }]
    return { providers: providers.filter(({ provider }) => mayUseProvider(who, provider)) }
  }

  async recover(): Promise<void> {
    await this.recovering
  }

  async close(): Promise<void> {
    this.closed += 1
    for (const run of this.runs.values())
      if (!run.isClosed) {
        run.say({ type: 'run.cancelled', error: { code: 'CANCELLED', message: 'Over.', retryable: false } })
      }
  }

  #run(runId: string, who: Who): PlayedRun {
    const run = this.runs.get(runId)
    if (run === undefined || run.subject !== subjectOf(who)) throw new HostError('RUN_NOT_FOUND')
    return run
  }

  #execution(runId: string, who: Who): void {
    if (this.runs.get(runId)?.subject !== subjectOf(who)) throw new HostError('TOOL_EXECUTION_NOT_FOUND')
  }

  #note(what: string, who: Who, given?: unknown): void {
    if (this.fault !== undefined) throw this.fault
    this.asked.push({ what, who, ...(given === undefined ? {} : { given }) })
  }
}
