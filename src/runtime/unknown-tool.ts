import type { CallState, SessionState } from '../core/run/state.ts'

/** Why the tool of an ask is not known in this process, and what to do: it may be one of an agent that another one starts. */
export function unknownTool({ agent, parent }: SessionState, { name }: CallState): string {
  const above = parent?.path.at(-1)
  if (above === undefined) return `The agent "${agent}" has no tool "${name}" here.`
  return `The tool "${name}" of the agent "${agent}" is not known here; name that agent in the option "agents" of "${above}", whose calls start it.`
}
