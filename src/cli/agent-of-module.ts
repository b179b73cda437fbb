import type { Agent } from '../agent/agent.ts'
import { redefine } from '../agent/definition.ts'
import { ToolpostError } from '../core/error.ts'
import { loadModule } from './load-module.ts'

/** The agents that a module exports: by default, by name, or in both ways. */
export interface ModuleAgents {
  readonly agents: readonly Agent[]
  /** The default export; without one, the only agent. */
  readonly chief?: Agent
}

/** Errors: INVALID_ARGUMENT when the module cannot be loaded, or exports no agent. */
export async function agentsOfModule(module: string): Promise<ModuleAgents> {
  const exported = await loadModule(module)
  const agents = [...new Set(Object.values(exported).filter(isAgent))]
  if (agents.length === 0)
    throw new ToolpostError('INVALID_ARGUMENT', `The module "${module}" exports no agent.`)
  const named = (exported as { readonly default?: unknown }).default
  const chief = isAgent(named) ? named : agents.length === 1 ? agents[0] : undefined
  return { agents, ...(chief === undefined ? {} : { chief }) }
}

/** The agent of a module that bears a name, or its only one. Errors: INVALID_ARGUMENT. */
export async function agentOfModule(module: string, name: string): Promise<Agent> {
  const { agents } = await agentsOfModule(module)
  const found = agents.find((each) => each.name === name) ?? (agents.length === 1 ? agents[0] : undefined)
  if (found !== undefined) return found
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The module "${module}" exports the agents ${namesOf(agents)} and none named "${name}".`,
  )
}

/** The names of agents, in a sentence. */
export function namesOf(agents: readonly Agent[]): string {
  return agents.map(({ name }) => `"${name}"`).join(', ')
}

/** An agent made by another copy of the package is one as well. */
function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && redefine in value
}
