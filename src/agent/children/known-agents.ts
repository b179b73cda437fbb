import type { Catalog } from '../../core/catalog.ts'
import { type Runnable, runnable } from '../../core/child.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { Definition } from '../definition.ts'

/** The agents that tools run. */
const ofTools = new WeakMap<Tool, Runnable>()
/** The agents that calls of an agent have started in this process, by their names. */
const ofCalls = new WeakMap<Catalog, Map<string, Runnable>>()

/** What an agent is made of. */
export function definitionOf(agent: Runnable): Definition {
  return agent[runnable] as Definition
}

/** Remembers which agent a tool runs. */
export function bindAgent(tool: Tool, agent: Runnable): void {
  ofTools.set(tool, agent)
}

/** Remembers an agent that a call has started: its asks can be answered with its own tools' schemas from then on. */
export function rememberAgent({ catalog }: Definition, agent: Runnable): void {
  const known = ofCalls.get(catalog) ?? new Map<string, Runnable>()
  known.set(agent.name, agent)
  ofCalls.set(catalog, known)
}

/** The agent of this name that this one's calls start, as far as this process knows. */
export function childNamed({ catalog, agents = [] }: Definition, name: string): Runnable | undefined {
  const started = ofCalls.get(catalog)?.get(name)
  if (started !== undefined) return started
  for (const tool of catalog.tools) {
    const agent = ofTools.get(tool)
    if (agent?.name === name) return agent
  }
  return agents.find((each) => each.name === name)
}

/** The agent of a child that a call has started: its tool's own, where that has this name. */
export function childOfCall(
  definition: Definition,
  call: { readonly name: string },
  name: string,
): Runnable | undefined {
  const tool = definition.catalog.find(call.name)
  const own = tool && ofTools.get(tool)
  return own?.name === name ? own : childNamed(definition, name)
}

/** The agent at the end of a path of names, which this one stands on; undefined when this process does not know it. */
export function agentAtPath(definition: Definition, path: readonly string[]): Definition | undefined {
  let found: Definition | undefined = definition
  for (const name of path.slice(path.indexOf(definition.name) + 1)) {
    if (!path.includes(definition.name) || found === undefined) return undefined
    const child = childNamed(found, name)
    found = child && definitionOf(child)
  }
  return found
}
