import type { Agent } from '../agent/agent.ts'
import type { ApprovalHandler } from '../agent/approver.ts'
import { type Definition, redefine } from '../agent/definition.ts'
import type { Clock } from '../core/clock.ts'
import type { Driver } from '../core/driver.ts'
import type { IdSource } from '../core/id.ts'
import { memoryStore } from '../stores/memory/memory-store.ts'
import { approvalsBeside, type HasAnswer, inputsBeside } from './leave-to-script.ts'
import { type ScriptedResults, scriptedCatalog } from './scripted-catalog.ts'

/** What stands in for parts of an agent; the agent's own hold where nothing is given. */
export interface Replacements {
  readonly results: ScriptedResults
  readonly driver?: (clock: Clock) => Driver
  readonly approvals?: ApprovalHandler | undefined
  /** What a script answers comes before the handlers; `decides` says whether it decides asks at all. */
  readonly script?: { readonly decides: boolean; readonly hasAnswer: HasAnswer }
  readonly clock?: Clock | undefined
  readonly ids?: IdSource
}

/** Another agent with these parts and a new store in memory; the one given stays as it is. */
export function testedAgent(agent: Agent, replacements: Replacements): Agent {
  return agent[redefine]((definition) => replaced(definition, replacements))
}

function replaced(definition: Definition, replacements: Replacements): Definition {
  const { results, driver, clock = definition.parts.clock, ids = definition.parts.ids } = replacements
  return {
    ...definition,
    ...(driver === undefined ? {} : { driver: driver(clock) }),
    catalog: scriptedCatalog(definition.catalog, results),
    parts: { ...definition.parts, store: memoryStore(), ids, clock },
    ...answerers(definition, replacements),
  }
}

function answerers(definition: Definition, { approvals, script }: Replacements): Partial<Definition> {
  const given = approvals ?? definition.approvals
  const asked = script?.decides === true ? approvalsBeside(given, script.hasAnswer) : given
  const { inputs, layers } = definition
  return {
    // As in agent(): who has somebody to ask is governed.
    ...(asked === undefined ? {} : { approvals: asked, layers: { ...layers, governed: true } }),
    ...(inputs === undefined || script === undefined
      ? {}
      : { inputs: inputsBeside(inputs, script.hasAnswer) }),
  }
}
