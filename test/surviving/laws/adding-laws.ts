import type fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import { adding } from './adding.ts'
import { law, type PolicyLaw, strictest, without, withTool } from './law.ts'
import { factsOfAll, type LayerKey } from './policy-facts.ts'

const named = <T extends PolicyFacts>(facts: fc.Arbitrary<T>) =>
  facts.map((given) => withTool(given, { source: { ...given.tool.source, name: 'docs' } }))

/** Adding a layer gives the stricter of the verdict without it and what it says, and no more. */
export const addingLaws = adding.map(
  ([what, layer, says, category]): PolicyLaw =>
    law(`${what} says ${says}`, [named(factsOfAll), layer], (evaluate, facts, added) => {
      const key = Object.keys(added).at(-1) as LayerKey
      const bare = {
        ...without(facts, key),
        ...('call' in added ? { call: added.call } : {}),
        governed: true,
      } as PolicyFacts
      const [before, after] = [evaluate(bare), evaluate({ ...bare, ...added } as PolicyFacts)]
      if (after.verdict !== strictest(before.verdict, says)) return false
      return before.verdict === 'deny' || after.verdict !== 'deny' || after.category === category
    }),
)
