import fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { ToolClass, ToolMode } from '../../../src/index.ts'
import {
  judgedAlike,
  law,
  narrower,
  type PolicyLaw,
  rank,
  rule,
  strictest,
  strictestClass,
  without,
  withTool,
} from './law.ts'
import {
  classes,
  classOrder,
  factsOfAll,
  type LayerKey,
  layers,
  modeOrder,
  modes,
  names,
  openFacts,
} from './policy-facts.ts'
import { answer, remembered } from './remembered-laws.ts'

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

const why = 'Because of rain.'
const told: readonly object[] = [
  { killed: [{ kind: 'tool', name: 'look', reason: why }] },
  rule({ reason: why }),
  rule({ reason: why, verdict: 'ask' }),
  { check: { failed: why } },
  { check: { verdict: 'deny', reason: why } },
  { check: { verdict: 'ask', reason: why } },
]

export const traceLaws: readonly PolicyLaw[] = [
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
  law(
    'the class is the strictest, and the mode the narrowest, that an entry of the trace gives',
    [factsOfAll],
    (evaluate, facts) => {
      const { trace, toolClass, mode } = evaluate({ ...facts, governed: true })
      const widest = trace.map(({ modeMax }) => modeMax ?? 'auto').reduce(narrower, 'auto')
      return strictestClass(...trace.map((entry) => entry.toolClass)) === toolClass && widest === mode
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
  law('a name that objects inherit is a name like any other', [factsOfAll], (evaluate, facts) => {
    const bare = { ...without(facts, 'contract'), governed: true }
    const inherited = withTool(bare, { name: 'constructor' })
    return evaluate({ ...inherited, contract: { tools: { look: {} } } }).verdict === 'deny'
  }),
  law(
    'the reason says what was told by the operator, a rule or a check',
    [fc.constantFrom(...told)],
    (evaluate, layer) => {
      return evaluate({ ...openFacts, ...layer } as PolicyFacts).reason.includes('Because of rain.')
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
