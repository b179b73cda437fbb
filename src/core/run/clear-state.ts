import type { SessionState } from './state.ts'

/** Takes everything out of a state, in place, so that a log can be folded into it anew. */
export function clearState(state: SessionState): void {
  const { history, remembered, runs, calls, tickets, uncertain, modelCallIds, spilled } = state
  for (const part of [runs, calls, tickets, uncertain, modelCallIds, spilled])
    (part as Map<string, unknown>).clear()
  ;(history as unknown[]).length = 0
  const absent = { mode: undefined, openRun: undefined, offered: undefined, fingerprint: undefined }
  const empty = { id: '', subject: '', agent: '', startedAt: 0, sequence: 0, values: Object.freeze({}) }
  Object.assign(state, absent, empty, { remembered: remembered.slice(0, 0) })
}
