import type { JsonValue } from '../../core/json/value.ts'
import type { WireApproval } from '../approvals/approval.ts'
import type { ApprovalResolution } from '../approvals/approval-resolution.ts'
import type { ErrorDetails } from '../error-body.ts'
import type { RunResult } from '../run/run-result.ts'
import type { WireUsage } from '../run/usage.ts'
import type { ToolCall } from '../tool-call.ts'
import type { ToolExecution } from '../tool-executions/tool-execution.ts'

/** What every event of a run says. */
interface Envelope<Type extends string> {
  readonly type: Type
  readonly runId: string
  /** 1, 2, 3 and so on, without gaps. */
  readonly sequence: number
  readonly timestamp: string
  /** True = whoever does not know the type may skip it. */
  readonly optional?: boolean
}

/** Always the first, never repeated. */
export interface RunStartedEvent extends Envelope<'run.started'> {
  readonly provider: string
  readonly model: string
}

/** The model is asked; `step` counts from 1. */
export interface StepStartedEvent extends Envelope<'step.started'> {
  readonly step: number
}

/** A piece of the model's text. */
export interface TextDeltaEvent extends Envelope<'text.delta'> {
  readonly text: string
}

/** A sign of life. With `callId` it is a tool's, and may have what the tool said. */
export interface RunProgressEvent extends Envelope<'run.progress'> {
  readonly phase: 'model' | 'tool' | 'context'
  readonly callId?: string
  readonly message?: string
  /** From 0 to 1. */
  readonly fraction?: number
  readonly output?: JsonValue
}

/** The model proposes a call, which passed all checks. Nothing runs yet. */
export interface ToolCalledEvent extends Envelope<'tool.called'> {
  readonly call: ToolCall
}

/** A person has to decide. */
export interface ApprovalRequestedEvent extends Envelope<'approval.requested'> {
  readonly approval: WireApproval
}

/** Somebody has decided, or nobody in time. */
export interface ApprovalResolvedEvent extends Envelope<'approval.resolved'> {
  readonly resolution: ApprovalResolution
}

/** The application has to execute a call, now. */
export interface ToolExecutionRequestedEvent extends Envelope<'tool.execution.requested'> {
  readonly execution: ToolExecution
}

/** What the model is told of a call that worked. */
export interface ToolCompletedEvent extends Envelope<'tool.completed'> {
  readonly callId: string
  readonly output: JsonValue
}

/** What the model is told of a call that was refused or denied, or that failed. Always optional. */
export interface ToolFailedEvent extends Envelope<'tool.failed'> {
  readonly callId: string
  readonly name: string
  readonly code: string
  readonly message: string
  /** There when the call may have done something. */
  readonly outcome?: 'uncertain'
}

/** What a step cost. */
export interface UsageReportedEvent extends Envelope<'usage.reported'> {
  readonly step: number
  readonly usage: WireUsage
}

/** The last one of a run that came to its end. */
export interface RunCompletedEvent extends Envelope<'run.completed'> {
  readonly result: RunResult
}

/** The last one of a run that could not go on. */
export interface RunFailedEvent extends Envelope<'run.failed'> {
  readonly error: ErrorDetails
}

/** The last one of a run that was stopped. */
export interface RunCancelledEvent extends Envelope<'run.cancelled'> {
  readonly error: ErrorDetails
}

/** One event of a run's stream, told by its `type`. */
export type RunEvent =
  | RunStartedEvent
  | StepStartedEvent
  | TextDeltaEvent
  | RunProgressEvent
  | ToolCalledEvent
  | ApprovalRequestedEvent
  | ApprovalResolvedEvent
  | ToolExecutionRequestedEvent
  | ToolCompletedEvent
  | ToolFailedEvent
  | UsageReportedEvent
  | RunCompletedEvent
  | RunFailedEvent
  | RunCancelledEvent

/** An event that ends its stream. */
export type TerminalEvent = RunCompletedEvent | RunFailedEvent | RunCancelledEvent

/** Whether nothing follows an event. */
export function isTerminal(event: RunEvent): event is TerminalEvent {
  return event.type === 'run.completed' || event.type === 'run.failed' || event.type === 'run.cancelled'
}
