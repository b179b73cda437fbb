import { openSync, writeSync } from 'node:fs'
import type { Append, AppendResult, Store } from '../src/index.ts'
import type { Evidence, KillLine } from './evidence.ts'

/** The moments at which a process can be told to kill itself. */
export const pointKinds = [
  'before append',
  'after append',
  'after lease',
  'before release',
  'before effect',
  'after effect',
  'in reconcile',
  'before acknowledgement',
  'after acknowledgement',
] as const

export type PointKind = (typeof pointKinds)[number]

/** Kill at the pass of this number, from 1, through a point of this kind; with `of`, only passes for these tools count. */
export interface PointKill {
  readonly at: PointKind
  readonly pass: number
  readonly of?: readonly string[]
}

const placeBytes = 64

/** Counts the moments as they come, notes each for whoever kills from outside, and kills its own process at one. */
export class KillPoints {
  readonly #place: number
  #kill: PointKill | undefined
  #note: (line: KillLine) => void = () => undefined
  #passes = 0
  #onBegun: (() => void) | undefined

  constructor(placePath: string) {
    this.#place = openSync(placePath, 'w')
  }

  /** For one order. `onBegun` is called at the first point of it. */
  arm(kill: PointKill | undefined, note: (line: KillLine) => void, onBegun?: () => void): void {
    this.#kill = kill
    this.#onBegun = onBegun
    this.#note = note
    this.#passes = 0
    this.#write('the beginning of its order')
  }

  pass(kind: PointKind, what = '', call: { readonly call?: string; readonly claim?: number } = {}): void {
    this.#write(what === '' ? kind : `${kind}: ${what}`)
    this.#onBegun?.()
    this.#onBegun = undefined
    if (this.#kill?.at !== kind || this.#kill.of?.includes(what) === false) return
    this.#passes += 1
    if (this.#passes !== this.#kill.pass) return
    this.#note({ kind, what, ...call })
    process.kill(process.pid, 'SIGKILL')
    // The signal ends the process before anything else of it runs.
    for (;;);
  }

  #write(place: string): void {
    writeSync(this.#place, place.padEnd(placeBytes), 0)
  }
}

/** A store that passes a point around appends and leases, and writes down which drive gave up which call. */
export function storeWithPoints(store: Store, points: KillPoints, evidence: Evidence): Store {
  const epochs = new Map<string, number>()
  const append = async (what: Append): Promise<AppendResult> => {
    const content = contentOf(what)
    points.pass('before append', content)
    const result = await store.append(what)
    if (result.ok) noteGivenUp(what, epochs, evidence)
    points.pass('after append', result.ok ? content : `refused for ${result.conflict}`)
    return result
  }
  const acquireLease: Store['acquireLease'] = async (...given) => {
    const lease = await store.acquireLease(...given)
    if (lease !== undefined) epochs.set(lease.stream, lease.epoch)
    if (lease !== undefined) points.pass('after lease')
    return lease
  }
  const releaseLease: Store['releaseLease'] = async (lease) => {
    points.pass('before release')
    await store.releaseLease(lease)
  }
  const replaced: Readonly<Record<PropertyKey, unknown>> = { append, acquireLease, releaseLease }
  return new Proxy(store, {
    get: (target, key) => {
      if (Object.hasOwn(replaced, key)) return replaced[key]
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function noteGivenUp({ streams }: Append, epochs: ReadonlyMap<string, number>, evidence: Evidence): void {
  for (const { stream, events } of streams) {
    for (const { event } of events) {
      if (event.type !== 'call.failed' || event.outcome.code !== 'interrupted') continue
      const session = stream.slice('session:'.length)
      const epoch = epochs.get(stream) ?? 0
      evidence.add('told', { told: 'given up', session, call: event.call, epoch }, false)
    }
  }
}

/** What an append is about, by the event of it that matters most. */
const contents = [
  ['call.started', 'claim'],
  ['call.completed', 'outcome'],
  ['call.failed', 'outcome'],
  ['call.late', 'late outcome'],
  ['call.reconciled', 'finding'],
  ['approval.decided', 'answer'],
  ['input.given', 'answer'],
  ['input.declined', 'answer'],
  ['approval.requested', 'ask'],
  ['input.requested', 'question'],
  ['call.rested', 'claim given back'],
  ['child.started', 'start of child'],
  ['run.ended', 'end of run'],
  ['run.started', 'start of run'],
  ['session.started', 'start of session'],
] as const

function contentOf({ streams }: Append): string {
  const types = new Set<string>(streams.flatMap(({ events }) => events.map(({ event }) => event.type)))
  return contents.find(([type]) => types.has(type))?.[1] ?? 'what may wait'
}
