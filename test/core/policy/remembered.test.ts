import { describe, expect, test } from 'vitest'
import { baseOf } from '../../../src/core/policy/base.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { PolicyFacts, ToolFacts } from '../../../src/core/policy/facts.ts'
import { recollect } from '../../../src/core/policy/layers/remembered.ts'
import { offered } from '../../../src/core/policy/offer.ts'
import { matchesRemembered, type RememberedApproval } from '../../../src/core/policy/remembered.ts'
import { defaultQualities } from '../../../src/core/policy/verdict.ts'
import { factsOf } from './facts-of.ts'

const approval: RememberedApproval = {
  tool: 'look',
  version: 'v1',
  toolClass: 'write',
  approved: true,
  ticket: 'ask_1',
  by: 'ada',
  at: 5,
}
const refusal: RememberedApproval = { ...approval, approved: false, ticket: 'ask_2', reason: 'Never.' }

const judge = (rest: Partial<PolicyFacts>, tool: Partial<ToolFacts> = {}) =>
  evaluate(factsOf({ declaredClass: 'write', ...tool }, { mode: 'ask', remembered: [approval], ...rest }))

describe('a remembered approval', () => {
  test('turns an ask into a run, and says whose it was', () => {
    const decision = judge({})
    expect(decision).toMatchObject({
      verdict: 'run',
      remembered: 'ask_1',
      reason: 'ada approved this tool for the rest of the session.',
    })
    expect(decision.trace.at(-1)).toMatchObject({ layer: 'remembered', verdict: 'run' })
  })

  test('never turns a refusal into anything', () => {
    for (const rest of [
      { mode: 'read_only' },
      { killed: [{ kind: 'tool', name: 'look' }] },
      { contract: { tools: { other: {} } } },
      { check: { failed: 'no answer' } },
      { unreachable: ['grant'] },
      { parent: { verdict: 'deny' } },
    ] as const) {
      const decision = judge(rest)
      expect(decision.verdict).toBe('deny')
      expect(decision.remembered).toBeUndefined()
    }
  })

  test('is void for another tool, another version and another class', () => {
    expect(judge({}, { name: 'look2' }).verdict).toBe('ask')
    expect(judge({}, { version: 'v2' }).verdict).toBe('ask')
    expect(judge({}, { declaredClass: 'external' }).verdict).toBe('ask')
    expect(judge({ contract: { tools: { look: { toolClass: 'destructive' } } } }).verdict).toBe('ask')
  })

  test('does not answer an ask that an administrator forced', () => {
    const rule = { id: 'r', tool: 'look', verdict: 'ask', reason: 'Always ask.' } as const
    expect(judge({ rules: [{ ...rule, forced: true }] }).verdict).toBe('ask')
    expect(judge({ rules: [{ ...rule, remember: 'none' }] }).verdict).toBe('ask')
    expect(judge({ rules: [rule] }).verdict).toBe('run')
  })

  test('does not answer an ask whose tool lets nothing be remembered', () => {
    expect(judge({}, { remember: 'none' }).verdict).toBe('ask')
    expect(judge({}, { remember: 'session' }).verdict).toBe('run')
  })

  test('does not stand for several people', () => {
    const facts = factsOf({ declaredClass: 'write' }, { remembered: [approval] })
    const standing = (approversMin: number) =>
      ({ verdict: 'ask', qualities: { ...defaultQualities('write'), approversMin } }) as const
    expect(recollect(facts, baseOf(facts), standing(1))?.ticket).toBe('ask_1')
    expect(recollect(facts, baseOf(facts), standing(2))).toBeUndefined()
  })

  test('is not named where no ask needed it', () => {
    expect(judge({ mode: 'auto' })).not.toHaveProperty('remembered')
  })
})

describe('a remembered refusal', () => {
  test('refuses what would ask and what would run, and the tool is not offered', () => {
    for (const mode of ['ask', 'auto'] as const) {
      expect(judge({ mode, remembered: [refusal] })).toMatchObject({
        verdict: 'deny',
        remembered: 'ask_2',
        reason: 'ada refused this tool for the rest of the session: Never.',
      })
      expect(offered(factsOf({ declaredClass: 'write' }, { mode, remembered: [refusal] }))).toBe(false)
    }
  })

  test('beats an approval, whichever came first', () => {
    expect(judge({ remembered: [approval, refusal] }).verdict).toBe('deny')
    expect(judge({ remembered: [refusal, approval] }).verdict).toBe('deny')
  })

  test('is not shaken off by a new version or class', () => {
    expect(judge({ mode: 'auto', remembered: [refusal] }, { version: 'v2' }).verdict).toBe('deny')
    expect(judge({ remembered: [refusal] }, { declaredClass: 'read' }).verdict).toBe('deny')
    expect(judge({ remembered: [refusal] }, { name: 'other' }).verdict).toBe('ask')
  })
})

test('an answer that is not plainly an approval counts as a refusal', () => {
  const odd = { ...approval, approved: 'yes' as unknown as boolean }
  expect(judge({ remembered: [odd] }).verdict).toBe('deny')
  expect(matchesRemembered(odd, { tool: 'look', version: 'other', toolClass: 'read' })).toBe(true)
})
