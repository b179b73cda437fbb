import type { Execution, Reconciliation } from './executor.ts'
import { messageOf } from './message-of.ts'

/**
 * What an executor said of a try, each part of it read once. Undefined for what is no execution: an executor
 * that breaks its contract, so that nobody knows what became of the call.
 */
export function readExecution(said: unknown): Execution | undefined {
  try {
    const { status, ...rest } = said as Record<string, unknown>
    if (status === 'completed') return completed(rest)
    if (status === 'resting') return resting(rest)
    if (status !== 'failed' || typeof rest.code !== 'string' || typeof rest.message !== 'string')
      return undefined
    const { code, message, cause } = rest
    return { status, code, message: messageOf(message), cause }
  } catch {
    return undefined
  }
}

function completed({ value, control, isReading }: Record<string, unknown>): Execution | undefined {
  if (control === undefined) return { status: 'completed', value, ...(isReading === true && { isReading }) }
  return control === 'output' || control === 'end' ? { status: 'completed', value, control } : undefined
}

/** A rest on nothing would never end. */
function resting({ on, until }: Record<string, unknown>): Execution | undefined {
  const sessions: unknown = on ?? []
  if (!Array.isArray(sessions) || !sessions.every((each) => typeof each === 'string')) return undefined
  if (until === undefined) return sessions.length === 0 ? undefined : { status: 'resting', on: sessions }
  return Number.isFinite(until) ? { status: 'resting', on: sessions, until: until as number } : undefined
}

/** What an executor found out about a call, each part of it read once; whatever is no finding is `unknown`. */
export function readReconciliation(said: unknown): Reconciliation {
  try {
    const { found, value, message } = said as Record<string, unknown>
    if (found === 'completed') return { found, value }
    if (found === 'not_run') return { found }
    if (found !== 'failed') return { found: 'unknown' }
    return { found, message: typeof message === 'string' ? messageOf(message) : 'It failed.' }
  } catch {
    return { found: 'unknown' }
  }
}
