import fc from 'fast-check'
import type { PolicyFacts } from '../../../src/core/policy/facts.ts'
import type { Verdict } from '../../../src/index.ts'
import { rule } from './law.ts'

export type Adding = readonly [
  what: string,
  layer: fc.Arbitrary<Partial<PolicyFacts>>,
  says: Verdict,
  category?: string,
]

const always = (facts: object) => fc.constant(facts as Partial<PolicyFacts>)
const eve = { args: { to: 'eve', n: 1 }, digest: 'd' }
const when = (condition: unknown) => ({ call: eve, ...rule({ when: condition }) })
const grant = (change: object) => ({ grant: { subject: 'ada', ...change } })

/** Layers that say something whatever else there is, what they say, and what their refusal is counted as. */
export const adding: readonly Adding[] = [
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
    'a rule before another',
    always({ rules: [...rule({}).rules, ...rule({ verdict: 'ask' }).rules] }),
    'deny',
    'rule',
  ],
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
