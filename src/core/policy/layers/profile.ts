import type { PolicyFacts } from '../facts.ts'
import type { LayerEntry } from '../layers.ts'
import { isToolMode } from '../mode.ts'

/** The agent's profile: the widest mode, and the tools that it may use at all. */
export function profileLayer(facts: PolicyFacts): LayerEntry | undefined {
  const { profile } = facts
  if (profile === undefined) return undefined
  const { modeMax, tools } = profile
  if (modeMax !== undefined && !isToolMode(modeMax)) {
    return refusal('unknown', 'The profile limits the mode to one that is not known.')
  }
  const narrowed = modeMax && { modeMax }
  if (tools !== undefined && !(Array.isArray(tools) && tools.includes(facts.tool.name))) {
    return { ...refusal('profile', 'The profile does not list this tool.'), ...narrowed }
  }
  if (modeMax === undefined) return undefined
  return {
    layer: 'profile',
    modeMax,
    category: 'profile',
    reason: `The profile allows no mode wider than ${modeMax}.`,
  }
}

function refusal(category: 'profile' | 'unknown', reason: string): LayerEntry {
  return { layer: 'profile', verdict: 'deny', category, reason }
}
