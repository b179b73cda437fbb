import type { PolicyFacts, PolicyRule } from '../facts.ts'
import type { LayerEntry } from '../layers.ts'
import { judgePredicate } from '../predicate.ts'

/** The administrator's rules: an entry for every one that fits the call. */
export function rulesLayer(facts: PolicyFacts): readonly LayerEntry[] | undefined {
  let entries: LayerEntry[] | undefined
  for (const rule of facts.rules ?? []) {
    if (!fits(rule, facts)) continue
    entries ??= []
    entries.push(entryOf(rule))
  }
  return entries
}

/** A rule that cannot be read fits: rules only make a decision stricter. */
function fits(rule: PolicyRule, facts: PolicyFacts): boolean {
  if (typeof rule.tool === 'string' && rule.tool !== '*' && rule.tool !== facts.tool.name) return false
  if (rule.when === undefined) return true
  const outcome = judgePredicate(rule.when, facts.call?.args)
  // Without arguments it cannot be said that a condition is fulfilled, not even that a field is absent.
  return outcome === 'malformed' || (outcome === 'match' && facts.call !== undefined)
}

function entryOf(rule: PolicyRule): LayerEntry {
  const remember = rule.forced === true ? 'none' : rule.remember
  return {
    layer: 'rules',
    verdict: rule.verdict === 'ask' ? 'ask' : 'deny',
    category: 'rule',
    reason: rule.reason,
    ruleId: rule.id,
    ...(remember && { qualities: { remember } }),
    ...(rule.private === true && { private: true }),
  }
}
