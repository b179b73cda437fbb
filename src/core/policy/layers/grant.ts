import { grantRefusal } from '../../grant.ts'
import type { PolicyFacts } from '../facts.ts'
import type { Base, LayerEntry } from '../layers.ts'

/** The token that the call is made with. */
export function grantLayer(facts: PolicyFacts, base: Base): LayerEntry | undefined {
  if (facts.grant === undefined) return undefined
  const { principal, audience, now } = facts
  const reason = grantRefusal(facts.grant, {
    tool: facts.tool.name,
    toolClass: base.toolClass,
    ...(principal !== undefined && { subject: principal }),
    ...(audience !== undefined && { audience }),
    ...(now !== undefined && { now }),
  })
  if (reason === undefined) return undefined
  return { layer: 'grant', verdict: 'deny', category: 'grant', reason }
}
