import fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { ToolClass } from '../../../src/index.ts'
import { judgedAlike, law, type PolicyLaw, rule, withTool } from './law.ts'
import { classes, factsOfAll, openFacts, remembers } from './policy-facts.ts'

export const answer = (change: object = {}) => ({
  tool: 'look',
  version: 'v1',
  toolClass: 'write' as ToolClass,
  approved: true,
  ticket: 't',
  by: 'ada',
  at: 0,
  ...change,
})
export const remembered = (
  facts: PolicyFacts,
  ...answers: readonly ReturnType<typeof answer>[]
): PolicyFacts => ({
  ...facts,
  remembered: answers,
})

export const rememberedLaws: readonly PolicyLaw[] = [
  law(
    'a remembered approval turns ask into run where it may be remembered, and changes nothing else',
    [factsOfAll],
    (evaluate, facts) => {
      const before = evaluate(facts)
      const after = evaluate(remembered(facts, answer({ toolClass: before.toolClass })))
      const isLoosened = before.verdict === 'ask' && before.qualities.remember !== 'none'
      if (after.verdict !== (isLoosened ? 'run' : before.verdict)) return false
      return after.remembered === (isLoosened ? 't' : undefined)
    },
  ),
  law(
    'an approval of another tool, version or class does not count',
    [factsOfAll, fc.constantFrom('tool', 'version', 'toolClass')],
    (evaluate, facts, key) => {
      const before = evaluate(facts)
      const others: Record<string, unknown> = {
        tool: 'other',
        version: 'v2',
        toolClass: before.toolClass === 'read' ? 'write' : 'read',
      }
      const given = answer({ toolClass: before.toolClass, [key]: others[key] })
      return judgedAlike(before, evaluate(remembered(facts, given)))
    },
  ),
  law(
    'a remembered refusal refuses the tool whatever became of it, and an approval beside it does not help',
    [factsOfAll, fc.boolean()],
    (evaluate, facts, isFirst) => {
      const { toolClass } = evaluate(facts)
      const pair = [answer({ approved: false, version: 'v0', toolClass: 'read' }), answer({ toolClass })]
      return evaluate(remembered(facts, ...(isFirst ? pair : pair.reverse()))).verdict === 'deny'
    },
  ),
  law('a remembered refusal of another tool does not count', [factsOfAll], (evaluate, facts) =>
    judgedAlike(evaluate(facts), evaluate(remembered(facts, answer({ approved: false, tool: 'other' })))),
  ),
  law(
    'how long an approval lasts is the shortest that class, tool and fitting rules allow',
    [classes, remembers, remembers, fc.boolean(), fc.boolean()],
    (evaluate, declaredClass, ofTool, ofRule, forced, fits) => {
      const order = ['none', 'session', 'rule']
      const ofClass = declaredClass === 'external' || declaredClass === 'destructive' ? 'session' : 'rule'
      const rules = rule({ verdict: 'ask', remember: ofRule, forced, tool: fits ? 'look' : 'other' })
      const facts = withTool(
        { ...openFacts, ...(rules as Partial<PolicyFacts>) },
        { declaredClass, remember: ofTool },
      )
      const said = [ofClass, ofTool, ...(fits ? [forced ? 'none' : ofRule] : [])]
      const expected = order[Math.min(...said.map((one) => order.indexOf(one)))]
      return evaluate(facts).qualities.remember === expected
    },
  ),
]
