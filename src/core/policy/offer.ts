import { type Decision, evaluate } from './evaluate.ts'
import type { PolicyFacts } from './facts.ts'

/**
 * Decides about a tool before anybody calls it: without arguments, and by the loosest class that it can have.
 * A refusal here needs no arguments, so the tool is not offered, and a call made all the same is refused.
 */
export function evaluateOffer(facts: PolicyFacts): Decision {
  return evaluate(standing(facts))
}

/** The facts without those of one call; mostly there are none yet. */
function standing(facts: PolicyFacts): PolicyFacts {
  if (!('call' in facts || 'check' in facts || 'callClass' in facts.tool)) return facts
  const { call, check, ...rest } = facts
  const { callClass, ...tool } = facts.tool
  return { ...rest, tool }
}

/** Whether the model is shown a tool. */
export function offered(facts: PolicyFacts): boolean {
  return evaluateOffer(facts).verdict !== 'deny'
}
