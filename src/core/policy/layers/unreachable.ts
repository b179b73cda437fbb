import type { PolicyFacts } from '../facts.ts'
import { type LayerEntry, type LayerName, layerNames } from '../layers.ts'

/** Layers that could not be read: what they would have said is not known, so nothing is allowed. */
export function unreachableLayers(facts: PolicyFacts): readonly LayerEntry[] | undefined {
  if (facts.unreachable === undefined || facts.unreachable.length === 0) return undefined
  return facts.unreachable.map((name) => ({
    layer: layerNames.includes(name as LayerName) ? (name as LayerName) : 'check',
    verdict: 'deny',
    category: 'unknown',
    reason: `The layer "${name}" could not be read, so nothing is allowed.`,
  }))
}
