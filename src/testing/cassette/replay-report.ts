import type { JsonValue } from '../../core/json/value.ts'
import type { LoggedEvent } from '../logged-event.ts'

/** One thing in which a replay differs from its recording. */
export interface ReplayDifference {
  /** From 1. */
  readonly run: number
  /** From 1; absent for what is about the whole run. */
  readonly step?: number
  /** The place of the call in its step, from 1. */
  readonly call?: number
  readonly tool?: string
  readonly at: 'decision' | 'arguments' | 'result' | 'offered' | 'ending' | 'tool'
  /** As it was recorded; null for what was not there. */
  readonly before: JsonValue
  /** As it is now. */
  readonly after: JsonValue
  readonly sentence: string
}

/** What a replay came to. */
export interface ReplayReport {
  /** True when nothing differs. */
  readonly same: boolean
  readonly differences: readonly ReplayDifference[]
  /** What was played. */
  readonly runs: number
  readonly steps: number
  readonly calls: number
  /** The log of the replay. */
  readonly events: readonly LoggedEvent[]
}
