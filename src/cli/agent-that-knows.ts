import type { Agent } from '../agent/agent.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import { agentOf } from '../agent/find-ask.ts'
import type { SessionState } from '../core/run/state.ts'
import type { AgentsHere } from './agents-here.ts'

/** The agent of a module by which a session goes on: its own, or one above it that knows its own; undefined when there is none. */
export function agentThatKnows(
  { exported = [] }: Pick<AgentsHere, 'exported'>,
  state: SessionState,
): Agent | undefined {
  return exported.find((each) => agentOf(definitionOf(each), state)?.name === state.agent)
}
