import type { Decision } from '../core/policy/evaluate.ts'
import type { PolicyFacts } from '../core/policy/facts.ts'
import { evaluateOffer } from '../core/policy/offer.ts'
import type { ProviderTool } from '../core/tool/provider-tool.ts'
import { bounded, runFacts } from './judge.ts'
import type { PolicyLayers, Task } from './task.ts'

/** What the policy knows of a tool that the provider runs: the developer chose it, so it counts as a tool of his. */
export function providerToolFacts({ id, name, version, toolClass }: ProviderTool): PolicyFacts['tool'] {
  const [provider = id] = id.split('.')
  return {
    name,
    version,
    source: { kind: 'provider', name: provider, trusted: true },
    developer: true,
    ...(toolClass === undefined ? {} : { declaredClass: toolClass }),
  }
}

/**
 * Decides about offering a tool that the provider runs. It is the only decision that there ever is about it: only
 * `run` may be offered, since a call can be neither looked at nor held.
 */
export function judgeProviderTool(task: Task, tool: ProviderTool): Decision {
  const facts = runFacts(task, providerToolFacts(tool), withoutConditions(task.layers()))
  return evaluateOffer(bounded(task, facts))
}

/** The arguments of a call are never seen, so a rule that depends on them counts as one that fits. */
export function withoutConditions(layers: PolicyLayers): PolicyLayers {
  if (layers.rules === undefined) return layers
  return { ...layers, rules: layers.rules.map(({ when: _when, ...rule }) => rule) }
}
