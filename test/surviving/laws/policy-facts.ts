import fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { JsonValue, KillEntry, PolicyRule, ToolClass, ToolMode, Verdict } from '../../../src/index.ts'

/** Written out here and not taken from the source: a mutant must not change what it is measured by. */
export const classOrder: readonly ToolClass[] = ['read', 'sensitive', 'write', 'external', 'destructive']
export const modeOrder: readonly ToolMode[] = ['off', 'read_only', 'ask', 'auto']
export const verdictOrder: readonly Verdict[] = ['run', 'ask', 'deny']

export const classes = fc.constantFrom(...classOrder)
export const modes = fc.constantFrom(...modeOrder)
export const verdicts = fc.constantFrom(...verdictOrder)
export const names = fc.constantFrom('look', 'other', '__proto__')
export const remembers = fc.constantFrom('none' as const, 'session' as const, 'rule' as const)

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

export const hints = fc.record(
  { readOnly: fc.boolean(), destructive: fc.boolean(), openWorld: fc.boolean() },
  { requiredKeys: [] },
)

const argsOf = fc.constantFrom<JsonValue>({ to: 'eve' }, { to: 'ada', n: 1 }, {}, [])
export const conditions = fc.constantFrom(
  { path: '/to', eq: 'eve' },
  { path: '/to', in: ['ada', 'bob'] },
  { path: '/to', absent: true },
  { path: '/to', absent: false },
  {
    all: [
      { path: '/to', eq: 'ada' },
      { path: '/n', eq: 1 },
    ],
  },
  {
    any: [
      { path: '/to', eq: 'eve' },
      { path: '/to', absent: true },
    ],
  },
)

const rule: fc.Arbitrary<PolicyRule> = fc
  .record({
    id: fc.constantFrom('r1', 'r2'),
    tool: fc.oneof(names, fc.constant('*')),
    when: optional(conditions),
    verdict: fc.constantFrom('ask' as const, 'deny' as const),
    reason: fc.constant('The secret reason.'),
    private: optional(fc.boolean()),
    remember: optional(remembers),
    forced: optional(fc.boolean()),
  })
  .map((whole) => pruned(whole) as PolicyRule)

export const killed: fc.Arbitrary<KillEntry> = fc.record({
  kind: fc.constantFrom('tool' as const, 'server' as const, 'principal' as const),
  name: fc.constantFrom('look', 'docs', 'ada', 'other'),
})

/** One arbitrary for each layer, of which some refuse, some ask and some say nothing. */
export const layers = {
  killed: fc.array(killed, { maxLength: 1 }),
  contract: fc.array(fc.tuple(names, optional(classes)), { maxLength: 2 }).map((entries) => ({
    tools: Object.fromEntries(entries.map(([name, toolClass]) => [name, pruned({ toolClass })])),
  })),
  rules: fc.array(rule, { maxLength: 2 }),
  profile: fc.record({ modeMax: modes, tools: fc.array(names) }, { requiredKeys: [] }),
  mode: modes,
  grant: fc.record(
    {
      subject: fc.constantFrom('ada', 'ada', 'bob'),
      tools: fc.array(names),
      classMax: classes,
      expiresAt: fc.constantFrom(9, 10, 11),
      audience: fc.constantFrom('here', 'there'),
    },
    { requiredKeys: ['subject'] },
  ),
  parent: fc.record(
    { verdict: verdicts, toolClassMax: classes, tools: fc.array(names), modeMax: modes },
    { requiredKeys: ['verdict'] },
  ),
  check: fc.oneof(fc.record({ verdict: verdicts }), fc.constant({ failed: 'It broke.' })),
  unreachable: fc.array(fc.constantFrom('rules', 'weather'), { maxLength: 1 }),
}

export type LayerKey = keyof typeof layers

type Pruned<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The object without the members that are undefined. */
export function pruned<T extends object>(whole: T): Pruned<T> {
  return Object.fromEntries(Object.entries(whole).filter(([, member]) => member !== undefined)) as Pruned<T>
}

const tool = fc
  .record({
    name: fc.constant('look'),
    version: fc.constant('v1'),
    declaredClass: optional(classes),
    callClass: optional(classes),
    classByArguments: optional(fc.boolean()),
    remember: optional(remembers),
    developer: fc.boolean(),
    // Seldom: where there is a review, the mode has little to say.
    review: fc.oneof(
      { weight: 7, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('run' as const, 'ask' as const) },
    ),
    ask: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
    source: fc
      .record({
        kind: fc.constant('mcp'),
        name: optional(fc.constantFrom('docs', 'mail')),
        trusted: fc.boolean(),
        hints: optional(hints),
      })
      .map(pruned),
  })
  .map((whole) => pruned(whole) as unknown as PolicyFacts['tool'])

const bare = fc
  .record({
    tool,
    call: optional(fc.record({ args: argsOf, digest: fc.constant('d') })),
    principal: fc.constant('ada'),
    audience: fc.constant('here'),
    now: fc.constant(10),
    governed: fc.boolean(),
  })
  .map((whole) => pruned(whole) as unknown as PolicyFacts)

/** Facts with some of the layers, and without any remembered answer. */
export const factsOfAll: fc.Arbitrary<PolicyFacts> = fc
  .tuple(bare, fc.subarray(Object.keys(layers) as LayerKey[], { maxLength: 4 }), fc.record(layers))
  .map(([facts, chosen, all]) => ({ ...facts, ...Object.fromEntries(chosen.map((key) => [key, all[key]])) }))

/** Facts under which nothing is refused by the layers: a read in the widest mode, of which one thing is changed. */
export const openFacts: PolicyFacts = {
  tool: {
    name: 'look',
    version: 'v1',
    declaredClass: 'read',
    source: { kind: 'mcp', name: 'docs', trusted: true },
    developer: false,
  },
  call: { args: { to: 'eve', n: 1 }, digest: 'd' },
  principal: 'ada',
  audience: 'here',
  now: 10,
  governed: true,
  mode: 'auto',
}
