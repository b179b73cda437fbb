import type { Actor, CompletedOutcome, FailedOutcome } from './outcome.ts'

export interface ExecutionRequested {
  readonly type: 'execution.requested'
  readonly ticket: string
  readonly call: string
  /** As in the claim: what was handed out is exactly this. */
  readonly digest: string
}

/** What a result is known by when it is handed in a second time. */
export interface ResultMark {
  /** The name that its sender gave it. */
  readonly key?: string
  /** The digest of what was handed in. */
  readonly digest: string
}

interface CallSettled {
  readonly call: string
  /** How often the tool was tried within the claim. */
  readonly tries: number
  readonly durationMs: number
  /** Who redeemed the ticket, of a call that was handed out; absent when it ended without a result. */
  readonly by?: Actor
  readonly result?: ResultMark
}

export interface CallCompleted extends CallSettled {
  readonly type: 'call.completed'
  readonly outcome: CompletedOutcome
}

export interface CallFailed extends CallSettled {
  readonly type: 'call.failed'
  readonly outcome: FailedOutcome
  /** As in `call.refused`. */
  readonly toldBytes?: number
}
