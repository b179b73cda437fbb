import type { AssistantPart, FinishReason, Usage } from './driver.ts'
import type { JsonValue } from './json/value.ts'
import type { ToolClass } from './policy/class.ts'
import type { LayerEntry } from './policy/layers.ts'
import type { ToolMode } from './policy/mode.ts'
import type { Verdict } from './policy/verdict.ts'
import type { Coercion } from './schema/schema.ts'

/** Text in the log: whole when it is small, else its digest, its size and a preview. */
export type TextReference =
  | { readonly inline: string }
  | { readonly blob: string; readonly bytes: number; readonly preview: string }

/** Who did something, and by which door. */
export interface Actor {
  readonly id: string
  /** `handler`, `command-line`, `library`, `default`, `abort`, ... */
  readonly method: string
}

/** The tool returned. */
export interface CompletedOutcome {
  readonly status: 'completed'
  /** What `text` is: a string that the tool returned, JSON, or empty because the tool returned nothing. */
  readonly kind: 'text' | 'json' | 'empty'
  readonly text: TextReference
  /** The output that the tool ended the run with. */
  readonly value?: JsonValue
  /** The tool ended the run: with an output, or without. */
  readonly control?: 'output' | 'end'
}

/** The tool threw, ran out of time, or nobody saw its outcome. */
export interface FailedOutcome {
  readonly status: 'failed'
  readonly code: string
  /** As it was thrown, bounded; the prefix for the model is added when it is told. */
  readonly message: string
  /** `uncertain`: nobody saw whether the effect took place. */
  readonly effect: 'none' | 'uncertain'
  readonly timedOut?: true
}

/** How a call that was claimed ended. */
export type CallOutcome = CompletedOutcome | FailedOutcome

/** One verdict as it stands in the log. */
export interface RecordedDecision {
  readonly verdict: Verdict
  readonly reason: string
  readonly trace: readonly LayerEntry[]
}

interface SessionStarted {
  readonly type: 'session.started'
  readonly session: string
  readonly subject: string
  readonly agent: string
  /** Absent when no mode was ever given. */
  readonly mode?: ToolMode
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
}

interface MessageAdded {
  readonly type: 'message.added'
  readonly run: string
  readonly message:
    | { readonly role: 'user'; readonly text: string }
    | {
        readonly role: 'assistant'
        readonly step: number
        readonly parts: readonly AssistantPart[]
        readonly finish: FinishReason
      }
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

interface CallRefused {
  readonly type: 'call.refused'
  readonly call: string
  readonly code: string
  readonly category?: string
  readonly message: string
  readonly decision?: RecordedDecision
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
}

interface ApprovalEdited {
  readonly type: 'approval.edited'
  readonly ticket: string
  readonly call: string
  readonly from: string
  readonly to: string
  readonly args: JsonValue
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

interface CallSettled {
  readonly call: string
  /** How often the tool was tried within the claim. */
  readonly tries: number
  readonly durationMs: number
}

interface CallCompleted extends CallSettled {
  readonly type: 'call.completed'
  readonly outcome: CompletedOutcome
}

interface CallFailed extends CallSettled {
  readonly type: 'call.failed'
  readonly outcome: FailedOutcome
}

interface CallLate {
  readonly type: 'call.late'
  readonly call: string
  readonly outcome: CallOutcome
}

interface CallReconciled {
  readonly type: 'call.reconciled'
  readonly call: string
  /** `not_run`: the effect never took place, so the same call may be made again. */
  readonly found: 'completed' | 'failed' | 'not_run'
  readonly note?: string
  readonly by: Actor
}

interface UsageRecorded {
  readonly type: 'usage.recorded'
  readonly run: string
  readonly step: number
  readonly usage: Usage
}

/** How a run can end. */
export type RunEnding =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'step_limit'
  | 'call_limit'
  | 'cut_short'
  | 'uncertain'

interface RunEnded {
  readonly type: 'run.ended'
  readonly run: string
  readonly status: RunEnding
  /** The model's last words, or the sentence that says why the run ended. */
  readonly text: string
  /** The value that a tool ended the run with. */
  readonly output?: JsonValue
}

/** A fact of a session's log. Names are noun.past-verb; a new one needs a reason. */
export type Event =
  | SessionStarted
  | ModeChanged
  | RunStarted
  | MessageAdded
  | ToolsOffered
  | CallProposed
  | CallRefused
  | CallCancelled
  | ApprovalRequested
  | ApprovalEdited
  | ApprovalDecided
  | CallStarted
  | CallCompleted
  | CallFailed
  | CallLate
  | CallReconciled
  | UsageRecorded
  | RunEnded

export type EventType = Event['type']

/** An event of one type. */
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>

/** Every event type and what it records, for the documents and for reading a log from outside. */
export const eventTable = {
  'session.started': 'A conversation began, for a subject, with an agent.',
  'mode.changed': 'The session has another tool mode from its next run on.',
  'run.started': 'An input was taken up.',
  'message.added': 'The user or the model said something.',
  'tools.offered': 'The model was shown this list of tools; written when the list changes.',
  'call.proposed': 'The model proposed a call.',
  'call.refused': 'The call ended without being started, and the model was told why.',
  'call.cancelled': 'The call ended without being started, because the run was stopped.',
  'approval.requested': 'A ticket was opened: somebody has to decide about the call.',
  'approval.edited': 'The arguments were changed by who decides; the digests before and after.',
  'approval.decided': 'The ticket was redeemed: by whom, how, and with what scope.',
  'call.started': 'The claim: written before the effect, once for every time that the tool is entered.',
  'call.completed': 'The tool returned a value.',
  'call.failed': 'The tool threw, ran out of time, or nobody saw its outcome.',
  'call.late': 'An attempt that had been given up reported after all.',
  'call.reconciled': 'Somebody found out what became of an uncertain call.',
  'usage.recorded': 'Tokens that a step used.',
  'run.ended': 'The run reached its end.',
} as const satisfies Record<EventType, string>
