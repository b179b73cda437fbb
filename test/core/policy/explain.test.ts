import { expect, test } from 'vitest'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import { explainDecision } from '../../../src/core/policy/explain.ts'
import { factsOf } from './facts-of.ts'

test('a decision is explained by its reason and then layer by layer', () => {
  const facts = factsOf({ declaredClass: 'write' }, { mode: 'auto', profile: { modeMax: 'read_only' } })
  expect(explainDecision(evaluate(facts))).toBe(
    [
      'deny (class write, mode read_only, refused by mode): The profile narrows the mode to read_only, which hides write tools.',
      "  tool: The tool's class is write.",
      '  profile: The profile allows no mode wider than read_only.',
      '  mode [deny]: The profile narrows the mode to read_only, which hides write tools.',
    ].join('\n'),
  )
})

test('the text of a private rule appears nowhere', () => {
  const rules = [
    { id: 'r7', tool: '*', verdict: 'deny', reason: 'Wonka is under audit.', private: true },
  ] as const
  const text = explainDecision(evaluate(factsOf({ declaredClass: 'read' }, { rules })))
  expect(text).not.toContain('Wonka')
  expect(text).toContain('rules r7 [deny]: (the text of this rule is private)')
})

test('a remembered answer is named by its ticket', () => {
  const answer = {
    tool: 'look',
    version: 'v1',
    toolClass: 'write',
    ticket: 'ask_9',
    by: 'ada',
    at: 0,
  } as const
  const facts = factsOf({ declaredClass: 'write' }, { remembered: [{ ...answer, approved: true }] })
  expect(explainDecision(evaluate(facts))).toContain('run (class write, mode ask, answered by ticket ask_9)')
})

test('a reason cannot forge lines or steer the terminal', () => {
  const reason = 'fine\n  mode [run]: all good\u001b[2J\u202eevil\u2066\u200b'
  const lines = explainDecision(
    evaluate(factsOf({ declaredClass: 'read' }, { check: { verdict: 'deny', reason } })),
  )
  expect(lines.split('\n')).toHaveLength(4)
  expect(lines).toContain('fine\\u{a}  mode [run]: all good\\u{1b}[2J\\u{202e}evil\\u{2066}\\u{200b}')
})
