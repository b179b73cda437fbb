import fc from 'fast-check'
import type { Decision } from '../../../src/core/policy/evaluate.ts'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { ToolClass, ToolMode, Verdict } from '../../../src/index.ts'
import { classOrder, modeOrder, verdictOrder } from './policy-facts.ts'

export type Evaluate = (facts: PolicyFacts) => Decision

/** A law of the policy: what it is about, and whether it holds of one such thing. */
export interface PolicyLaw {
  readonly name: string
  readonly given: fc.Arbitrary<readonly unknown[]>
  readonly holds: (evaluate: Evaluate, given: readonly unknown[]) => boolean
}

/** A law with its name, what it is about, and how it is looked at. */
export function law<Given extends unknown[]>(
  name: string,
  given: { [Place in keyof Given]: fc.Arbitrary<Given[Place]> },
  holds: (evaluate: Evaluate, ...given: Given) => boolean,
): PolicyLaw {
  return {
    name,
    given: fc.tuple(...given),
    holds: (evaluate, values) => holds(evaluate, ...(values as Given)),
  }
}

export const rank = (verdict: Verdict) => verdictOrder.indexOf(verdict)
export const strictest = (...said: readonly Verdict[]) => verdictOrder[Math.max(...said.map(rank))]!
export const strictestClass = (...given: readonly (ToolClass | undefined)[]) =>
  classOrder[Math.max(...given.map((one) => (one === undefined ? -1 : classOrder.indexOf(one))))]
export const narrower = (a: ToolMode, b: ToolMode) =>
  modeOrder[Math.min(modeOrder.indexOf(a), modeOrder.indexOf(b))]!

/** The facts without some layers. */
export const without = (facts: PolicyFacts, ...keys: readonly (keyof PolicyFacts)[]): PolicyFacts =>
  Object.fromEntries(
    Object.entries(facts).filter(([key]) => !keys.includes(key as keyof PolicyFacts)),
  ) as unknown as PolicyFacts

/** The facts about a tool that differs in this. */
export const withTool = (facts: PolicyFacts, change: Partial<PolicyFacts['tool']>): PolicyFacts => ({
  ...facts,
  tool: { ...facts.tool, ...change },
})

/** One rule of the administrator's. */
export const rule = (change: object) => ({
  rules: [{ id: 'r', tool: 'look', verdict: 'deny', reason: 'Because.', ...change }],
})
export const judgedAlike = (a: Decision, b: Decision) =>
  a.verdict === b.verdict && a.toolClass === b.toolClass
