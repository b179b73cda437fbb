import { isToolpostError } from '../core/error.ts'
import type { OrNothing } from './hooks.ts'

/** Where a model failed. */
export interface ModelErrorContext {
  /** Counts requests for this step, from 1. */
  readonly attempt: number
  readonly step: number
  /** The run's. */
  readonly signal: AbortSignal
  /** Whether a part of the failed answer was shown already: another one would follow it. */
  readonly shown: boolean
}

/**
 * What follows: the run fails, the model is asked again (after the usual delay, or this one), or `answer` counts as what
 * it said. Nothing: what happens without a handler.
 */
export type ModelErrorAnswer =
  | 'fail'
  | 'retry'
  | { readonly retryAfterMs: number }
  | { readonly answer: string }

/** Decides what follows when a model failed. The requests of a step stay bounded by `modelAttempts`. */
export type OnModelError = (error: unknown, context: ModelErrorContext) => OrNothing<ModelErrorAnswer>

/** Milliseconds before the second request; it doubles with every one. */
const firstDelayMs = 500

/** A delay before the model is asked again, an answer in its place, or nothing: the failure stands. */
export type ModelErrorVerdict = { readonly afterMs: number } | { readonly answer: string } | undefined

/** Without a handler: what the provider calls temporary is tried again, as long as nothing of the answer was shown. */
export function usualVerdict(error: unknown, { attempt, shown }: ModelErrorContext): ModelErrorVerdict {
  const again = isToolpostError(error) && error.details.retryable === true && !shown
  return again ? { afterMs: usualDelayMs(attempt) } : undefined
}

/** Reads what a handler answered. Throws an Error for nonsense. */
export function readVerdict(answer: unknown, error: unknown, context: ModelErrorContext): ModelErrorVerdict {
  if (answer === undefined || answer === null) return usualVerdict(error, context)
  if (answer === 'fail') return undefined
  if (answer === 'retry') return { afterMs: usualDelayMs(context.attempt) }
  const { retryAfterMs, answer: text } = answer as Record<string, unknown>
  const isOne = typeof text === 'string' || typeof retryAfterMs === 'number'
  if (isOne && Object.values(answer as object).filter((value) => value !== undefined).length > 1)
    throw new Error('it answered more than one of { retryAfterMs } and { answer }.')
  if (typeof text === 'string') return { answer: text }
  if (typeof retryAfterMs === 'number') {
    if (Number.isFinite(retryAfterMs) && retryAfterMs >= 0) return { afterMs: retryAfterMs }
    throw new Error(
      `its retryAfterMs is ${retryAfterMs}; it must be a finite number of milliseconds, 0 or more.`,
    )
  }
  throw new Error('it answered neither "fail" nor "retry" nor { retryAfterMs } nor { answer }.')
}

function usualDelayMs(attempt: number): number {
  return firstDelayMs * 2 ** (attempt - 1)
}
