import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/core/json/value.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { PolicyFacts, PolicyRule } from '../../../src/core/policy/facts.ts'
import { callOf, factsOf } from './facts-of.ts'

const judge = (rest: Partial<PolicyFacts>) =>
  evaluate(factsOf({ declaredClass: 'read' }, { mode: 'auto', ...rest }))

describe('the kill list', () => {
  test('stops a tool, a server or a principal by its exact name', () => {
    const source = { kind: 'mcp', name: 'docs', trusted: true }
    const facts = factsOf({ declaredClass: 'read', source }, { principal: 'ada' })
    const verdictOf = (kind: 'tool' | 'server' | 'principal', name: string) =>
      evaluate({ ...facts, killed: [{ kind, name }] }).verdict
    expect(verdictOf('tool', 'look')).toBe('deny')
    expect(verdictOf('server', 'docs')).toBe('deny')
    expect(verdictOf('principal', 'ada')).toBe('deny')
    expect(verdictOf('tool', 'docs')).toBe('run')
    expect(verdictOf('server', 'look')).toBe('run')
    expect(verdictOf('principal', 'bob')).toBe('run')
  })
})

describe('rules', () => {
  const rule = (change: Partial<PolicyRule>): PolicyRule => ({
    id: 'r1',
    tool: 'look',
    verdict: 'deny',
    reason: 'No.',
    ...change,
  })
  const under = (change: object, args?: JsonValue) =>
    judge({ rules: [rule(change as Partial<PolicyRule>)], ...(args !== undefined && callOf(args)) })

  test('apply to a tool by its exact name, or to every tool', () => {
    expect(under({}).verdict).toBe('deny')
    expect(under({ tool: '*' }).verdict).toBe('deny')
    expect(under({ tool: 'lo*' }).verdict).toBe('run')
    expect(under({ tool: 'look2' }).verdict).toBe('run')
    expect(under({ tool: 7 }).verdict).toBe('deny')
  })

  test('apply when the arguments fulfil their condition', () => {
    const when = { path: '/to', eq: 'eve' }
    expect(under({ when }, { to: 'eve' })).toMatchObject({ verdict: 'deny', category: 'rule' })
    expect(under({ when }, { to: 'ada' }).verdict).toBe('run')
    expect(under({ when }, {}).verdict).toBe('run')
    expect(under({ when: { path: '/to', absent: true } }, {}).verdict).toBe('deny')
  })

  test('with a condition say nothing before there is a call', () => {
    expect(under({ when: { path: '/to', eq: 'eve' } }).verdict).toBe('run')
    expect(under({ when: { path: '/to', absent: true } }).verdict).toBe('run')
  })

  test('with a condition that cannot be read apply to every call, and before there is one', () => {
    for (const when of [{ path: '/to', like: 'eve' }, { any: [] }, null, 'always']) {
      expect(under({ when }, { to: 'ada' }).verdict).toBe('deny')
      expect(under({ when, verdict: 'ask' }).verdict).toBe('ask')
    }
  })

  test('cannot allow what another layer refuses', () => {
    expect(judge({ mode: 'off', rules: [rule({ verdict: 'ask' })] }).verdict).toBe('deny')
  })

  test('are all in the trace with their ids, and the strictest demands of all hold', () => {
    const decision = judge({
      rules: [
        rule({ verdict: 'ask', remember: 'session', reason: 'One.' }),
        rule({ id: 'r2', verdict: 'ask', forced: true, reason: 'Two.' }),
      ],
    })
    expect(decision).toMatchObject({ verdict: 'ask', reason: 'One.', qualities: { remember: 'none' } })
    expect(decision.trace.filter(({ layer }) => layer === 'rules').map(({ ruleId }) => ruleId)).toEqual([
      'r1',
      'r2',
    ])
  })

  test('that are private keep their words out of the reason', () => {
    const secret = { private: true, reason: 'Customer Wonka is under audit.' }
    expect(under(secret).reason).toBe('A rule of the administrator refuses this call.')
    expect(under({ ...secret, verdict: 'ask' }).reason).toBe(
      'A rule of the administrator wants a person to be asked.',
    )
  })
})

describe('the profile', () => {
  test('hides the tools that it does not list, and an empty list hides all', () => {
    expect(judge({ profile: { tools: ['look'] } }).verdict).toBe('run')
    expect(judge({ profile: { tools: ['other'] } })).toMatchObject({ verdict: 'deny', category: 'profile' })
    expect(judge({ profile: { tools: [] } }).category).toBe('profile')
  })
})

describe('the grant', () => {
  test('refuses a class that is too strict for it, also in the widest mode', () => {
    const facts = factsOf(
      { declaredClass: 'external' },
      { mode: 'auto', grant: { subject: 'ada', classMax: 'write' } },
    )
    expect(evaluate(facts)).toMatchObject({ verdict: 'deny', category: 'grant' })
  })

  test('is judged by the class that the contract raised the tool to', () => {
    const grant = { subject: 'ada', classMax: 'write' } as const
    expect(judge({ grant }).verdict).toBe('run')
    expect(judge({ grant, contract: { tools: { look: { toolClass: 'external' } } } }).category).toBe('grant')
  })

  test('is void for another principal, another audience, and once it has expired', () => {
    const grant = { subject: 'ada', audience: 'shop', expiresAt: 100 }
    const holds = { grant, principal: 'ada', audience: 'shop', now: 99 }
    expect(judge(holds).verdict).toBe('run')
    expect(judge({ ...holds, principal: 'bob' }).category).toBe('grant')
    expect(judge({ ...holds, audience: 'bank' }).category).toBe('grant')
    expect(judge({ ...holds, now: 100 }).category).toBe('grant')
  })
})

describe('the parent', () => {
  test('never lets its child do more than it may do itself', () => {
    expect(judge({ parent: { verdict: 'run' } }).verdict).toBe('run')
    expect(judge({ parent: { verdict: 'ask' } }).verdict).toBe('ask')
    expect(judge({ parent: { verdict: 'deny' } })).toMatchObject({ verdict: 'deny', category: 'parent' })
    expect(judge({ parent: { verdict: 'run', tools: ['other'] } }).category).toBe('parent')
    const facts = factsOf(
      { declaredClass: 'write' },
      { mode: 'auto', parent: { verdict: 'run', toolClassMax: 'read' } },
    )
    expect(evaluate(facts).category).toBe('parent')
  })

  test('narrows the mode even where it refuses', () => {
    const parent = { verdict: 'deny', modeMax: 'read_only' } as const
    expect(judge({ parent }).trace.find(({ layer }) => layer === 'parent')).toMatchObject({
      modeMax: 'read_only',
    })
    expect(judge({ parent }).mode).toBe('read_only')
  })
})

describe('the tool', () => {
  test('may want to be asked about in every mode', () => {
    const decision = evaluate(factsOf({ declaredClass: 'read', ask: true }, { mode: 'auto' }))
    expect(decision).toMatchObject({
      verdict: 'ask',
      reason: 'The tool itself wants a person to be asked in every mode.',
    })
  })

  test('may shorten how long an approval lasts, never lengthen it', () => {
    const rememberOf = (remember: 'none' | 'session' | 'rule') =>
      evaluate(factsOf({ declaredClass: 'external', remember })).qualities.remember
    expect([rememberOf('none'), rememberOf('session'), rememberOf('rule')]).toEqual([
      'none',
      'session',
      'session',
    ])
  })
})
