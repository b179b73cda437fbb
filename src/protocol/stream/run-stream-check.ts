import { parseJson } from '../../core/json/strict.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { type Body, defineBody } from '../body.ts'
import { wireBounds } from '../bounds.ts'
import { HostError } from '../host-error.ts'
import { type BodyResult, faultSentence, parseBody } from '../parse-body.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { RunResult } from '../run/run-result.ts'
import type { ToolExecution } from '../tool-executions/tool-execution.ts'
import type { StreamFrame } from './event-stream-parser.ts'
import { isTerminal, type RunEvent } from './run-event.ts'
import { eventEnvelopeSchema, isRunEventType, runEventBodies } from './run-event-schema.ts'

/** What a reader knows of a run before its stream begins. */
export interface ExpectedRun {
  /** What was asked for; without it nothing is held against the request. */
  readonly request?: RunRequest
  /** Known when the stream is of a run that began earlier. */
  readonly runId?: string
  /** The last sequence that was read before; the stream begins behind it. Absent = it begins at 1. */
  readonly after?: number
}

interface EventEnvelope {
  readonly type: string
  readonly runId: string
  readonly sequence: number
  readonly timestamp: string
  readonly optional?: boolean
}

const envelopeBody = defineBody<EventEnvelope>('EventEnvelope', eventEnvelopeSchema)

/**
 * Holds a run's stream against the rules that every client keeps (application-tools-details 1.8), one frame after the
 * other, so that an application never acts on a stream that is not what it asked for.
 */
export class RunStreamCheck {
  private readonly request: RunRequest | undefined
  private readonly executions = new Set<string>()
  private readonly executedCalls = new Set<string>()
  private started: { readonly provider: string; readonly model: string } | undefined
  private mayJump: boolean
  private ended = false
  private run: string | undefined
  private last: number

  constructor(expected: ExpectedRun = {}) {
    this.request = expected.request
    this.run = expected.runId
    this.last = expected.after ?? 0
    this.mayJump = this.last > 0
    if (expected.request !== undefined) this.started = expected.request
  }

  /** Whether the terminal event was read. */
  get isEnded(): boolean {
    return this.ended
  }

  /** The run's id; undefined before the first event, unless it was expected. */
  get runId(): string | undefined {
    return this.run
  }

  /** The sequence of the last event that was read, skipped ones included; 0 before the first. */
  get sequence(): number {
    return this.last
  }

  /** The connection was made anew: the next event may be any later one. */
  resume(): void {
    this.mayJump = this.last > 0
  }

  /**
   * Reads an event; undefined when it is optional, of a type that is not known, and skipped for that.
   * Throws INVALID_STREAM when it breaks a rule, UNSUPPORTED_EVENT when it can neither be read nor skipped.
   */
  accept(frame: StreamFrame): RunEvent | undefined {
    const json = parseFrame(frame)
    const envelope = this.follow(parsed(parseBody(envelopeBody, json)))
    if (!isRunEventType(envelope.type)) {
      if (envelope.optional === true) return undefined
      throw new HostError('UNSUPPORTED_EVENT', 'The stream has an event of a type that is not known.')
    }
    const body: Body<RunEvent> = runEventBodies[envelope.type]
    const event = parsed(parseBody(body, json))
    this.check(event)
    this.ended = isTerminal(event)
    return event
  }

  /** Says that the stream has ended. Throws INCOMPLETE_STREAM when the run had not. */
  end(): void {
    if (!this.ended) throw new HostError('INCOMPLETE_STREAM', 'The stream ended before its run did.')
  }

  private follow(envelope: EventEnvelope): EventEnvelope {
    const { type, runId, sequence } = envelope
    if (this.ended) invalid('An event follows the last one')
    const isNext = this.mayJump ? sequence > this.last : sequence === this.last + 1
    if (!isNext) invalid(`The event has sequence ${sequence} after ${this.last}`)
    if ((sequence === 1) !== (type === 'run.started')) invalid('run.started is the first event and no other')
    if (this.run !== undefined && this.run !== runId) invalid('The event is of another run')
    this.run = runId
    this.last = sequence
    this.mayJump = false
    return envelope
  }

  private check(event: RunEvent): void {
    if (event.type === 'run.started') this.start(event)
    if (event.type === 'approval.requested') this.approval(event.approval.runId, event.approval.idlePolicy)
    if (event.type === 'approval.resolved') this.approval(event.resolution.runId)
    if (event.type === 'tool.execution.requested') this.execution(event.execution)
    if (event.type === 'run.completed') this.result(event.result)
  }

  private start({ provider, model }: { readonly provider: string; readonly model: string }): void {
    const asked = this.started ?? { provider, model }
    if (asked.provider !== provider || asked.model !== model)
      invalid('Another provider or model was asked for')
    this.started = { provider, model }
  }

  private approval(runId: string, idlePolicy?: string): void {
    if (this.request !== undefined && this.request.approvals === undefined) {
      throw new HostError(
        'UNSUPPORTED_EVENT',
        'An approval is asked for, and the request has no `approvals`.',
      )
    }
    if (runId !== this.run) invalid('The approval is of another run')
    const policy = this.request?.approvals?.idlePolicy ?? idlePolicy
    if (idlePolicy !== undefined && idlePolicy !== policy) invalid('The approval has another idle policy')
  }

  private execution({ executionId, runId, call }: ToolExecution): void {
    if (this.request !== undefined) checkSelected(this.request, call.name)
    if (runId !== this.run) invalid('The execution is of another run')
    if (this.executions.has(executionId)) invalid('An execution is requested twice')
    if (this.executedCalls.has(call.id)) invalid('A call is to be executed twice')
    if (this.executions.size >= wireBounds.executionsMax) invalid('The run has too many executions')
    this.executions.add(executionId)
    this.executedCalls.add(call.id)
  }

  private result({ runId, provider, model }: RunResult): void {
    if (runId !== this.run) invalid('The result is of another run')
    const { started } = this
    if (started === undefined) return
    if (started.provider !== provider || started.model !== model) invalid('The result is of another model')
  }
}

function checkSelected({ tools = [], applicationTools }: RunRequest, name: string): void {
  if (applicationTools === undefined) {
    const text = 'A function is to be executed, and the request has no `applicationTools`.'
    throw new HostError('UNSUPPORTED_EVENT', text)
  }
  const isDeclared = applicationTools.some((tool) => tool.name === name)
  if (!isDeclared || !tools.includes(name)) invalid('The function was not declared and selected')
}

function parseFrame({ data }: StreamFrame): JsonValue {
  const json = parseJson(data, { bytesMax: wireBounds.frameBytesMax, depthMax: 128, membersMax: 1_000_000 })
  return json.ok ? json.value : invalid(json.fault.message)
}

function parsed<Value>(result: BodyResult<Value>): Value {
  return result.ok ? result.value : invalid(faultSentence(result.faults).slice(0, -1))
}

function invalid(what: string): never {
  throw new HostError('INVALID_STREAM', `The stream breaks the protocol: ${what}.`)
}
