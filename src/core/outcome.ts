import type { FileReference } from './file.ts'
import type { JsonValue } from './json/value.ts'
import type { LayerEntry } from './policy/layers.ts'
import type { Verdict } from './policy/verdict.ts'

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
  /** What the tool gave beside its text. */
  readonly files?: readonly FileReference[]
  /** The output that the tool ended the run with. */
  readonly value?: JsonValue
  /** The tool ended the run: with an output, or without. */
  readonly control?: 'output' | 'end'
  /** A hook gave this in place of what the tool returns; without any try, the tool was not entered. */
  readonly by?: 'hook'
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

/** How a run can end. */
export type RunEnding =
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'step_limit'
  | 'call_limit'
  | 'cut_short'
  | 'uncertain'
  | 'refused'
