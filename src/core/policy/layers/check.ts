import type { PolicyFacts } from '../facts.ts'
import type { LayerEntry } from '../layers.ts'

/** What the check made for this one call came to. One that did not end refuses the call. */
export function checkLayer(facts: PolicyFacts): LayerEntry | undefined {
  const { check } = facts
  if (check === undefined) return undefined
  if ('failed' in check) return refusal(`The check of this call failed: ${check.failed}`)
  if (check.verdict === 'run') return undefined
  if (check.verdict !== 'ask') return refusal(check.reason ?? 'The check of this call refuses it.')
  return {
    layer: 'check',
    verdict: 'ask',
    category: 'dynamic',
    reason: check.reason ?? 'The check of this call wants a person to be asked.',
  }
}

function refusal(reason: string): LayerEntry {
  return { layer: 'check', verdict: 'deny', category: 'dynamic', reason }
}
