import type { Event, EventOf } from '../../core/event.ts'
import type { Progress } from '../../core/executor.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { SessionState } from '../../core/run/state.ts'
import type { StoredEvent } from '../../core/store.ts'
import { formatEventId } from '../../protocol/stream/event-id.ts'
import type { RunEvent } from '../../protocol/stream/run-event.ts'
import { callFailureCode, endingOf, publicMessage } from './ending.ts'
import { resultOf } from './run-result.ts'
import { approvalOf, isShownAsk, resolutionOf } from './wire-approvals.ts'
import { WireCalls } from './wire-calls.ts'
import type { WireRun } from './wire-run.ts'

/** One event of a stream with the id that a reader comes back with. */
export interface SentEvent {
  readonly event: RunEvent
  readonly id: string
}

/** A piece of the text of a step, and where in it. */
export interface TextPiece {
  readonly delta: string
  readonly step: number
  /** UTF-16 code units of the step before it. */
  readonly offset: number
}

/** What the writer looks up. */
export interface WriterParts {
  readonly run: WireRun
  /** The newest fold of the session. */
  readonly state: () => SessionState
  /** Reads what a call gave. */
  readonly readOutput: (outcome: EventOf<'call.completed'>['outcome']) => Promise<JsonValue>
  /** Leaves out what only the first reader may act on: a replay asks nobody and hands nothing out. */
  readonly isReplay?: boolean
}

type Body = RunEvent extends infer One
  ? One extends RunEvent
    ? Omit<One, 'runId' | 'sequence' | 'timestamp'>
    : never
  : never

/**
 * Writes a run's log as the events of the wire, one log event after the other, with deltas between them. It holds what
 * one stream needs and no more, so that a stream can begin anywhere: what is before a place is noted, and not sent.
 */
export class WireWriter {
  readonly #parts: WriterParts
  readonly #calls = new WireCalls()
  #sequence: number
  #logSequence = 0
  /** How much of the text of the step that is being written the reader has. */
  #textOffset = 0
  #startedStep = 0
  readonly #asked = new Set<string>()
  /** Asks that the log was read past, and asks that were brought before that. */
  readonly #noted = new Set<string>()
  readonly #brought = new Set<string>()
  /** Asks that nobody has decided, in the order of the log. */
  readonly #open = new Set<string>()
  #step = 0
  #showsOpen = false
  /** Proposals of a step that ends the run if one of them does not pass. */
  #heldBodies: { readonly body: Body; readonly at: number; readonly log: number }[] = []

  /** `sequence` is the number of the last event that the reader has seen. */
  constructor(parts: WriterParts, sequence = 0) {
    this.#parts = parts
    this.#sequence = sequence
  }

  /** The last log event that was taken in. */
  get logSequence(): number {
    return this.#logSequence
  }

  /** Takes an event in that the reader has seen. */
  skip({ event, sequence }: Pick<StoredEvent, 'event' | 'sequence'>): void {
    this.#calls.note(event)
    this.#noteAsk(event)
    this.#logSequence = sequence
    // Whoever was told how an ask ended was told of it.
    if (event.type === 'approval.decided') this.#asked.add(event.ticket)
    if (event.type === 'message.added' && event.message.role === 'assistant')
      this.#nextStep(event.message.step)
  }

  /** What the reader has beyond the log, by the number in the id of the last event that he has seen. */
  startAt(beyondLog: number): void {
    if (this.#open.size > 0) {
      for (const [index, ticket] of [...this.#open].entries())
        if (Math.floor(beyondLog / 2 ** index) % 2 === 1) this.#asked.add(ticket)
    } else if (beyondLog > 0) {
      this.#startedStep = this.#step + 1
      this.#textOffset = beyondLog - 1
    }
  }

  /** What an event of the log is on the wire. */
  async write({
    event,
    sequence,
    at,
  }: Pick<StoredEvent, 'event' | 'sequence' | 'at'>): Promise<readonly SentEvent[]> {
    this.#calls.note(event)
    this.#noteAsk(event)
    const sent: SentEvent[] = []
    if (event.type === 'call.proposed') {
      this.#logSequence = sequence
      this.#hold(event, at)
      return []
    }
    const isDropped = event.type === 'call.refused' && this.#endsTheRun(event)
    if (isDropped) this.#heldBodies = []
    else this.#release(sent)
    const bodies = await this.#bodies(event)
    // A reader who is cut off before the last of them gets the others of this event too.
    for (const body of bodies.slice(0, -1)) sent.push(this.#send(body, at))
    this.#logSequence = sequence
    if (event.type === 'message.added' && event.message.role === 'assistant')
      this.#nextStep(event.message.step)
    for (const body of bodies.slice(-1)) sent.push(this.#send(body, at))
    return sent
  }

  /** A piece of the model's text, as it comes; what the reader has of it, from a model that was asked again, is left out. */
  text({ delta, step, offset }: TextPiece, now: number): readonly SentEvent[] {
    if (step <= this.#step) return []
    const sent = this.#startStep(now)
    const rest = delta.slice(Math.max(0, this.#textOffset - offset))
    if (rest === '') return sent
    this.#textOffset += rest.length
    return [...sent, this.#send({ type: 'text.delta', text: rest }, now)]
  }

  /** What a tool says of its work. */
  progress(call: string, progress: Progress & { readonly output?: JsonValue }, now: number): SentEvent {
    return this.#send(
      { type: 'run.progress', phase: 'tool', callId: this.#calls.get(call).id, ...progress },
      now,
    )
  }

  /** Asks are before people as soon as they are in the log. */
  showOpen(): void {
    this.#showsOpen = true
  }

  /** An ask that is brought before people, once. */
  ask(ticket: string, now: number): readonly SentEvent[] {
    // It may be brought before its place in the log is reached.
    if (!this.#noted.has(ticket)) this.#brought.add(ticket)
    else return this.#askOnce(ticket).map((body) => this.#send(body, now))
    return []
  }

  #askOnce(ticket: string): readonly Body[] {
    const approval = this.#asked.has(ticket)
      ? undefined
      : approvalOf(this.#parts.run, this.#parts.state(), ticket)
    if (approval === undefined) return []
    this.#asked.add(ticket)
    return [{ type: 'approval.requested', approval }]
  }

  #noteAsk(event: Event): void {
    if (event.type === 'approval.requested') {
      this.#noted.add(event.ticket)
      this.#open.add(event.ticket)
    }
    if (event.type === 'approval.decided') this.#open.delete(event.ticket)
  }

  /** While asks are open, which of them were told, bit by bit; else 1 and the text of the step that has begun. */
  #beyondLog(): number {
    const isBegun = this.#startedStep > this.#step
    if (this.#open.size === 0) return isBegun ? 1 + this.#textOffset : 0
    return [...this.#open].reduce((sum, ticket, at) => sum + (this.#asked.has(ticket) ? 2 ** at : 0), 0)
  }

  #startStep(now: number): readonly SentEvent[] {
    const step = this.#step + 1
    if (this.#startedStep >= step) return []
    this.#startedStep = step
    return [this.#send({ type: 'step.started', step }, now)]
  }

  #nextStep(step: number): void {
    this.#step = step
    this.#textOffset = 0
  }

  #hold(event: EventOf<'call.proposed'>, at: number): void {
    if (event.accepted === undefined) return
    const body: Body = { type: 'tool.called', call: this.#calls.get(event.call) }
    this.#heldBodies.push({ body, at, log: this.#logSequence })
  }

  #release(sent: SentEvent[]): void {
    for (const { body, at, log } of this.#heldBodies) sent.push(this.#send(body, at, log))
    this.#heldBodies = []
  }

  /** In a strict run, a step with a call that does not pass proposes nothing. */
  #endsTheRun({ code }: EventOf<'call.refused'>): boolean {
    return this.#isStrict && code !== 'denied' && code !== 'declined'
  }

  get #isStrict(): boolean {
    return this.#parts.run.request.onToolFailure === 'fail'
  }

  async #bodies(event: Event): Promise<readonly Body[]> {
    const { run, state } = this.#parts
    switch (event.type) {
      case 'run.started':
        return event.run === run.runId
          ? [{ type: 'run.started', provider: run.request.provider, model: run.request.model }]
          : []
      case 'message.added':
        return event.message.role === 'assistant' ? this.#messageBodies(event.message) : []
      case 'usage.recorded':
        return [{ type: 'usage.reported', step: event.step, usage: event.usage }]
      case 'approval.requested':
        return this.#askBodies(event.ticket)
      case 'approval.decided':
        if (!this.#showsAsks || !isShownAsk(state(), event.ticket)) return []
        return [
          ...this.#askOnce(event.ticket),
          { type: 'approval.resolved', resolution: resolutionOf(run, state(), event.ticket) },
        ]
      case 'execution.requested': {
        if (this.#parts.isReplay === true) return []
        const execution = { executionId: event.ticket, runId: run.runId, call: this.#calls.get(event.call) }
        return [{ type: 'tool.execution.requested', execution }]
      }
      case 'call.completed':
        return [
          {
            type: 'tool.completed',
            callId: this.#calls.get(event.call).id,
            output: await this.#parts.readOutput(event.outcome),
          },
        ]
      case 'call.failed':
      case 'call.refused':
      case 'call.cancelled':
        return this.#failedBodies(event.call)
      case 'run.ended':
        return event.run === run.runId ? [this.#endBody(event)] : []
      default:
        return []
    }
  }

  get #showsAsks(): boolean {
    return this.#parts.run.request.approvals !== undefined && this.#parts.isReplay !== true
  }

  /** Asks that are open are shown by whoever brings them before people; those that are closed were. */
  #askBodies(ticket: string): readonly Body[] {
    const { state } = this.#parts
    const isOver = state().tickets.get(ticket)?.decided !== undefined && isShownAsk(state(), ticket)
    const isBefore = isOver || this.#showsOpen || this.#brought.has(ticket)
    return this.#showsAsks && isBefore ? this.#askOnce(ticket) : []
  }

  #messageBodies(message: {
    readonly step: number
    readonly parts: readonly { readonly kind: string }[]
  }): readonly Body[] {
    const bodies: Body[] = []
    if (this.#startedStep < message.step) bodies.push({ type: 'step.started', step: message.step })
    this.#startedStep = message.step
    const whole = message.parts
      .map((part) => ('text' in part && part.kind === 'text' ? String(part.text) : ''))
      .join('')
    const rest = whole.slice(this.#textOffset)
    if (rest !== '') bodies.push({ type: 'text.delta', text: rest })
    return bodies
  }

  #failedBodies(id: string): readonly Body[] {
    const call = this.#parts.state().calls.get(id)
    const code = call && callFailureCode(call)
    if (this.#isStrict || call?.end === undefined || code === undefined) return []
    const { id: callId, name } = this.#calls.get(id)
    const message = publicMessage(code, 'message' in call.end ? call.end.message : '')
    const outcome = code === 'TOOL_OUTCOME_UNCERTAIN' ? { outcome: 'uncertain' as const } : {}
    return [{ type: 'tool.failed', optional: true, callId, name, code, message, ...outcome }]
  }

  #endBody(event: EventOf<'run.ended'>): Body {
    const { run, state } = this.#parts
    const folded = state().runs.get(run.runId)
    if (folded === undefined) throw new Error(`The run ${run.runId} is not in its session.`)
    const ending = endingOf(state(), folded, event)
    if (ending.type !== 'run.completed') return ending
    return { type: 'run.completed', result: resultOf(run, state(), folded, ending.finishReason) }
  }

  #send(body: Body, at: number, log = this.#logSequence): SentEvent {
    this.#sequence += 1
    const envelope = {
      runId: this.#parts.run.runId,
      sequence: this.#sequence,
      timestamp: new Date(at).toISOString(),
    }
    const id = formatEventId({ sequence: this.#sequence, logSequence: log, beyondLog: this.#beyondLog() })
    return { event: { ...body, ...envelope } as RunEvent, id }
  }
}
