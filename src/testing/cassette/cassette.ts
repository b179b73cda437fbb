import type { FinishReason, Usage } from '../../core/driver.ts'
import type { Actor, RunEnding } from '../../core/event.ts'
import type { ToolClass } from '../../core/policy/class.ts'
import type { ToolMode } from '../../core/policy/mode.ts'
import type { Verdict } from '../../core/policy/verdict.ts'

/** The form that `exportCassette` writes. */
export const cassetteFormat = 'toolpost.cassette/2'

/** The forms that `parseCassette` reads; the first had no children. */
export const cassetteFormats = ['toolpost.cassette/1', cassetteFormat] as const

/**
 * A recorded session as one plain JSON value. Fields that end in `Json` hold JSON as text, so that integers of any
 * size survive whoever reads and writes the file.
 */
export interface Cassette {
  readonly format: (typeof cassetteFormats)[number]
  readonly agent: string
  readonly session: string
  /** Whose session it was. */
  readonly subject: string
  /** The mode that the session began in; absent when none was given. */
  readonly mode?: ToolMode
  /** The tools whose calls were accepted, as they were. */
  readonly tools: readonly { readonly name: string; readonly version: string }[]
  readonly runs: readonly CassetteRun[]
  /**
   * What happened in which order: `run 1`, `step 1.1`, `start 1.1.2`, `answer 1.1.2`, `end 1.1.2`, `late 1.1.2`,
   * `found 1.1.2`, `close 1`, `over 1`, `mode auto`. Numbers are run, step and call, from 1.
   */
  readonly order: readonly string[]
}

/** One run: an input, the model's answers, and how it ended. */
export interface CassetteRun {
  readonly id: string
  /** When it began, in milliseconds since 1970; a replay's clock stands there. */
  readonly at: number
  /** The driver's name; `handed-in` for a step of another loop. */
  readonly model: string
  readonly input?: string
  /** The files that came with the input: what the log says of them, without their bytes. */
  readonly filesJson?: string
  readonly steps: readonly CassetteStep[]
  /** Absent while the run waits, or was left by a process that ended. */
  readonly ended?: CassetteEnding
}

/** How a run ended. */
export interface CassetteEnding {
  readonly status: RunEnding
  readonly text: string
  readonly outputJson?: string
}

/** One answer of the model, and what became of its calls. */
export interface CassetteStep {
  /** In the order in which they were said; the calls of `calls` stand in the places of kind `call`. */
  readonly parts: readonly CassettePart[]
  readonly finish: FinishReason
  readonly usage?: Usage
  /** Who gave or changed the answer in the model's place: a hook, or the agent's `onModelError`. */
  readonly by?: 'hook' | 'handler'
  /** The tools that the model was shown; absent for a step of another loop. */
  readonly offered?: readonly {
    readonly name: string
    readonly verdict: Verdict
    readonly toolClass: ToolClass
    /** The provider's own id, of a tool that it runs. */
    readonly provider?: string
  }[]
  readonly calls: readonly CassetteCall[]
}

/** A part of an answer. */
export type CassettePart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string; readonly providerJson?: string }
  | { readonly kind: 'call'; readonly modelCallId: string; readonly providerJson?: string }
  /** What the provider's own tools did, and files: the whole part. A file's bytes are not in a cassette. */
  | { readonly kind: 'provider-call' | 'provider-result' | 'source' | 'file'; readonly partJson: string }

/** One call from its proposal to its end. */
export interface CassetteCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them. */
  readonly argumentsText: string
  /** What was to run: parsed, coerced, prepared and, where a person did so, edited. Absent when they did not pass. */
  readonly argsJson?: string
  /** Binds tool, version and arguments. */
  readonly digest?: string
  readonly version?: string
  /** The last one that was made; absent for a call that was never judged. */
  readonly decision?: CassetteDecision
  readonly asks: readonly CassetteAsk[]
  /** The agents that the call started, in order; absent when it started none. */
  readonly children?: readonly CassetteChild[]
  readonly outcome?: CassetteOutcome
  /** What an attempt that had been given up reported after all. */
  readonly late?: CassetteOutcome
  /** What somebody found out about a call whose outcome nobody saw. */
  readonly found?: {
    readonly found: 'completed' | 'failed' | 'not_run'
    readonly note?: string
    readonly by: Actor
  }
}

/** An agent that a call started. */
export interface CassetteChild {
  readonly agent: string
  readonly kind: 'run' | 'spawn' | 'dispatch'
  /** Its own session; absent where its log was not there. */
  readonly cassette?: Cassette
}

/** `refused`: it ended before any policy was asked, such as for arguments that do not pass. */
export interface CassetteDecision {
  readonly verdict: Verdict | 'refused'
  readonly reason: string
}

/** An ask, and its answer when there was one. */
export interface CassetteAsk {
  readonly reason: string
  /** The tool asked for a value, and not for a decision. */
  readonly input?: true
  readonly answer?: CassetteAnswer
}

/** The answer to an ask. */
export interface CassetteAnswer {
  readonly approved: boolean
  readonly scope: 'once' | 'session'
  /** The scope that was wished for, when only a narrower one was allowed. */
  readonly wished?: 'session'
  readonly by: Actor
  readonly reason?: string
  /** Set when it was not a person's no. */
  readonly category?: string
  /** The arguments that the person put in place of those shown. */
  readonly editedJson?: string
  /** The value that the person gave the tool. */
  readonly inputJson?: string
}

/** How a call ended. */
export type CassetteOutcome =
  | {
      readonly status: 'completed'
      readonly kind: 'text' | 'json' | 'empty'
      /** The whole result, also a large one. */
      readonly text: string
      /** Of a result that was too large for the conversation: its handle, its size, and what the model was shown. */
      readonly large?: { readonly handle: string; readonly bytes: number; readonly shown: string }
      readonly control?: 'output' | 'end'
      readonly valueJson?: string
    }
  | {
      readonly status: 'failed'
      readonly code: string
      readonly message: string
      readonly effect: 'none' | 'uncertain'
      readonly timedOut?: true
    }
  | {
      readonly status: 'refused'
      readonly code: string
      readonly category?: string
      readonly message: string
    }
  | { readonly status: 'cancelled'; readonly message: string }
