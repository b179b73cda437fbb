import type { PointKill } from './kill-points.ts'
import type { SessionPlan } from './session-plan.ts'

/** Where a round takes place. */
export interface RoundPlace {
  /** Holds the store file and the files of evidence. */
  readonly folder: string
}

/** Drive sessions, all at once: begin those that are not there, go on with those that have not ended. */
export interface DriveOrder {
  readonly do: 'drive'
  readonly place: RoundPlace
  readonly seed: number
  readonly sessions: readonly SessionPlan[]
  readonly kill?: PointKill
  /** `suspend`: leave every ask to others; `wait`: until others answer; `answer`: answer some of them, suspend others. */
  readonly asks: 'suspend' | 'wait' | 'answer'
  /** Beyond a lease's length, so that a lease in force looks as if it had run out. */
  readonly clockAheadMs: number
  /** Turns of the event loop that a tool takes before and after its effect, at most. */
  readonly turnsMax: number
}

/** Answer the asks that are open, and say what became of uncertain calls. */
export interface AnswerOrder {
  readonly do: 'answer'
  readonly place: RoundPlace
  /** Says who answers; no two orders of a round have the same. */
  readonly name: string
  readonly seed: number
  /** Orders with the same one take the asks in the same order. */
  readonly orderSeed: number
  readonly sessions: readonly SessionPlan[]
  readonly kill?: PointKill
  /** Go on as new asks come, until `release`. */
  readonly goesOn: boolean
  /** Say what became of the uncertain calls too. */
  readonly reconciles: boolean
  readonly clockAheadMs?: number
}

/** Do what is due by the clock in the store, and go on with the sessions that can go on by that. */
export interface TimeOrder {
  readonly do: 'tend'
  readonly place: RoundPlace
  readonly seed: number
  readonly sessions: readonly SessionPlan[]
  readonly kill?: PointKill
  /** Look again and again, until `release`. */
  readonly goesOn: boolean
  /** Take up whatever is open, instead of what the timers name. */
  readonly takesUpAll: boolean
  readonly clockAheadMs: number
  readonly turnsMax: number
}

/** What a worker can be told to do. */
export type WorkOrder = DriveOrder | AnswerOrder | TimeOrder

/** What a worker is told. `release`: end the order that goes on; `leave`: let go of the round's files. */
export type Order = WorkOrder | { readonly do: 'release' } | { readonly do: 'leave' }

/** How one session came out of a drive: a status of a run, or the code of a refusal. */
export interface DriveEnd {
  readonly session: string
  readonly came: string
}

/** What a worker tells: it is ready, an order has come to its first point or is done, something happened that must not. */
export type Report =
  | { readonly is: 'ready' }
  | { readonly is: 'begun' }
  | { readonly is: 'done'; readonly drives: readonly DriveEnd[] }
  | { readonly is: 'broken'; readonly text: string }
