import fc from 'fast-check'
import type { Decision } from '../../src/core/policy/evaluate.ts'
import type { PolicyFacts } from '../../src/core/policy/facts.ts'
import type { ToolClass, ToolMode, Verdict } from '../../src/index.ts'
import {
  classes,
  classOrder,
  factsOfAll,
  hints,
  type LayerKey,
  layers,
  modeOrder,
  modes,
  names,
  openFacts,
  pruned,
  remembers,
  verdictOrder,
} from './policy-facts.ts'

export type Evaluate = (facts: PolicyFacts) => Decision

/** A law of the policy: what it is about, and whether it holds of one such thing. */
export interface PolicyLaw {
  readonly name: string
  readonly given: fc.Arbitrary<readonly unknown[]>
  readonly holds: (evaluate: Evaluate, given: readonly unknown[]) => boolean
}

function law<Given extends unknown[]>(
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

const rank = (verdict: Verdict) => verdictOrder.indexOf(verdict)
const strictest = (...said: readonly Verdict[]) => verdictOrder[Math.max(...said.map(rank))]!
const strictestClass = (...given: readonly (ToolClass | undefined)[]) =>
  classOrder[Math.max(...given.map((one) => (one === undefined ? -1 : classOrder.indexOf(one))))]
const narrower = (a: ToolMode, b: ToolMode) =>
  modeOrder[Math.min(modeOrder.indexOf(a), modeOrder.indexOf(b))]!

const without = (facts: PolicyFacts, ...keys: readonly (keyof PolicyFacts)[]): PolicyFacts =>
  Object.fromEntries(
    Object.entries(facts).filter(([key]) => !keys.includes(key as keyof PolicyFacts)),
  ) as unknown as PolicyFacts

const withTool = (facts: PolicyFacts, change: Partial<PolicyFacts['tool']>): PolicyFacts => ({
  ...facts,
  tool: { ...facts.tool, ...change },
})

type Adding = readonly [
  what: string,
  layer: fc.Arbitrary<Partial<PolicyFacts>>,
  says: Verdict,
  category?: string,
]

const always = (facts: object) => fc.constant(facts as Partial<PolicyFacts>)
const rule = (change: object) => ({
  rules: [{ id: 'r', tool: 'look', verdict: 'deny', reason: 'Because.', ...change }],
})
const eve = { args: { to: 'eve', n: 1 }, digest: 'd' }
const when = (condition: unknown) => ({ call: eve, ...rule({ when: condition }) })
const grant = (change: object) => ({ grant: { subject: 'ada', ...change } })

/** Layers that say something whatever else there is, what they say, and what their refusal is counted as. */
const adding: readonly Adding[] = [
  ['a stop of the tool', always({ killed: [{ kind: 'tool', name: 'look' }] }), 'deny', 'kill'],
  ['a stop of the server', always({ killed: [{ kind: 'server', name: 'docs' }] }), 'deny', 'kill'],
  ['a stop of the principal', always({ killed: [{ kind: 'principal', name: 'ada' }] }), 'deny', 'kill'],
  ['a stop of an unknown kind', always({ killed: [{ kind: 'planet', name: 'x' }] }), 'deny', 'kill'],
  [
    'a second stop',
    always({
      killed: [
        { kind: 'tool', name: 'other' },
        { kind: 'tool', name: 'look' },
      ],
    }),
    'deny',
    'kill',
  ],
  ['a stop of another tool', always({ killed: [{ kind: 'tool', name: 'docs' }] }), 'run'],
  ['a stop of another server', always({ killed: [{ kind: 'server', name: 'look' }] }), 'run'],
  ['a stop of another principal', always({ killed: [{ kind: 'principal', name: 'docs' }] }), 'run'],
  ['a contract of other tools', always({ contract: { tools: { other: {} } } }), 'deny', 'contract'],
  [
    'a contract with an unknown class',
    always({ contract: { tools: { look: { toolClass: 'odd' } } } }),
    'deny',
    'unknown',
  ],
  ['a contract with the tool', always({ contract: { tools: { look: {} } } }), 'run'],
  ['a contract of no tools', always({ contract: { tools: {} } }), 'run'],
  ['a rule that refuses', always(rule({})), 'deny', 'rule'],
  ['a rule for every tool', always(rule({ tool: '*' })), 'deny', 'rule'],
  ['a rule that asks', always(rule({ verdict: 'ask' })), 'ask'],
  ['a rule with an unknown verdict', always(rule({ verdict: 'allow' })), 'deny', 'rule'],
  [
    'a second rule',
    always({ rules: [...rule({ verdict: 'ask' }).rules, ...rule({}).rules] }),
    'deny',
    'rule',
  ],
  ['a rule for another tool', always(rule({ tool: 'other' })), 'run'],
  ['a condition that is met', always(when({ path: '/to', eq: 'eve' })), 'deny', 'rule'],
  ['a condition that is not met', always(when({ path: '/to', eq: 'ada' })), 'run'],
  ['a list that has the value', always(when({ path: '/to', in: ['ada', 'eve'] })), 'deny', 'rule'],
  ['a list that has it not', always(when({ path: '/to', in: ['ada', 'bob'] })), 'run'],
  ['an absence that is one', always(when({ path: '/from', absent: true })), 'deny', 'rule'],
  ['an absence that is none', always(when({ path: '/to', absent: true })), 'run'],
  ['a presence that is one', always(when({ path: '/to', absent: false })), 'deny', 'rule'],
  ['a presence that is none', always(when({ path: '/from', absent: false })), 'run'],
  [
    'all of several',
    always(
      when({
        all: [
          { path: '/to', eq: 'eve' },
          { path: '/n', eq: 1 },
        ],
      }),
    ),
    'deny',
    'rule',
  ],
  [
    'not all of several',
    always(
      when({
        all: [
          { path: '/to', eq: 'eve' },
          { path: '/n', eq: 2 },
        ],
      }),
    ),
    'run',
  ],
  [
    'one of several',
    always(
      when({
        any: [
          { path: '/to', eq: 'ada' },
          { path: '/n', eq: 1 },
        ],
      }),
    ),
    'deny',
    'rule',
  ],
  [
    'none of several',
    always(
      when({
        any: [
          { path: '/to', eq: 'ada' },
          { path: '/n', eq: 2 },
        ],
      }),
    ),
    'run',
  ],
  [
    'a condition that cannot be read',
    fc
      .constantFrom(
        null,
        {},
        { any: [] },
        { path: 'to', eq: 1 },
        { path: '/to', like: 1 },
        { all: [{ path: '/to', eq: 'ada' }, 7] },
      )
      .map(when) as fc.Arbitrary<Partial<PolicyFacts>>,
    'deny',
    'rule',
  ],
  ['a profile of other tools', always({ profile: { tools: ['other'] } }), 'deny', 'profile'],
  ['a profile of no tools', always({ profile: { tools: [] } }), 'deny', 'profile'],
  ['a profile with the tool', always({ profile: { tools: ['look'] } }), 'run'],
  ['a profile with an unknown mode', always({ profile: { modeMax: 'odd' } }), 'deny', 'unknown'],
  ['a grant to somebody else', always(grant({ subject: 'bob' })), 'deny', 'grant'],
  ['a grant of other tools', always(grant({ tools: ['other'] })), 'deny', 'grant'],
  ['a grant of the tool', always(grant({ tools: ['look'] })), 'run'],
  ['a grant that ends now', always(grant({ expiresAt: 10 })), 'deny', 'grant'],
  ['a grant that has ended', always(grant({ expiresAt: 9 })), 'deny', 'grant'],
  ['a grant that ends later', always(grant({ expiresAt: 11 })), 'run'],
  ['a grant for others', always(grant({ audience: 'there' })), 'deny', 'grant'],
  ['a grant for us', always(grant({ audience: 'here' })), 'run'],
  ['a grant with an unknown class', always(grant({ classMax: 'odd' })), 'deny', 'grant'],
  ['a parent that may not', always({ parent: { verdict: 'deny' } }), 'deny', 'parent'],
  ['a parent that has to ask', always({ parent: { verdict: 'ask' } }), 'ask'],
  ['a parent that may', always({ parent: { verdict: 'run' } }), 'run'],
  ['a parent of an unknown verdict', always({ parent: { verdict: 'odd' } }), 'deny', 'unknown'],
  ['a parent of an unknown mode', always({ parent: { verdict: 'run', modeMax: 'odd' } }), 'deny', 'unknown'],
  [
    'a parent of an unknown class',
    always({ parent: { verdict: 'run', toolClassMax: 'odd' } }),
    'deny',
    'unknown',
  ],
  ['a parent of other tools', always({ parent: { verdict: 'run', tools: ['other'] } }), 'deny', 'parent'],
  ['a parent with the tool', always({ parent: { verdict: 'run', tools: ['look'] } }), 'run'],
  ['a check that refuses', always({ check: { verdict: 'deny' } }), 'deny', 'dynamic'],
  ['a check that asks', always({ check: { verdict: 'ask' } }), 'ask'],
  ['a check that agrees', always({ check: { verdict: 'run' } }), 'run'],
  ['a check of an unknown verdict', always({ check: { verdict: 'odd' } }), 'deny', 'dynamic'],
  ['a check that failed', always({ check: { failed: 'It broke.' } }), 'deny', 'dynamic'],
  [
    'a layer out of reach',
    fc.constantFrom('rules', 'weather').map((name) => ({ unreachable: [name] })),
    'deny',
    'unknown',
  ],
  ['no layer out of reach', always({ unreachable: [] }), 'run'],
]

const named = <T extends PolicyFacts>(facts: fc.Arbitrary<T>) =>
  facts.map((given) => withTool(given, { source: { ...given.tool.source, name: 'docs' } }))

/** Adding a layer gives the stricter of the verdict without it and what it says, and no more. */
const addingLaws = adding.map(
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

const judgedAlike = (a: Decision, b: Decision) => a.verdict === b.verdict && a.toolClass === b.toolClass

const classLaws: readonly PolicyLaw[] = [
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

const answer = (change: object = {}) => ({
  tool: 'look',
  version: 'v1',
  toolClass: 'write' as ToolClass,
  approved: true,
  ticket: 't',
  by: 'ada',
  at: 0,
  ...change,
})
const remembered = (facts: PolicyFacts, ...answers: readonly ReturnType<typeof answer>[]): PolicyFacts => ({
  ...facts,
  remembered: answers,
})

const rememberedLaws: readonly PolicyLaw[] = [
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

const order = [
  'kill-list',
  'tool',
  'source',
  'contract',
  'rules',
  'profile',
  'mode',
  'grant',
  'parent',
  'check',
  'remembered',
]

const traceLaws: readonly PolicyLaw[] = [
  law(
    'the verdict is the strictest of the trace, with a reason and, of a refusal, a category',
    [factsOfAll],
    (evaluate, facts) => {
      const decision = evaluate(facts)
      const said = decision.trace.map(({ verdict }) => verdict ?? 'run')
      if (decision.verdict !== strictest('run', ...said)) return false
      if (decision.reason === '' || decision.trace.some(({ reason }) => reason === '')) return false
      return (decision.category !== undefined) === (decision.verdict === 'deny')
    },
  ),
  law('the layers stand in the trace in their order', [factsOfAll], (evaluate, facts) => {
    const { trace } = evaluate(remembered(without(facts, 'unreachable'), answer({ approved: false })))
    const places = trace.map(({ layer }) => order.indexOf(layer))
    return places.every((place, index) => place >= (places[index - 1] ?? 0))
  }),
  law(
    'the text of a private rule is never the reason',
    [factsOfAll, fc.constantFrom('ask', 'deny')],
    (evaluate, facts, verdict) => {
      const secret = rule({ verdict, reason: 'The secret.', private: true }) as Partial<PolicyFacts>
      const open = rule({ verdict, reason: 'No secret.' }) as Partial<PolicyFacts>
      const [told, kept] = [evaluate({ ...facts, ...open }), evaluate({ ...facts, ...secret })]
      if (told.reason !== 'No secret.') return kept.reason === told.reason
      return !kept.reason.includes('The secret.')
    },
  ),
  law(
    'no layer, added to any others, makes a decision looser',
    [
      factsOfAll,
      fc.constantFrom(...(Object.keys(layers) as LayerKey[]).filter((key) => key !== 'mode')),
      fc.record(layers),
    ],
    (evaluate, facts, key, all) => {
      const bare = without(facts, key)
      const isListedElsewhere = key === 'contract' && facts.tool.declaredClass === undefined
      if (isListedElsewhere) return true
      return (
        rank(evaluate({ ...bare, [key]: all[key] } as PolicyFacts).verdict) >= rank(evaluate(bare).verdict)
      )
    },
  ),
  law(
    'a wider mode is never stricter, and a stricter class never looser',
    [factsOfAll, fc.tuple(modes, modes), fc.tuple(classes, classes)],
    (evaluate, facts, pair, two) => {
      const [narrow, wide] = pair.toSorted((a, b) => modeOrder.indexOf(a) - modeOrder.indexOf(b))
      const [loose, strict] = two.toSorted((a, b) => classOrder.indexOf(a) - classOrder.indexOf(b))
      const inMode = (mode: ToolMode) => rank(evaluate({ ...facts, mode }).verdict)
      const asClass = (declaredClass: ToolClass) => rank(evaluate(withTool(facts, { declaredClass })).verdict)
      return inMode(wide!) <= inMode(narrow!) && asClass(strict!) >= asClass(loose!)
    },
  ),
  law(
    'a tool by another name is judged alike where no layer names it',
    [factsOfAll, names],
    (evaluate, facts, name) => {
      const unnamed = without(facts, 'killed', 'contract', 'rules', 'profile', 'grant', 'parent')
      return judgedAlike(evaluate(unnamed), evaluate(withTool(unnamed, { name })))
    },
  ),
]

/** The laws of the policy. Whoever evaluates facts as the policy does keeps every one of them. */
export const policyLaws: readonly PolicyLaw[] = [...addingLaws, ...classLaws, ...rememberedLaws, ...traceLaws]
