import type { ApprovalHandler } from '../agent/approver.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { ExpectedCall } from './expected-calls.ts'
import type { TestRun } from './test-run.ts'

/** One thing that an agent should manage. */
export interface EvaluationCase {
  /** Its own among the cases. */
  readonly name: string
  /** What the user says: one text, or several, each after the answer to the one before. */
  readonly input: string | readonly string[]
  /** Throws, or gives false, where the run is not as it should be; all else is fine. */
  // biome-ignore lint/suspicious/noConfusingVoidType: assertions return nothing.
  readonly expect?: (run: TestRun) => void | boolean | Promise<void | boolean>
  /** All the calls that should be made, in this order. */
  readonly expectedCalls?: readonly ExpectedCall[]
  /** How the last run should end; default `completed`. */
  readonly expectedStatus?: TestRun['status']
}

/** What a judge thinks of a run. */
export interface Judgement {
  /** From 0, useless, to 1, perfect. */
  readonly score: number
  readonly reason: string
}

/** How cases are evaluated. */
export interface EvaluateOptions {
  /** Judges every run whose model did not fail. */
  readonly judge?: (run: TestRun, testCase: EvaluationCase) => Judgement | Promise<Judgement>
  /** The least score that passes; default 0.5. It takes a judge. */
  readonly passAt?: number
  /** How often each case is run; default 1. A case passes when all of its runs do. */
  readonly repeat?: number
  /**
   * How often a run is begun anew after its model failed, or after the judge or the run itself threw; default 0. What
   * `expect` says is final.
   */
  readonly retries?: number
  /** Runs under way at a time; default 4. */
  readonly concurrency?: number
  /**
   * What stands in for tools, by their names: the result of every call, or a function from the arguments to it. An
   * `Error` fails the call. All else of a call's way is walked: validation, policy, asks, `finalize`.
   */
  readonly results?: Readonly<Record<string, unknown>>
  /** True: tools that do more than read run without a stand-in. Default false. */
  readonly allowEffects?: boolean
  /** The sessions' mode; default the agent's own. */
  readonly mode?: ToolMode
  /** Whose sessions they are; default `local`. */
  readonly subject?: string
  /** Who answers asks in place of the agent's own handler. */
  readonly approvals?: ApprovalHandler
  /** Stops the evaluation, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** One run of a case. */
export interface EvaluationRun {
  readonly passed: boolean
  /** Why it did not pass. */
  readonly reasons: readonly string[]
  /** How often it was begun. */
  readonly attempts: number
  /** Undefined when it threw before its end. */
  readonly run?: TestRun
  readonly judgement?: Judgement
}

/** What became of a case. */
export interface EvaluatedCase {
  readonly name: string
  /** Whether every run passed. */
  readonly passed: boolean
  readonly runs: readonly EvaluationRun[]
  /** The mean of the judge's scores. */
  readonly score?: number
  /** Why runs did not pass; of several runs, with the run's number from 1. */
  readonly reasons: readonly string[]
}

/** What became of all cases, in their order. */
export interface EvaluationReport {
  readonly cases: readonly EvaluatedCase[]
  /** How many cases passed. */
  readonly passed: number
  readonly failed: number
}
