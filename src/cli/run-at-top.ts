import type { Agent } from '../agent/agent.ts'
import type { SessionState } from '../core/run/state.ts'
import { sessionStream } from '../runtime/journal.ts'

/** The run by which somebody goes on with a session. */
export interface RunAtTop {
  readonly run: string
  readonly agent: string
  readonly stream: string
  /** It was dispatched: it goes on whatever becomes of the run that started it. */
  readonly isLetGo: boolean
}

/** A child that a call waits for, or that stands beside it, goes on with the run of the session at the top. */
export async function runAtTop(agent: Agent, state: SessionState): Promise<RunAtTop> {
  let at = state
  while (at.parent !== undefined && at.parent.kind !== 'dispatch')
    at = (await agent.openSession(at.parent.session)).state
  return {
    run: at.openRun ?? '',
    agent: at.agent,
    stream: sessionStream(at.id),
    isLetGo: at.parent !== undefined,
  }
}
