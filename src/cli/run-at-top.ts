import type { Agent } from '../agent/agent.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import { goesOnBy } from '../agent/going-on.ts'
import type { SessionState } from '../core/run/state.ts'
import { sessionStream } from '../runtime/journal.ts'
import { agentThatKnows } from './agent-that-knows.ts'
import type { AgentsHere } from './agents-here.ts'

/** The run by which somebody goes on with a session. */
export interface RunAtTop {
  readonly run: string
  readonly agent: string
  readonly stream: string
  /** It goes on whatever becomes of the run that started it, and no agent here knows the one that it is of. */
  readonly isLetGo: boolean
}

/** A child that a call waits for, or that stands beside it, goes on with the run of the session at the top, while that is open. */
export async function runAtTop(agent: Agent, here: AgentsHere, state: SessionState): Promise<RunAtTop> {
  const at = await goesOnBy(definitionOf(agent).parts, state)
  return {
    run: at.openRun ?? '',
    agent: at.agent,
    stream: sessionStream(at.id),
    isLetGo: at.parent !== undefined && agentThatKnows(here, at) === undefined,
  }
}
