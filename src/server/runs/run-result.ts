import type { RunState, SessionState } from '../../core/run/state.ts'
import type { RunResult } from '../../protocol/run/run-result.ts'
import type { WireRun } from './wire-run.ts'

/** What a run that completed came to: the same whenever it is read. */
export function resultOf(
  { runId, sessionId, request }: WireRun,
  state: SessionState,
  { step: steps, usage, ended }: RunState,
  finishReason: RunResult['finishReason'],
): RunResult {
  const { provider, model, session } = request
  const { text = '', output } = ended ?? {}
  return {
    ...{ runId, provider, model, text, usage, steps, finishReason },
    ...(output === undefined ? {} : { output }),
    ...(session === undefined ? {} : { session: { id: sessionId, revision: revisionAfter(state, runId) } }),
  }
}

/** How many runs of the session had ended with this one. */
function revisionAfter({ runs }: SessionState, runId: string): number {
  return [...runs.keys()].indexOf(runId) + 1
}
