import type { RunEnding } from '../core/event.ts'
import type { JsonValue } from '../core/json/value.ts'
import type { RunState, SessionState } from '../core/run/state.ts'

/** How a run stands when its drive is over. */
export interface RunResult {
  readonly run: string
  /** `waiting`: it rests in the store until its open asks are decided; then `resume` goes on. */
  readonly status: RunEnding | 'waiting'
  /** The model's last words, or the sentence that says why the run ended. */
  readonly text: string
  /** The value that a tool ended the run with, or the model's answer as the agent's output schema reads it. */
  readonly output?: JsonValue
  /** The code of what ended the run: of a tool's failure, or of the run's own, such as `OUTPUT_INVALID`. */
  readonly code?: string
  /** The asks that are open, those of its child runs included. */
  readonly tickets: readonly string[]
  readonly steps: number
  readonly usage: RunState['usage']
}

/** Reads a run's result off the log; `below` are the asks that are open in its child runs. */
export function runResult(state: SessionState, id: string, below: readonly string[] = []): RunResult {
  const run = state.runs.get(id) as RunState
  const { ended, openTickets, step: steps, usage } = run
  const tickets = below.length === 0 ? openTickets : [...openTickets, ...below]
  if (ended === undefined) return { run: id, status: 'waiting', text: '', tickets, steps, usage }
  const { status, text, output, code } = ended
  const given = { ...(output === undefined ? {} : { output }), ...(code === undefined ? {} : { code }) }
  return { run: id, status, text, tickets, steps, usage, ...given }
}
