import { compareClass, isToolClass } from '../class.ts'
import type { ParentFacts, PolicyFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'
import { isToolMode } from '../mode.ts'
import { isVerdict } from '../verdict.ts'

/** The agent or program that the call is made for: its child is never freer than it is. */
export function parentLayer(facts: PolicyFacts, base: Base): LayerEntry | undefined {
  const { parent } = facts
  if (parent === undefined) return undefined
  const limit = parent.modeMax && isToolMode(parent.modeMax) && { modeMax: parent.modeMax }
  const refused = unreadable(parent) ?? refusal(parent, facts, base)
  if (refused !== undefined) return { ...refused, ...limit }
  if (parent.verdict === 'run' && !limit) return undefined
  const asks = parent.verdict === 'ask'
  return {
    layer: 'parent',
    category: 'parent',
    reason: asks
      ? 'The parent has to ask about this itself.'
      : `The parent allows no mode wider than ${parent.modeMax}.`,
    ...(asks && { verdict: 'ask' }),
    ...(asks && parent.qualities && { qualities: parent.qualities }),
    ...limit,
  }
}

function unreadable(parent: ParentFacts): LayerEntry | undefined {
  const known =
    isVerdict(parent.verdict) &&
    (parent.modeMax === undefined || isToolMode(parent.modeMax)) &&
    (parent.toolClassMax === undefined || isToolClass(parent.toolClassMax))
  return known ? undefined : deny('unknown', "The parent's limits are not known.")
}

function refusal(parent: ParentFacts, facts: PolicyFacts, base: Base): LayerEntry | undefined {
  const { tools, toolClassMax } = parent
  if (parent.verdict === 'deny') return deny('parent', 'The parent may not do this itself.')
  if (tools !== undefined && !(Array.isArray(tools) && tools.includes(facts.tool.name))) {
    return deny('parent', 'The parent was not given this tool.')
  }
  if (toolClassMax === undefined || compareClass(base.toolClass, toolClassMax) <= 0) return undefined
  return deny(
    'parent',
    `The parent may use tools up to class ${toolClassMax}, and this one is ${base.toolClass}.`,
  )
}

function deny(category: 'parent' | 'unknown', reason: string): LayerEntry {
  return { layer: 'parent', verdict: 'deny', category, reason }
}
