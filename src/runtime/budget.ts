import { textOf } from '../core/call.ts'
import type { Event } from '../core/event.ts'
import { limits } from '../core/limits.ts'
import type { CallEnd, CallState } from '../core/run/state.ts'
import { byteLength } from './preview.ts'

/** How many bytes of results a model may be given: in one call, and in a whole run. */
export interface ResultLimits {
  readonly callBytesMax: number
  readonly runBytesMax: number
}

/**
 * What is left of a run's budget for results. It is taken before a result is written, so that results which
 * settle at the same time do not spend the same bytes twice.
 */
export class ResultBudget {
  readonly #limits: ResultLimits
  #left: number

  constructor(bounds: ResultLimits, spent: number) {
    this.#limits = bounds
    this.#left = bounds.runBytesMax - spent
  }

  /** How many bytes the next text may bring into the conversation. */
  get allowed(): number {
    const least = Math.min(limits.resultPreviewBytesMin, this.#limits.callBytesMax)
    return Math.max(least, Math.min(this.#limits.callBytesMax, this.#left))
  }

  /**
   * How many bytes a text of this size may bring into the conversation. A run that has spent its budget still
   * gets the beginning and the end of each result.
   */
  take(size: number): number {
    const { allowed } = this
    this.#left -= Math.min(size, allowed)
    return allowed
  }
}

/** For the event of a call that ends with a message: how much of it there is room for, when it is not all. */
export function toldOf(budget: ResultBudget, message: string): { readonly toldBytes?: number } {
  const size = byteLength(message)
  const allowed = budget.take(size)
  return size <= allowed ? {} : { toldBytes: allowed }
}

/** What somebody outside gave for a call of this run was taken from a budget of his own, of the same bytes. */
export function noteGiven(budget: ResultBudget, event: Event): void {
  if (event.type !== 'call.completed' && event.type !== 'call.failed') return
  if (event.by === undefined) return
  budget.take(bytesTold(event.outcome, event.type === 'call.failed' ? event.toldBytes : undefined))
}

function bytesTold(end: CallEnd, toldBytes: number | undefined): number {
  return end.status === 'completed' ? byteLength(textOf(end.text)) : (toldBytes ?? byteLength(end.message))
}

/** The bytes of results, and of messages in their place, that the calls of a run have brought into the conversation so far. */
export function spentBytes(calls: Iterable<CallState>, run: string): number {
  let spent = 0
  for (const { run: of, end, toldBytes } of calls) {
    if (of !== run || end === undefined) continue
    spent += bytesTold(end, toldBytes)
  }
  return spent
}
