import { ToolpostError } from '../core/error.ts'
import type { IdleRule } from '../core/idle-rule.ts'
import { checkOptions } from '../core/known-keys.ts'

/** How long a run may take, and how long nothing may happen in it. */
export interface RunTimes {
  /** Milliseconds after which the run is stopped, asks and waits included; default: none. */
  readonly timeoutMs?: number
  /**
   * The run is stopped when nothing happens in it for `timeoutMs`: no event, no text of the model, no progress of a
   * tool. While a person is asked, time stands still, or runs on with `whileAsking: 'continue'`; after the answer the
   * whole time begins again.
   */
  readonly idle?: { readonly timeoutMs: number; readonly whileAsking?: 'pause' | 'continue' }
}

/** What the start of a run says of its times. Errors: INVALID_ARGUMENT. */
export function recordedTimes(
  now: number,
  own: RunTimes,
  standing: RunTimes,
): { readonly endsAt?: number; readonly idle?: IdleRule } {
  const { timeoutMs = standing.timeoutMs, idle = standing.idle } = own
  checkTime('timeoutMs', timeoutMs)
  if (idle !== undefined) checkOptions(idle, ['timeoutMs', 'whileAsking'], '"idle"')
  checkTime('idle.timeoutMs', idle === undefined ? undefined : (idle?.timeoutMs ?? null))
  const { whileAsking = 'pause' } = idle ?? {}
  if (whileAsking !== 'pause' && whileAsking !== 'continue')
    refuse('"idle.whileAsking" must be "pause" or "continue".')
  return {
    ...(timeoutMs === undefined ? {} : { endsAt: now + timeoutMs }),
    ...(idle === undefined ? {} : { idle: { timeoutMs: idle.timeoutMs, whileAsking } }),
  }
}

function checkTime(name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)) return
  refuse(`"${name}" must be a whole number of milliseconds, 1 or more.`)
}

function refuse(sentence: string): never {
  throw new ToolpostError('INVALID_ARGUMENT', sentence)
}
