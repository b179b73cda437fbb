import fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { ToolClass, ToolMode, Verdict } from '../../../src/index.ts'
import {
  judgedAlike,
  law,
  narrower,
  type PolicyLaw,
  strictest,
  strictestClass,
  without,
  withTool,
} from './law.ts'
import { classes, classOrder, factsOfAll, hints, modes, openFacts, pruned } from './policy-facts.ts'

const table: Readonly<Record<ToolMode, readonly Verdict[]>> = {
  off: ['deny', 'deny', 'deny', 'deny', 'deny'],
  read_only: ['run', 'ask', 'deny', 'deny', 'deny'],
  ask: ['run', 'ask', 'ask', 'ask', 'ask'],
  auto: ['run', 'run', 'run', 'ask', 'ask'],
}

const hinted = (facts: fc.Arbitrary<PolicyFacts>) => fc.tuple(facts, hints, fc.boolean())

/** What hints admit to, against a class of the developer's. */
function admitted({
  readOnly,
  destructive,
  openWorld,
}: {
  readOnly?: boolean
  destructive?: boolean
  openWorld?: boolean
}): ToolClass {
  if (destructive === true) return 'destructive'
  if (readOnly === false && openWorld === true) return 'external'
  if (readOnly === false) return 'write'
  return openWorld === true ? 'sensitive' : 'read'
}

export const classLaws: readonly PolicyLaw[] = [
  law(
    'the mode and the class alone decide as the table says',
    [modes, classes],
    (evaluate, mode, declaredClass) => {
      const { verdict, category } = evaluate(withTool({ ...openFacts, mode }, { declaredClass }))
      return (
        verdict === table[mode][classOrder.indexOf(declaredClass)] &&
        (verdict !== 'deny' || category === 'mode')
      )
    },
  ),
  law('without a mode it is ask, and an unknown mode refuses', [factsOfAll], (evaluate, facts) => {
    const governed = { ...without(facts, 'mode'), governed: true }
    if (evaluate({ ...governed, mode: 'odd' as ToolMode }).verdict !== 'deny') return false
    return judgedAlike(evaluate(governed), evaluate({ ...governed, mode: 'ask' }))
  }),
  law(
    'a profile and a parent narrow the mode, and never widen it',
    [factsOfAll, modes, fc.constantFrom('profile', 'parent')],
    (evaluate, facts, modeMax, limiter) => {
      const bare = { ...without(facts, 'profile', 'parent'), governed: true }
      const limit =
        limiter === 'profile' ? { profile: { modeMax } } : { parent: { verdict: 'run', modeMax } as const }
      const limited = evaluate({ ...bare, ...limit })
      const alike = evaluate({ ...bare, mode: narrower(bare.mode ?? 'ask', modeMax) })
      return judgedAlike(limited, alike) && limited.mode === alike.mode
    },
  ),
  law(
    'the class is the strictest of the declared one, the one of the arguments, the contract and the hints',
    [hinted(factsOfAll), classes, fc.option(classes, { nil: undefined })],
    (evaluate, [facts, given, trusted], declaredClass, listed) => {
      const tool = { ...facts.tool, declaredClass, source: { kind: 'mcp', trusted, hints: given } }
      const { callClass, classByArguments } = tool
      const unknown = classByArguments === true && callClass === undefined && facts.call !== undefined
      const contract = { tools: { look: pruned({ toolClass: listed }) } }
      const expected = strictestClass(
        declaredClass,
        callClass,
        listed,
        admitted(given),
        unknown ? 'destructive' : undefined,
      )
      return evaluate({ ...facts, tool, contract }).toolClass === expected
    },
  ),
  law(
    'without any class it is destructive, and hints alone count only of a trusted source',
    [hints, fc.boolean()],
    (evaluate, given, trusted) => {
      const { declaredClass: _declared, ...tool } = openFacts.tool
      const decision = evaluate({
        ...openFacts,
        tool: { ...tool, source: { kind: 'mcp', trusted, hints: given } },
      })
      const { readOnly, destructive, openWorld } = given
      const isReading = trusted && readOnly === true && destructive !== true
      const isChanging = trusted && destructive === false && readOnly !== true
      const expected: ToolClass = isReading
        ? openWorld === false
          ? 'read'
          : 'sensitive'
        : isChanging
          ? openWorld === false
            ? 'write'
            : 'external'
          : 'destructive'
      return decision.toolClass === expected
    },
  ),
  law(
    'an unknown class refuses',
    [factsOfAll, fc.constantFrom('declaredClass', 'callClass')],
    (evaluate, facts, key) => {
      const decision = evaluate(withTool(facts, { [key]: 'odd' }))
      return decision.verdict === 'deny'
    },
  ),
  law(
    'a tool that asks is asked about in every mode that does not hide it',
    [factsOfAll],
    (evaluate, facts) => {
      const governed = { ...facts, governed: true }
      const plain = evaluate(withTool(governed, { ask: false }))
      const asking = evaluate(withTool(governed, { ask: true }))
      return asking.verdict === strictest(plain.verdict, 'ask')
    },
  ),
  law(
    'a grant and a parent allow up to their class, that one included',
    [factsOfAll, classes, fc.constantFrom('grant', 'parent')],
    (evaluate, facts, max, limiter) => {
      const bare = { ...without(facts, 'grant', 'parent'), governed: true }
      const limit =
        limiter === 'grant'
          ? { grant: { subject: 'ada', classMax: max } }
          : { parent: { verdict: 'run', toolClassMax: max } as const }
      const [before, after] = [evaluate(bare), evaluate({ ...bare, ...limit })]
      const isWithin = classOrder.indexOf(before.toolClass) <= classOrder.indexOf(max)
      return after.verdict === (isWithin ? before.verdict : 'deny')
    },
  ),
  law(
    'a function of the developer runs where nothing was ever set up, and nothing else does',
    [fc.boolean(), fc.boolean(), fc.option(classes, { nil: undefined })],
    (evaluate, developer, governed, declaredClass) => {
      const { declaredClass: _declared, ...tool } = openFacts.tool
      const facts = {
        ...without(openFacts, 'mode'),
        governed,
        tool: { ...tool, developer, ...pruned({ declaredClass }) },
      }
      const isFree = developer && !governed && declaredClass === undefined
      const decision = evaluate(facts)
      if (isFree) return decision.verdict === 'run' && decision.mode === undefined
      return decision.verdict === table.ask[classOrder.indexOf(declaredClass ?? 'destructive')]
    },
  ),
  law(
    'a contract, a profile, a mode or the mode of a parent ends that freedom',
    [
      fc.constantFrom<Partial<PolicyFacts>>(
        { contract: { tools: {} } },
        { profile: {} },
        { mode: 'ask' },
        { parent: { verdict: 'run', modeMax: 'auto' } },
      ),
    ],
    (evaluate, set) => {
      const { declaredClass: _declared, ...tool } = openFacts.tool
      const facts = {
        ...without(openFacts, 'mode'),
        governed: false,
        tool: { ...tool, developer: true },
        ...set,
      }
      return evaluate(facts).verdict === 'ask'
    },
  ),
]
