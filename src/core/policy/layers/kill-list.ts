import type { KillEntry, PolicyFacts } from '../facts.ts'
import type { LayerEntry } from '../layers.ts'

/** The operator's emergency stop: for a tool, a server, or a principal. */
export function killListLayer(facts: PolicyFacts): LayerEntry | undefined {
  const hit = facts.killed?.find((entry) => isKilled(entry, facts))
  if (hit === undefined) return undefined
  const why = hit.reason === undefined ? '.' : `: ${hit.reason}`
  return {
    layer: 'kill-list',
    verdict: 'deny',
    category: 'kill',
    reason: `The operator has stopped this ${hit.kind}${why}`,
  }
}

function isKilled(entry: KillEntry, facts: PolicyFacts): boolean {
  switch (entry.kind) {
    case 'tool':
      return entry.name === facts.tool.name
    case 'server':
      return entry.name === facts.tool.source.name
    case 'principal':
      return entry.name === facts.principal
    default:
      // A stop that is not understood stops everything.
      return true
  }
}
