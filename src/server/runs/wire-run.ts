import type { RunRequest } from '../../protocol/run/run-request.ts'

/** What the events of a run are written for. */
export interface WireRun {
  readonly runId: string
  readonly sessionId: string
  readonly request: RunRequest
}
