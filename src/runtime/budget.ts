import { limits } from '../core/limits.ts'
import type { CallState } from '../core/run/state.ts'

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

  /**
   * How many bytes a text of this size may bring into the conversation. A run that has spent its budget still
   * gets the beginning and the end of each result.
   */
  take(size: number): number {
    const least = Math.min(limits.resultPreviewBytesMin, this.#limits.callBytesMax)
    const allowed = Math.max(least, Math.min(this.#limits.callBytesMax, this.#left))
    this.#left -= Math.min(size, allowed)
    return allowed
  }
}

/** The bytes of results that the calls of a run have brought into the conversation so far. */
export function spentBytes(calls: Iterable<CallState>, run: string): number {
  let spent = 0
  for (const { run: of, end } of calls) {
    if (of !== run || end?.status !== 'completed') continue
    spent += 'inline' in end.text ? end.text.inline.length : end.text.preview.length
  }
  return spent
}
