import { isToolClass } from '../class.ts'
import { contractEntry, contractRestricts } from '../contract.ts'
import type { PolicyFacts } from '../facts.ts'
import type { LayerEntry } from '../layers.ts'

/** The administrator's list: a tool that it leaves out is refused, one that it lists may be given a stricter class. */
export function contractLayer(facts: PolicyFacts): LayerEntry | undefined {
  const { contract, tool } = facts
  if (contract === undefined) return undefined
  const entry = contractEntry(contract, tool.name)
  if (entry === undefined) {
    return contractRestricts(contract)
      ? refusal('contract', 'The contract does not list this tool.')
      : undefined
  }
  if (entry.toolClass === undefined) return undefined
  if (!isToolClass(entry.toolClass)) {
    return refusal('unknown', 'The contract gives the tool a class that is not known.')
  }
  return {
    layer: 'contract',
    toolClass: entry.toolClass,
    category: 'contract',
    reason: `The contract lists the tool as ${entry.toolClass} or stricter.`,
  }
}

function refusal(category: 'contract' | 'unknown', reason: string): LayerEntry {
  return { layer: 'contract', verdict: 'deny', category, reason }
}
