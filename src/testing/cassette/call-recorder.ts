import type { CallOutcome, Event, EventOf, RecordedDecision } from '../../core/event.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import type { Cassette, CassetteAsk, CassetteCall, CassetteDecision, CassetteOutcome } from './cassette.ts'
import type { Open } from './open.ts'

/** A call of a recording with its place: run, step and call, from 1. */
interface PlacedCall {
  readonly place: string
  readonly value: Open<CassetteCall>
}

/** Records what becomes of calls, each at its place, and adds it to the order. */
export class CallRecorder {
  readonly #order: string[]
  readonly #texts: ReadonlyMap<string, string>
  readonly #below: ReadonlyMap<string, Cassette>
  readonly #calls = new Map<string, PlacedCall>()
  readonly #asks = new Map<string, Open<CassetteAsk>>()
  readonly #edits = new Map<string, string>()

  constructor(order: string[], texts: ReadonlyMap<string, string>, below: ReadonlyMap<string, Cassette>) {
    this.#order = order
    this.#below = below
    this.#texts = texts
  }

  propose(
    place: string,
    { call: id, name, argumentsText, accepted }: EventOf<'call.proposed'>,
  ): Open<CassetteCall> {
    const value: Open<CassetteCall> = { id, name, argumentsText, asks: [] }
    if (accepted !== undefined) {
      const { args, digest, version } = accepted
      Object.assign(value, { argsJson: stringifyJson(args), digest, version })
    }
    this.#calls.set(id, { place, value })
    return value
  }

  add(event: Event): void {
    const call = 'call' in event && event.call !== undefined ? this.#calls.get(event.call) : undefined
    if (call === undefined) return
    if (event.type.startsWith('approval.')) this.#asked(call, event)
    else if (event.type.startsWith('input.')) this.#wanted(call, event)
    else if (event.type === 'call.started') this.#started(call, event)
    else if (event.type === 'child.started') this.#parent(call, event)
    else if (event.type === 'call.refused') this.#refused(call, event)
    else if (event.type === 'call.cancelled') this.#cancelled(call, event)
    else this.#ended(call, event)
  }

  #started({ value, place }: PlacedCall, { attempt, decision }: EventOf<'call.started'>): void {
    // Later claims follow a crash, and a replay has none.
    if (attempt > 1) return
    // A call that asked counts as one that asks, also when the answer is remembered by now.
    if (value.asks.length === 0) value.decision = decisionOf(decision)
    this.#order.push(`start ${place}`)
  }

  #parent({ value }: PlacedCall, { agent, kind, session }: EventOf<'child.started'>): void {
    const cassette = this.#below.get(session)
    const child =
      cassette === undefined ? { agent, kind } : { agent, kind, cassette: cassette as Open<Cassette> }
    value.children = [...(value.children ?? []), child]
  }

  #refused({ value, place }: PlacedCall, event: EventOf<'call.refused'>): void {
    const { code, category, message, decision } = event
    value.outcome = { status: 'refused', code, message, ...(category === undefined ? {} : { category }) }
    // A no to an ask, which stands in the order already.
    if (code === 'declined') return
    if (decision !== undefined) value.decision = decisionOf(decision)
    else if (value.decision === undefined) value.decision = { verdict: 'refused', reason: message }
    this.#order.push(`start ${place}`)
  }

  #cancelled({ value, place }: PlacedCall, { message }: EventOf<'call.cancelled'>): void {
    value.outcome = { status: 'cancelled', message }
    const close = `close ${place.split('.')[0]}`
    if (this.#order.at(-1) !== close) this.#order.push(close)
  }

  #ended({ value, place }: PlacedCall, event: Event): void {
    if (event.type === 'call.completed' || event.type === 'call.failed') {
      value.outcome = this.#outcome(event.outcome)
      this.#order.push(`end ${place}`)
    }
    if (event.type === 'call.late') {
      value.late = this.#outcome(event.outcome)
      this.#order.push(`late ${place}`)
    }
    if (event.type === 'call.reconciled') {
      const { found, note, by } = event
      value.found = { found, by: { ...by }, ...(note === undefined ? {} : { note }) }
      this.#order.push(`found ${place}`)
    }
  }

  #asked({ value, place }: PlacedCall, event: Event): void {
    if (event.type === 'approval.requested') {
      const ask = { reason: event.decision.reason }
      value.decision = decisionOf(event.decision)
      value.asks.push(ask)
      this.#asks.set(event.ticket, ask)
      this.#order.push(`start ${place}`)
    }
    if (event.type === 'approval.edited') {
      const editedJson = stringifyJson(event.args)
      Object.assign(value, { argsJson: editedJson, digest: event.to })
      this.#edits.set(event.ticket, editedJson)
    }
    if (event.type === 'approval.decided') this.#answered(place, event)
  }

  #wanted({ value, place }: PlacedCall, event: Event): void {
    if (event.type === 'input.requested') {
      const ask: Open<CassetteAsk> = { reason: event.decision.reason, input: true }
      value.decision ??= decisionOf(event.decision)
      value.asks.push(ask)
      this.#asks.set(event.ticket, ask)
      this.#order.push(`start ${place}`)
    }
    if (event.type !== 'input.given' && event.type !== 'input.declined') return
    const ask = this.#asks.get(event.ticket)
    const facts = { scope: 'once', by: { ...event.by } } as const
    if (ask === undefined) return
    if (event.type === 'input.given')
      ask.answer = { approved: true, ...facts, inputJson: stringifyJson(event.value) }
    else ask.answer = { approved: false, ...facts, ...reasonOf(event) }
    if (ask.answer.category !== 'cancelled') this.#order.push(`answer ${place}`)
  }

  #answered(place: string, event: EventOf<'approval.decided'>): void {
    const { ticket, approved, scope, by, wished, category } = event
    const ask = this.#asks.get(ticket)
    if (ask === undefined) return
    const editedJson = this.#edits.get(ticket)
    ask.answer = {
      approved,
      scope,
      by: { ...by },
      ...(wished === undefined ? {} : { wished }),
      ...reasonOf(event),
      ...(editedJson === undefined ? {} : { editedJson }),
    }
    // Asks that the end of their run closes are answered by nobody.
    if (category !== 'cancelled') this.#order.push(`answer ${place}`)
  }

  #outcome(outcome: CallOutcome): Open<CassetteOutcome> {
    if (outcome.status === 'failed') return { ...outcome }
    const { status, kind, text, control, value } = outcome
    const extra = {
      ...(control === undefined ? {} : { control }),
      ...(value === undefined ? {} : { valueJson: stringifyJson(value) }),
    }
    if ('inline' in text) return { status, kind, text: text.inline, ...extra }
    const { blob: handle, bytes, preview: shown } = text
    return { status, kind, text: this.#texts.get(handle) ?? shown, large: { handle, bytes, shown }, ...extra }
  }
}

function decisionOf({ verdict, reason }: RecordedDecision): CassetteDecision {
  return { verdict, reason }
}

function reasonOf({ reason, category }: { readonly reason?: string; readonly category?: string }) {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(category === undefined ? {} : { category }),
  }
}
