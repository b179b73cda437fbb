import type { JsonValue } from '../../core/json/value.ts'
import type { LoggedEvent } from '../logged-event.ts'

/** A call that started an agent, from 1, and the agent. */
export interface ReplayPlace {
  readonly run: number
  readonly step: number
  readonly call: number
  readonly agent: string
}

/** A child run that was not played. */
export interface UnplayedChild extends ReplayPlace {
  /** The calls above that one, the topmost first; absent at the top. */
  readonly inside?: readonly ReplayPlace[]
  readonly tool: string
  readonly sentence: string
}

/** One thing in which a replay differs from its recording. */
export interface ReplayDifference {
  /** The calls whose child runs it is in, the topmost first; absent at the top. */
  readonly inside?: readonly ReplayPlace[]
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
  /** The child runs that were not looked into: what would be otherwise in them is not among the differences. */
  readonly unplayed: readonly UnplayedChild[]
  /** What was played, child runs included. */
  readonly runs: number
  readonly steps: number
  readonly calls: number
  /** The log of the replay. */
  readonly events: readonly LoggedEvent[]
}
