import { handedInModel } from '../../agent/foreign-step.ts'
import type { AssistantPart } from '../../core/driver.ts'
import type { Event, EventOf } from '../../core/event.ts'
import { stringifyJson } from '../../core/json/stringify.ts'
import type { JsonValue } from '../../core/json/value.ts'
import { CallRecorder } from './call-recorder.ts'
import type { Cassette, CassettePart, CassetteRun, CassetteStep } from './cassette.ts'
import { cassetteFormat } from './cassette.ts'
import type { Open } from './open.ts'

interface PlacedRun {
  /** From 1. */
  readonly place: string
  readonly value: Open<CassetteRun>
}

/** Puts a cassette together from a session's log, event by event. */
export class Recorder {
  readonly #runs = new Map<string, PlacedRun>()
  readonly #tools = new Map<string, { name: string; version: string }>()
  readonly #order: string[] = []
  readonly #calls: CallRecorder
  readonly #head: Pick<Cassette, 'agent' | 'session' | 'subject' | 'mode'>
  #offered: EventOf<'tools.offered'>['tools'] = []

  /** `texts` has the whole of each large result by its handle, `below` the recordings of child runs by their sessions. */
  constructor(
    started: EventOf<'session.started'>,
    texts: ReadonlyMap<string, string>,
    below: ReadonlyMap<string, Cassette>,
  ) {
    const { agent, session, subject, mode } = started
    this.#head = { agent, session, subject, ...(mode === undefined ? {} : { mode }) }
    this.#calls = new CallRecorder(this.#order, texts, below)
  }

  get cassette(): Cassette {
    const runs = [...this.#runs.values()].map(({ value }) => value as CassetteRun)
    const tools = [...this.#tools.values()]
    return { format: cassetteFormat, ...this.#head, tools, runs, order: this.#order }
  }

  add(event: Event, at: number): void {
    if (event.type === 'mode.changed') this.#order.push(`mode ${event.mode}`)
    else if (event.type === 'tools.offered') this.#offered = event.tools
    else if (event.type === 'run.started') this.#begin(event, at)
    else if (!('run' in event) || event.run === undefined) this.#calls.add(event)
    else this.#ofRun(event, this.#runs.get(event.run))
  }

  #begin({ run: id, model }: EventOf<'run.started'>, at: number): void {
    const place = String(this.#runs.size + 1)
    this.#runs.set(id, { place, value: { id, at, model, steps: [] } })
    this.#order.push(`run ${place}`)
  }

  #ofRun(event: Event, run: PlacedRun | undefined): void {
    if (run === undefined) return
    if (event.type === 'message.added') this.#said(run, event)
    if (event.type === 'call.proposed') this.#proposed(run, event)
    if (event.type === 'child.started') this.#calls.add(event)
    if (event.type === 'run.ended') this.#over(run, event)
    // An answer that was discarded has used its tokens too, and is no step.
    const step = event.type === 'usage.recorded' ? run.value.steps[event.step - 1] : undefined
    if (event.type === 'usage.recorded' && step !== undefined) step.usage = { ...event.usage }
  }

  #said(run: PlacedRun, { message }: EventOf<'message.added'>): void {
    if (message.role === 'user') {
      run.value.input = message.text
      if (message.files !== undefined)
        run.value.filesJson = stringifyJson(message.files as unknown as JsonValue)
      return
    }
    const step: Open<CassetteStep> = { parts: message.parts.map(partOf), finish: message.finish, calls: [] }
    if (message.by !== undefined) step.by = message.by
    if (run.value.model !== handedInModel) step.offered = this.#offered.map((tool) => ({ ...tool }))
    run.value.steps.push(step)
    this.#order.push(`step ${run.place}.${run.value.steps.length}`)
  }

  #proposed(run: PlacedRun, event: EventOf<'call.proposed'>): void {
    const { steps } = run.value
    const calls = steps.at(-1)?.calls
    if (calls === undefined) return
    calls.push(this.#calls.propose(`${run.place}.${steps.length}.${calls.length + 1}`, event))
    const { name, accepted } = event
    if (accepted === undefined) return
    this.#tools.set(`${name} ${accepted.version}`, { name, version: accepted.version })
  }

  #over({ value, place }: PlacedRun, { status, text, output }: EventOf<'run.ended'>): void {
    value.ended = { status, text, ...(output === undefined ? {} : { outputJson: stringifyJson(output) }) }
    // A stop closes the calls itself.
    if (status === 'cancelled' && this.#order.at(-1) === `close ${place}`) this.#order.pop()
    this.#order.push(`over ${place}`)
  }
}

function partOf(part: AssistantPart): Open<CassettePart> {
  const provider = part.provider === undefined ? {} : { providerJson: stringifyJson(part.provider) }
  if (part.kind === 'call') return { kind: part.kind, modelCallId: part.modelCallId, ...provider }
  if (part.kind === 'text' || part.kind === 'reasoning')
    return { kind: part.kind, text: part.text, ...provider }
  return { kind: part.kind, partJson: stringifyJson(part as unknown as JsonValue) }
}
