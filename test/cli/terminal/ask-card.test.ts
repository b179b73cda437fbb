import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../../../src/agent/approval-request.ts'
import { askCard } from '../../../src/cli/terminal/ask-card.ts'

const request: ApprovalRequest = {
  id: 'ask_1',
  callId: 'call_1',
  sessionId: 'session_1',
  runId: 'run_1',
  agent: 'agent',
  path: ['agent'],
  principal: 'local',
  tool: { name: 'pay', title: 'Pay', description: '', toolClass: 'external', source: 'function' },
  source: 'host',
  args: { to: 'bob', amount: 12_345_678_901_234_567_890n },
  argsDigest: 'sha256:00',
  coerced: [],
  prepared: false,
  reason: 'It leaves the house.',
  why: [
    { layer: 'mode', verdict: 'ask', category: 'mode', reason: 'It leaves the house.' },
    { layer: 'check', verdict: 'ask', category: 'dynamic', reason: 'More than usual.' },
    { layer: 'rules', verdict: 'ask', category: 'rule', reason: 'Secret rule.', private: true },
  ],
  mode: 'ask',
  allowed: { edit: true, session: true },
  requestedAt: 0,
}

test('an ask shows the final arguments with every digit, its class, its reason and its layers', () => {
  const text = askCard(request).lines.join('\n')
  expect(text).toContain('amount  12345678901234567890')
  expect(text).toContain('class   external, in mode ask')
  expect(text).toContain('why     It leaves the house.')
  expect(text).toContain('layer   check [ask]: More than usual.')
  expect(text).not.toContain('Secret rule.')
})

test('a long text is folded with its size and its beginning, and shown whole on demand', () => {
  const long = {
    ...request,
    args: { text: Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n') },
  }
  const folded = askCard(long)
  expect(folded.isFolded).toBe(true)
  expect(folded.lines.join('\n')).toMatch(/a text of 390 characters in 50 lines:\n.*│ line 1\n/)
  expect(folded.lines.join('\n')).toContain('… and 38 more lines')
  const full = askCard(long, true)
  expect(full.isFolded).toBe(false)
  expect(full.lines.join('\n')).toContain('│ line 50')
})

test('nothing hides in an argument: marks of direction and characters without a shape are visible', () => {
  const hidden = {
    ...request,
    args: { to: 'bob\u202e\u200b\u001b[2K', 'na\u2066me': `${'x\n'.repeat(100)}\u001b[2J` },
  }
  const text = askCard(hidden, true).lines.join('\n')
  expect(text).toContain('"bob\\u202e\\u200b\\u001b[2K"')
  expect(text).toContain('na\\u{2066}me')
  expect(text).toContain('\\u{1b}[2J')
})
