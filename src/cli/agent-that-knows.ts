import type { Agent } from '../agent/agent.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import { agentOf } from '../agent/find-ask.ts'
import type { SessionState } from '../core/run/state.ts'
import type { IndexRow } from '../core/store.ts'
import type { AgentsHere } from './agents-here.ts'

/** The agent of a module by which a session goes on: its own, or one above it that knows its own; undefined when there is none. */
export function agentThatKnows(
  { exported = [] }: Pick<AgentsHere, 'exported'>,
  state: SessionState,
): Agent | undefined {
  return exported.find((each) => agentOf(definitionOf(each), state)?.name === state.agent)
}

/** The agent of a module that knows the one of a child's run; undefined for a run at the top. */
export async function agentOfChild(here: AgentsHere, { data }: IndexRow): Promise<Agent | undefined> {
  if (here.exported === undefined || data.root === undefined) return undefined
  return agentThatKnows(here, (await here.any.openSession(String(data.session))).state)
}
