import type { AssistantPart, FinishReason, Usage } from '../driver.ts'
import type { Actor, CallOutcome, RunEnding } from '../event.ts'
import type { ResultMark } from '../execution-event.ts'
import type { FileReference } from '../file.ts'
import type { Fingerprint } from '../fingerprint.ts'
import type { IdleRule } from '../idle-rule.ts'
import type { JsonValue } from '../json/value.ts'
import type { ParentLink } from '../parent-link.ts'
import type { ToolClass } from '../policy/class.ts'
import type { LayerEntry } from '../policy/layers.ts'
import type { ToolMode } from '../policy/mode.ts'
import type { RememberedApproval } from '../policy/remembered.ts'
import type { Coercion } from '../schema/schema.ts'

/** One use of one tool, as far as the log tells. */
export interface CallState {
  readonly id: string
  readonly run: string
  readonly step: number
  readonly index: number
  readonly name: string
  readonly modelCallId: string
  readonly givenCallId?: string
  readonly argumentsText: string
  readonly parallel: boolean
  readonly yields?: true
  /** The equal call before it, of the same step, whose outcome counts for this one too. */
  readonly shares?: string
  readonly args?: JsonValue
  readonly digest?: string
  readonly version?: string
  readonly coerced?: readonly Coercion[]
  readonly prepared?: boolean
  readonly reparse?: boolean
  /** The digest that the model's own arguments had, when a person changed them. */
  readonly editedFrom?: string
  /** The digest that the call had before its tool changed and its arguments were migrated. */
  readonly migratedFrom?: string
  /** A person was asked about the call before it was migrated: he is asked again, whatever the policy says. */
  readonly askAgain?: true
  /**
   * `proposed`: free to be judged and started; `asking`: its ticket is open; `decided`: its ticket was
   * redeemed and not yet used; `started`: claimed; `resting`: its claim was given back until what it waits for is
   * there; `handed_out`: somebody outside carries it, and redeems its ticket with the outcome; `ended`.
   */
  readonly status: 'proposed' | 'asking' | 'decided' | 'started' | 'resting' | 'handed_out' | 'ended'
  /** The newest ask about the call. */
  readonly ticket?: string
  /** The ticket that approved the call, when a later one asked for its input. */
  readonly approval?: string
  /** What a person gave the tool, as it was given. */
  readonly input?: { readonly value: JsonValue }
  /** What the call waits for while it rests, or waited for last. */
  readonly rest?: { readonly on: readonly string[]; readonly until?: number }
  /** How often it was given back until a time, and for no child run. */
  readonly putOff?: number
  /** The sessions of the agents that the call started, in order. */
  readonly children?: readonly ChildLink[]
  /** The ticket by which the call was handed out; who redeemed it, and with what. */
  readonly execution?: { readonly ticket: string; readonly by?: Actor; readonly result?: ResultMark }
  readonly toolClass?: ToolClass
  readonly attempt: number
  readonly epoch?: number
  readonly startedAt?: number
  readonly end?: CallEnd
  /** The most bytes of the end's message that the model gets; absent: all of it. */
  readonly toldBytes?: number
  readonly late?: CallOutcome
  readonly reconciled?: 'completed' | 'failed' | 'not_run'
}

/** A session that a call started. */
export interface ChildLink {
  readonly session: string
  readonly agent: string
  readonly kind: 'run' | 'spawn' | 'dispatch'
}

/** The one way in which a call ended. */
export type CallEnd =
  | CallOutcome
  | {
      readonly status: 'refused'
      readonly code: string
      readonly category?: string
      readonly message: string
    }
  | { readonly status: 'cancelled'; readonly message: string }

/** What is waited for: an ask, for a decision about a call or for a value that its tool needs, or a call's outcome. */
export interface TicketState {
  readonly id: string
  readonly kind: 'approval' | 'input' | 'execution'
  readonly run: string
  readonly call: string
  readonly digest: string
  readonly toolClass: ToolClass
  readonly reason: string
  /** What each layer of the policy said when the ask was opened. */
  readonly why: readonly LayerEntry[]
  readonly remember: 'none' | 'session' | 'rule'
  readonly requestedAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  /** What is given when nobody answered in time. */
  readonly default?: { readonly value: JsonValue }
  readonly decided?: {
    /** Of an input: whether a value was given; of an execution: whether it completed. */
    readonly approved: boolean
    readonly scope: 'once' | 'session'
    readonly by: Actor
    readonly at: number
    readonly reason?: string
    readonly category?: string
  }
}

/** Values by their keys. */
export type Values = { readonly [key: string]: JsonValue }

/** One turn of the conversation. */
export interface RunState {
  readonly id: string
  readonly mode?: ToolMode
  readonly model: string
  readonly stepsMax: number
  readonly callsMax: number
  readonly onUncertain?: 'pause' | 'fail'
  /** The digest of what the run was started for. */
  readonly origin?: string
  /** What the flow was made of, when it is one's run. */
  readonly structure?: string
  /** Milliseconds since 1970. */
  readonly endsAt?: number
  readonly idle?: IdleRule
  /** When the log last grew, of a run with a rule about that. Milliseconds since 1970. */
  readonly lastAt?: number
  /** The number of model answers so far. */
  readonly step: number
  /** The calls of the newest step, in order. */
  readonly stepCalls: readonly string[]
  readonly callCount: number
  /** The newest step whose answer was refused as the run's output, and how many were. */
  readonly outputRefused?: { readonly step: number; readonly count: number }
  readonly openTickets: readonly string[]
  /** When a timer last closed an ask of the run, and whether somebody has gone on with the run since. */
  readonly woken?: { readonly at: number; readonly isTaken: boolean }
  /** Somebody asked whoever drives the run to end it. */
  readonly stopRequested?: { readonly reason: string; readonly by: Actor; readonly at: number }
  /** The state of the scope `run`. */
  readonly values: Values
  readonly usage: Usage
  readonly startedAt: number
  readonly ended?: {
    readonly status: RunEnding
    readonly text: string
    readonly output?: JsonValue
    readonly code?: string
    readonly at: number
  }
}

/** One message of the history; results are not messages: they are the calls' ends. */
export type HistoryEntry =
  | {
      readonly role: 'user'
      readonly run: string
      readonly text: string
      readonly files?: readonly FileReference[]
      /** Not the user's words: the model was told that its output was refused. */
      readonly by?: 'runtime'
    }
  | {
      readonly role: 'assistant'
      readonly run: string
      readonly step: number
      readonly parts: readonly AssistantPart[]
      readonly finish: FinishReason
      readonly by?: 'hook' | 'handler'
      /** Filled by the proposals that follow the message. */
      readonly calls: readonly string[]
    }

/** What the log of one session says. Read-only for everybody but the fold. */
export interface SessionState {
  readonly id: string
  readonly subject: string
  readonly agent: string
  readonly mode?: ToolMode
  readonly startedAt: number
  /** The sequence of the last event that is folded in. */
  readonly sequence: number
  readonly history: readonly HistoryEntry[]
  readonly runs: ReadonlyMap<string, RunState>
  readonly calls: ReadonlyMap<string, CallState>
  readonly tickets: ReadonlyMap<string, TicketState>
  /** The run that has not ended; a session has one at most. */
  readonly openRun?: string
  readonly remembered: readonly RememberedApproval[]
  /** Digests of calls whose effect nobody saw, with the call that it was. */
  readonly uncertain: ReadonlyMap<string, string>
  /** Ids that the model knows calls by, with the call. */
  readonly modelCallIds: ReadonlyMap<string, string>
  /** Handles of the results that were too large for the log, with the call that each came from. */
  readonly spilled: ReadonlyMap<string, string>
  /** The state of the scope `session`. */
  readonly values: Values
  /** Where the session hangs, when it is a child's. */
  readonly parent?: ParentLink
  /** What the agent of the newest run was made of when the run began. */
  readonly fingerprint?: Fingerprint
  /** The newest list of tools that the model was shown, as its digest. */
  readonly offered?: string
}
