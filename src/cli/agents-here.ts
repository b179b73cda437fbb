import type { Agent } from '../agent/agent.ts'
import { definitionOf } from '../agent/children/known-agents.ts'
import { redefine } from '../agent/definition.ts'
import { ToolpostError } from '../core/error.ts'
import type { Store } from '../core/store.ts'
import { memoryStore } from '../stores/memory/memory-store.ts'
import { agentsOfModule, type ModuleAgents, namesOf } from './agent-of-module.ts'
import type { Place } from './command-options.ts'
import { mainAgent } from './main-agent.ts'
import { withExistingStore, withStore } from './open-store.ts'
import { silentModel } from './silent-model.ts'

/** The agents that a command works on, and the one store that holds their sessions. */
export interface AgentsHere {
  readonly store: Store
  /** The agents of a module; undefined for the folder's own. */
  readonly exported?: readonly Agent[]
  /**
   * The agent of a session, by its name; without a name, or when none bears it, the one that stands for all. Errors: INVALID_ARGUMENT when a module has several and none is its default.
   */
  agentFor(name?: string): Agent
  /** Any of them, for what is the same whichever does it. */
  readonly any: Agent
}

/**
 * Opens what a place works on and closes it when `use` is done: the agents of its module with their own store, or the
 * folder's agent with the file there. Errors: INVALID_ARGUMENT when the folder's store is missing, unless it is made.
 */
export async function withAgents<Value>(
  place: Place,
  use: (here: AgentsHere) => Promise<Value>,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<Value> {
  const open = makes ? withStore : withExistingStore
  if (place.module !== undefined) return await withModule(place, place.module, use, open)
  return await open(place, async (store) => {
    const agent = folderAgent(place, store)
    return await use({ store, agentFor: () => agent, any: agent })
  })
}

/** The agent that stands for all, for looking at its tools: nothing is read from the folder's store, and none is made. */
export async function withAgentAlone<Value>(
  place: Place,
  use: (agent: Agent) => Promise<Value>,
): Promise<Value> {
  if (place.module === undefined) return await use(folderAgent(place, memoryStore()))
  const own = { ...place, isOwnStore: true }
  return await withAgents(own, ({ agentFor }) => use(agentFor()))
}

/** It asks no model, and nobody for approval. */
function folderAgent(place: Place, store: Store): Agent {
  const approvals = () => ({ approved: false })
  return mainAgent({ dir: place.folder.root, store, model: silentModel(), approvals })
}

async function withModule<Value>(
  place: Place,
  module: string,
  use: (here: AgentsHere) => Promise<Value>,
  open: typeof withStore,
): Promise<Value> {
  const loaded = await agentsOfModule(module)
  if (!place.isOwnStore) return await open(place, (store) => use(hereOf(module, storedIn(store, loaded))))
  const here = hereOf(module, loaded)
  try {
    return await use(here)
  } finally {
    await here.store.close()
  }
}

function hereOf(module: string, { agents, chief }: ModuleAgents): AgentsHere {
  const any = chief ?? (agents[0] as Agent)
  const { store } = definitionOf(any).parts
  const exported = agents.filter((each) => definitionOf(each).parts.store === store)
  if (chief === undefined && exported.length < agents.length) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `The agents ${namesOf(agents)} of the module "${module}" have stores of their own; give them one, export one agent as default, or name a file with --store.`,
    )
  }
  const agentFor = (name?: string) =>
    exported.find((each) => each.name === name) ?? chiefOf(module, exported, chief)
  return { store, exported, agentFor, any }
}

function chiefOf(module: string, agents: readonly Agent[], chief: Agent | undefined): Agent {
  if (chief !== undefined) return chief
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The module "${module}" exports the agents ${namesOf(agents)}; export the one that is meant as default.`,
  )
}

/** The same agents over a store that was named in place of their own. */
function storedIn(store: Store, { agents, chief }: ModuleAgents): ModuleAgents {
  const moved = agents.map((each) =>
    each[redefine]((definition) => ({ ...definition, parts: { ...definition.parts, store } })),
  )
  const instead = chief === undefined ? undefined : moved[agents.indexOf(chief)]
  return { agents: moved, ...(instead === undefined ? {} : { chief: instead }) }
}
