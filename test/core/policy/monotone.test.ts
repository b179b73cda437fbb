import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { compareClass, toolClasses } from '../../../src/core/policy/class.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import { toolModes } from '../../../src/core/policy/mode.ts'
import { verdicts } from '../../../src/core/policy/verdict.ts'
import { factsOf } from './facts-of.ts'

const rank = (facts: PolicyFacts) => verdicts.indexOf(evaluate(facts).verdict)
const classes = fc.constantFrom(...toolClasses)
const modes = fc.constantFrom(...toolModes)
const names = fc.constantFrom('look', 'other', 'constructor', '__proto__')
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

/** One arbitrary a layer; none of them is the remembered approval. */
const layers = {
  killed: fc.array(fc.record({ kind: fc.constantFrom('tool', 'server', 'principal'), name: names }), {
    maxLength: 2,
  }),
  contract: fc
    .array(fc.tuple(names, fc.oneof(fc.constant({}), fc.record({ toolClass: classes }))))
    .map((entries) => ({ tools: Object.fromEntries(entries) })),
  rules: fc.array(
    fc.record({
      id: fc.constant('r'),
      tool: fc.oneof(names, fc.constant('*')),
      verdict: fc.constantFrom('ask', 'deny'),
      when: fc.constantFrom({ path: '/to', eq: 'eve' }, { path: '/to', absent: true }, { any: [] }),
      reason: fc.constant('Because.'),
      forced: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  profile: fc.record({ modeMax: modes, tools: fc.array(names) }, { requiredKeys: [] }),
  mode: modes,
  grant: fc.record(
    {
      subject: fc.constantFrom('ada', 'bob'),
      tools: fc.array(names),
      classMax: classes,
      expiresAt: fc.nat(20),
    },
    { requiredKeys: ['subject'] },
  ),
  parent: fc.record(
    { verdict: fc.constantFrom(...verdicts), toolClassMax: classes, tools: fc.array(names), modeMax: modes },
    { requiredKeys: ['verdict'] },
  ),
  check: fc.oneof(
    fc.record({ verdict: fc.constantFrom(...verdicts) }),
    fc.record({ failed: fc.constant('It broke.') }),
  ),
  unreachable: fc.array(fc.constantFrom('rules', 'weather'), { maxLength: 1 }),
}
type LayerKey = keyof typeof layers
const layerKeys = Object.keys(layers) as LayerKey[]

const refusals = fc.array(
  fc.record({
    tool: names,
    version: fc.constant('v1'),
    toolClass: classes,
    approved: fc.constant(false),
    ticket: fc.constant('t'),
    by: fc.constant('ada'),
    at: fc.constant(0),
  }),
  { maxLength: 2 },
)

const facts: fc.Arbitrary<PolicyFacts> = fc
  .record({
    tool: fc.record({
      name: names,
      declaredClass: classes,
      ask: fc.boolean(),
      developer: fc.boolean(),
      source: fc.record({
        kind: fc.constant('mcp'),
        trusted: fc.boolean(),
        hints: fc.record(
          { readOnly: fc.boolean(), destructive: fc.boolean(), openWorld: fc.boolean() },
          { requiredKeys: [] },
        ),
      }),
    }),
    args: optional(fc.constantFrom<JsonValue>({ to: 'eve' }, { to: 'ada' }, {})),
    layers: fc.record(layers, { requiredKeys: [] }),
    governed: fc.boolean(),
    remembered: refusals,
  })
  .map(({ tool, args, layers: given, ...rest }) =>
    factsOf(tool, {
      principal: 'ada',
      now: 10,
      ...rest,
      ...(args !== undefined && { call: { args, digest: 'd' } }),
      ...(given as Partial<PolicyFacts>),
    }),
  )

test('a wider mode is never stricter', () => {
  fc.assert(
    fc.property(facts, modes, modes, (given, a, b) => {
      fc.pre(toolModes.indexOf(a) <= toolModes.indexOf(b))
      expect(rank({ ...given, mode: b })).toBeLessThanOrEqual(rank({ ...given, mode: a }))
    }),
  )
})

test('a stricter class is never looser', () => {
  fc.assert(
    fc.property(facts, classes, classes, (given, a, b) => {
      fc.pre(compareClass(a, b) <= 0)
      const as = (declaredClass: typeof a) => ({ ...given, tool: { ...given.tool, declaredClass } })
      expect(rank(as(b))).toBeGreaterThanOrEqual(rank(as(a)))
    }),
  )
})

test.each(layerKeys.filter((key) => key !== 'mode'))(
  'adding the layer %s never makes a decision looser',
  (key) => {
    fc.assert(
      fc.property(facts, layers[key] as fc.Arbitrary<never>, (given, layer) => {
        const { [key]: _removed, ...without } = given
        expect(rank({ ...without, [key]: layer })).toBeGreaterThanOrEqual(rank(without))
      }),
    )
  },
)

test('adding a rule, a stop, a name of an unread layer or a refusal to those there are never makes it looser', () => {
  fc.assert(
    fc.property(facts, layers.rules, layers.killed, layers.unreachable, refusals, (given, ...more) => {
      const [rules, killed, unreachable, remembered] = more
      const added = {
        ...given,
        rules: [...(given.rules ?? []), ...rules],
        killed: [...(given.killed ?? []), ...killed],
        unreachable: [...(given.unreachable ?? []), ...unreachable],
        remembered: [...(given.remembered ?? []), ...remembered],
      } as PolicyFacts
      expect(rank(added)).toBeGreaterThanOrEqual(rank(given))
    }),
  )
})

test('only a remembered approval makes a decision looser, and only from ask to run', () => {
  let loosened = 0
  fc.assert(
    fc.property(facts, fc.boolean(), (all, bare) => {
      // Most of what many layers say together is a refusal; half of the time the asks are looked for on purpose.
      const given: PolicyFacts = bare ? { tool: all.tool, mode: 'ask', governed: true } : all
      const before = evaluate(given)
      const { name: tool, version } = given.tool
      const answer = {
        tool,
        version,
        toolClass: before.toolClass,
        approved: true,
        ticket: 't',
        by: 'ada',
        at: 0,
      }
      const after = evaluate({ ...given, remembered: [...(given.remembered ?? []), answer] })
      if (after.verdict === before.verdict) return
      loosened += 1
      expect([before.verdict, after.verdict, after.remembered]).toEqual(['ask', 'run', 't'])
      expect(before.qualities.remember).not.toBe('none')
    }),
    { numRuns: 1_000 },
  )
  expect(loosened).toBeGreaterThan(0)
})

test('the verdict is the strictest of the trace, and its reason is never empty', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const decision = evaluate(given)
      const said = decision.trace.map(({ verdict }) => verdicts.indexOf(verdict ?? 'run'))
      expect(verdicts.indexOf(decision.verdict)).toBe(Math.max(...said))
      expect(decision.reason).not.toBe('')
      expect(decision.category === undefined).toBe(decision.verdict !== 'deny')
      for (const entry of decision.trace) expect(entry.reason).not.toBe('')
    }),
  )
})
