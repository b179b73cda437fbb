import type { ApprovalDecision } from '../core/decision.ts'
import type { FinishReason, Usage } from '../core/driver.ts'
import type { ScriptedCall } from '../models/script-step.ts'

/** The user says something: a run begins. */
export interface UserStep {
  readonly step: 'user'
  readonly text: string
}

/** The model answers. */
export interface ModelStep {
  readonly step: 'model'
  readonly answer: string | ModelAnswer
}

/** Results in place of what tools would return, by the tools' names. */
export interface ResultStep {
  readonly step: 'result'
  readonly values: Readonly<Record<string, unknown>>
}

/** What a person gives to tools that stop to ask, by the tools' names. */
export interface InputStep {
  readonly step: 'input'
  readonly values: Readonly<Record<string, unknown>>
}

/** What a person decides when calls ask for approval, by the tools' names. */
export interface DecideStep {
  readonly step: 'decide'
  readonly values: Readonly<Record<string, Decided | readonly Decided[]>>
}

/** Time passes. */
export interface WaitStep {
  readonly step: 'wait'
  readonly durationMs: number
}

/** An `Error` refuses the call with its message as the reason. */
export type Decided = ApprovalDecision | Error

/** One step of a test's script; `runTest` checks what it was made of, and says where it stands. */
export type TestStep = UserStep | ModelStep | ResultStep | InputStep | DecideStep | WaitStep

/** An answer of the model as a test writes it. */
export interface ModelAnswer {
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly ScriptedCall[]
  /** Default `calls` when there are any, else `stop`. */
  readonly finish?: FinishReason
  readonly usage?: Usage
  /** The provider fails with this message after what the answer says. */
  readonly error?: string | Error
  /** The stream ends without an end marker after what the answer says; with nothing said, the model is asked again. */
  readonly breakOff?: true
  /** Milliseconds before the answer begins, on the clock of the run; default 0. */
  readonly delayMs?: number
}

/** What the user says. */
export function user(text: string): UserStep {
  return { step: 'user', text }
}

/** What the model answers: a text, or a text and calls, and what goes wrong with it. */
export function model(answer: string | ModelAnswer): ModelStep {
  return { step: 'model', answer }
}

/**
 * Results of calls whose tools do not run: `result({ check_stock: { onHand: 3 } })`. It stands after the model step
 * with the calls, or before it. All else of a call's way is walked: validation, policy, asks, `finalize`.
 *
 * A value is the result of every call of its tool in that step; a list holds one value for each of them, in order (a
 * result that is itself a list is a list in that list). An `Error` fails the call as if the tool had thrown it.
 */
export function result(values: Readonly<Record<string, unknown>>): ResultStep {
  return { step: 'result', values }
}

/**
 * What a person answers when tools stop to ask: `input({ book_room: { approved: true } })`. It stands after the model
 * step with the calls, or before it; the run goes on once every question of the step is answered.
 *
 * A value answers every call of its tool in that step; a list holds one value for each of them, in order (an answer
 * that is itself a list is a list in that list). An `Error` declines the question with its message as the reason.
 */
export function input(values: Readonly<Record<string, unknown>>): InputStep {
  return { step: 'input', values }
}

/**
 * What a person decides when calls ask for approval: `decide({ pay: { approved: true } })`. It stands after the model
 * step with the calls, or before it, and is asked before any handler; the run goes on once every ask of the step is
 * decided.
 *
 * A decision answers every call of its tool in that step that asks; a list holds one for each call, in order. An
 * `Error` refuses the call with its message as the reason.
 */
export function decide(values: DecideStep['values']): DecideStep {
  return { step: 'decide', values }
}

/**
 * Time passes on the test's clock, which stands still otherwise: `wait(60_000)`. It passes when what stands before it
 * has happened: when nothing of the run goes on any more without it, while the model is asked where the run has gone on,
 * or after the run's end. What falls due happens at its time, in order; a run that rests in the store for longer than a
 * process waits is taken up again as `runTimers` says. Where nothing is due, time passes and nothing happens.
 */
export function wait(durationMs: number): WaitStep {
  return { step: 'wait', durationMs }
}
