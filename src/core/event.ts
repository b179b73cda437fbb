import type { Usage } from './driver.ts'
import type { CallCompleted, CallFailed, ExecutionRequested } from './execution-event.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { IdleRule } from './idle-rule.ts'
import type { JsonValue } from './json/value.ts'
import type { AssistantMessage, UserMessage } from './message.ts'
import type { Actor, CallOutcome, RecordedDecision, RunEnding } from './outcome.ts'
import type { ParentLink } from './parent-link.ts'
import type { ToolClass } from './policy/class.ts'
import type { ToolMode } from './policy/mode.ts'
import type { Verdict } from './policy/verdict.ts'
import type { Coercion } from './schema/schema.ts'

export type {
  Actor,
  CallOutcome,
  CompletedOutcome,
  FailedOutcome,
  RecordedDecision,
  RunEnding,
  TextReference,
} from './outcome.ts'

interface SessionStarted {
  readonly type: 'session.started'
  readonly session: string
  readonly subject: string
  readonly agent: string
  /** Absent when no mode was ever given. */
  readonly mode?: ToolMode
  /** The call that started the session, when it is a child's. */
  readonly parent?: ParentLink
  /** The session whose log this one begins with, and the last event that both share. */
  readonly forkedFrom?: { readonly session: string; readonly sequence: number }
}

interface ModeChanged {
  readonly type: 'mode.changed'
  readonly mode: ToolMode
  readonly by: Actor
}

interface RunStarted {
  readonly type: 'run.started'
  readonly run: string
  /** The mode that this run keeps to its end. */
  readonly mode?: ToolMode
  readonly model: string
  readonly stepsMax: number
  readonly callsMax: number
  /** What a call whose outcome nobody saw does to the run; absent = `tell`. */
  readonly onUncertain?: 'pause' | 'fail'
  /** What a flow was made of: it goes on only as the same. */
  readonly structure?: string
  /** The digest of what the run was started for, as its starter gave it. */
  readonly origin?: string
  /** Milliseconds since 1970: from then on the run has taken too long, and is stopped. */
  readonly endsAt?: number
  /** The run is stopped when nothing happens in it for so long. */
  readonly idle?: IdleRule
  /** What the agent was made of; absent when that is what the session's log says already. */
  readonly fingerprint?: Fingerprint
}

interface MessageAdded {
  readonly type: 'message.added'
  readonly run: string
  readonly message: UserMessage | AssistantMessage
}

interface OutputRefused {
  readonly type: 'output.refused'
  readonly run: string
  readonly step: number
  /** What the model was told. */
  readonly message: string
}

interface ToolsOffered {
  readonly type: 'tools.offered'
  readonly run: string
  readonly step: number
  readonly catalog: string
  readonly tools: readonly {
    readonly name: string
    readonly verdict: Verdict
    readonly toolClass: ToolClass
    /** The provider's own id, of a tool that the provider runs. */
    readonly provider?: string
  }[]
}

interface CallProposed {
  readonly type: 'call.proposed'
  readonly run: string
  readonly step: number
  readonly call: string
  /** Place among the calls of its step, from 0. */
  readonly index: number
  readonly modelCallId: string
  /** The id that was given, where the model has to know the call by another because it was taken. */
  readonly givenCallId?: string
  readonly name: string
  readonly argumentsText: string
  readonly parallel: boolean
  /** True when the tool stops to ask a person for its result, or for what it needs to go on. */
  readonly yields?: true
  /** The equal call before it, of the same step, whose outcome counts for this one too. */
  readonly shares?: string
  /** Absent when the arguments did not pass: a refusal follows. */
  readonly accepted?: {
    /** What will run: parsed, coerced and prepared. */
    readonly args: JsonValue
    /** Binds tool, version and arguments. */
    readonly digest: string
    readonly version: string
    readonly coerced?: readonly Coercion[]
    /** True when `prepare` changed the arguments. */
    readonly prepared?: true
    /** True when the schema's own output is no JSON, so that `args` holds its input and it is parsed again to run. */
    readonly reparse?: true
  }
}

interface CallMigrated {
  readonly type: 'call.migrated'
  readonly call: string
  /** The digests of what would have run, and of what runs now. */
  readonly from: string
  readonly to: string
  /** The version of the tool that the new arguments passed. */
  readonly version: string
  readonly args: JsonValue
  readonly coerced?: readonly Coercion[]
  readonly reparse?: true
  readonly by: Actor
}

interface CallRefused {
  readonly type: 'call.refused'
  readonly call: string
  readonly code: string
  readonly category?: string
  readonly message: string
  readonly decision?: RecordedDecision
  /** The most bytes of the message that the model gets, when the run's budget has no room for all of it. */
  readonly toldBytes?: number
}

interface CallCancelled {
  readonly type: 'call.cancelled'
  readonly call: string
  readonly message: string
}

interface ApprovalRequested {
  readonly type: 'approval.requested'
  readonly ticket: string
  readonly call: string
  readonly digest: string
  readonly toolClass: ToolClass
  readonly decision: RecordedDecision
  /** Whether an approval may be remembered for the session. */
  readonly remember: 'none' | 'session' | 'rule'
  /** Milliseconds since 1970: from then on the ask counts as refused. */
  readonly expiresAt?: number
}

interface ApprovalEdited {
  readonly type: 'approval.edited'
  readonly ticket: string
  readonly call: string
  readonly from: string
  readonly to: string
  readonly args: JsonValue
  /** What was converted in what the person wrote. */
  readonly coerced?: readonly Coercion[]
  readonly by: Actor
}

interface ApprovalDecided {
  readonly type: 'approval.decided'
  readonly ticket: string
  readonly call: string
  readonly approved: boolean
  readonly scope: 'once' | 'session'
  readonly by: Actor
  readonly reason?: string
  /** The scope that was wished for, when the policy allowed only a narrower one. */
  readonly wished?: 'session'
  /** Set when the refusal was not a person's no: `handler_error`, `no_handler`, `cancelled`. */
  readonly category?: string
  readonly waitedMs: number
}

interface InputRequested {
  readonly type: 'input.requested'
  readonly ticket: string
  readonly call: string
  readonly digest: string
  readonly toolClass: ToolClass
  readonly decision: RecordedDecision
  /** Milliseconds since 1970: from then on the default is the answer, or the question counts as declined. */
  readonly expiresAt?: number
  /** The answer that counts when nobody gave one in time. */
  readonly default?: JsonValue
}

interface InputGiven {
  readonly type: 'input.given'
  readonly ticket: string
  readonly call: string
  /** As it was given, but for what `coerced` says; the tool's schema took it. */
  readonly value: JsonValue
  /** What was converted without loss before the schema took it. */
  readonly coerced?: readonly Coercion[]
  readonly by: Actor
  readonly waitedMs: number
}

interface InputDeclined {
  readonly type: 'input.declined'
  readonly ticket: string
  readonly call: string
  readonly by: Actor
  readonly reason?: string
  /** Set when it was not a person's no: `expired`, `cancelled`. */
  readonly category?: string
  readonly waitedMs: number
}

interface CallStarted {
  readonly type: 'call.started'
  readonly call: string
  /** Counts claims, from 1; retries within one claim are not counted here. */
  readonly attempt: number
  /** The lease under which the claim was made. */
  readonly epoch: number
  readonly digest: string
  readonly toolClass: ToolClass
  readonly decision: RecordedDecision
  readonly ticket?: string
}

interface CallRested {
  readonly type: 'call.rested'
  readonly call: string
  /** Sessions of child runs that the call waits for. */
  readonly on?: readonly string[]
  /** Milliseconds since 1970: from then on the call is to be started again. */
  readonly until?: number
}

interface CallLate {
  readonly type: 'call.late'
  readonly call: string
  readonly outcome: CallOutcome
  /** Who gave it, of a call that had been handed out. */
  readonly by?: Actor
}

interface CallReconciled {
  readonly type: 'call.reconciled'
  readonly call: string
  /** `not_run`: the effect never took place, so the same call may be made again. */
  readonly found: 'completed' | 'failed' | 'not_run'
  readonly note?: string
  readonly by: Actor
}

interface ChildStarted {
  readonly type: 'child.started'
  readonly run: string
  readonly call: string
  /** Counts the children of the call, from 0. */
  readonly index: number
  /** The child's session: its log is a stream of its own. */
  readonly session: string
  readonly agent: string
  /** `run`: the call waits for it; `spawn`: it ends with the run; `dispatch`: it goes on by itself. */
  readonly kind: 'run' | 'spawn' | 'dispatch'
}

interface StateChanged {
  readonly type: 'state.changed'
  /** Whose values: `session`, `run`, or a scope of the application's own, which has a log of its own for each id. */
  readonly scope: string
  /** Of an own scope: the id whose values they are. */
  readonly id?: string
  /** Of an own scope: the session that wrote. */
  readonly session?: string
  /** The run of the scope `run`, and of the call that wrote. */
  readonly run?: string
  readonly call?: string
  /** In the order in which they were written; without a value the key is deleted. */
  readonly changes: readonly { readonly key: string; readonly value?: JsonValue }[]
}

interface UsageRecorded {
  readonly type: 'usage.recorded'
  readonly run: string
  readonly step: number
  readonly usage: Usage
}

interface StopRequested {
  readonly type: 'stop.requested'
  readonly run: string
  readonly reason: string
  readonly by: Actor
}

interface RunEnded {
  readonly type: 'run.ended'
  readonly run: string
  readonly status: RunEnding
  /** The model's last words, or the sentence that says why the run ended. */
  readonly text: string
  /** The value that a tool ended the run with, or the model's answer as its output schema reads it. */
  readonly output?: JsonValue
  /** The code of what ended the run: of a tool's failure, or of the run's own. */
  readonly code?: string
}

/** A fact of a session's log. Names are noun.past-verb; a new one needs a reason. */
export type Event =
  | SessionStarted
  | ModeChanged
  | RunStarted
  | MessageAdded
  | OutputRefused
  | ToolsOffered
  | CallProposed
  | CallMigrated
  | CallRefused
  | CallCancelled
  | ApprovalRequested
  | ApprovalEdited
  | ApprovalDecided
  | InputRequested
  | InputGiven
  | InputDeclined
  | CallStarted
  | ExecutionRequested
  | CallCompleted
  | CallFailed
  | CallRested
  | CallLate
  | CallReconciled
  | ChildStarted
  | StateChanged
  | UsageRecorded
  | StopRequested
  | RunEnded

export type EventType = Event['type']

/** An event of one type. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>
