import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultQualities,
  isVerdict,
  type Qualities,
  rememberScopes,
  shorterRemember,
  stricterQualities,
  stricterVerdict,
} from '../../../src/core/policy/verdict.ts'

test('deny beats ask, and ask beats run, in either order', () => {
  expect(stricterVerdict('run', 'ask')).toBe('ask')
  expect(stricterVerdict('ask', 'run')).toBe('ask')
  expect(stricterVerdict('deny', 'ask')).toBe('deny')
  expect(stricterVerdict('run', 'deny')).toBe('deny')
  expect(stricterVerdict('run', 'run')).toBe('run')
})

test('only run, ask and deny are verdicts', () => {
  expect(['run', 'ask', 'deny'].every(isVerdict)).toBe(true)
  expect(['allow', '', 'toString', null, undefined, 1].some(isVerdict)).toBe(false)
})

test('the shorter scope wins, and one that is not known counts as none', () => {
  expect(shorterRemember('rule', 'session')).toBe('session')
  expect(shorterRemember('session', 'none')).toBe('none')
  expect(shorterRemember('rule', 'for ever' as 'rule')).toBe('none')
})

test('an approval of an effect that cannot be taken back lasts for the session at most', () => {
  expect(defaultQualities('read').remember).toBe('rule')
  expect(defaultQualities('write').remember).toBe('rule')
  expect(defaultQualities('external').remember).toBe('session')
  expect(defaultQualities('destructive').remember).toBe('session')
})

const scopes = fc.constantFrom(...rememberScopes)
const qualities: fc.Arbitrary<Qualities> = fc
  .record({
    remember: scopes,
    approversMin: fc.integer({ min: 1, max: 5 }),
    allowEdit: fc.boolean(),
    strongConfirm: fc.boolean(),
    ttlMs: fc.option(fc.integer({ min: 1, max: 9 })),
  })
  .map(({ ttlMs, ...rest }) => (ttlMs === null ? rest : { ...rest, ttlMs }))

test('qualities combine to the stricter of each, whatever the order', () => {
  fc.assert(
    fc.property(qualities, qualities, (a, b) => {
      const both = stricterQualities(a, b)
      expect(both).toEqual(stricterQualities(b, a))
      expect(stricterQualities(both, a)).toEqual(both)
      expect(both.approversMin).toBe(Math.max(a.approversMin, b.approversMin))
      expect(both.ttlMs).toBe(
        a.ttlMs === undefined || b.ttlMs === undefined ? (a.ttlMs ?? b.ttlMs) : Math.min(a.ttlMs, b.ttlMs),
      )
      expect(both.allowEdit).toBe(a.allowEdit && b.allowEdit)
      expect(both.strongConfirm).toBe(a.strongConfirm || b.strongConfirm)
      expect(both.remember).toBe(shorterRemember(a.remember, b.remember))
    }),
  )
})

test('what a layer leaves out changes nothing, and the first reviewer group stands', () => {
  const base = { ...defaultQualities('write'), reviewerGroup: 'owners', ttlMs: 5 }
  expect(stricterQualities(base, {})).toEqual(base)
  expect(stricterQualities(base, { reviewerGroup: 'anyone' }).reviewerGroup).toBe('owners')
  expect(stricterQualities(defaultQualities('write'), { reviewerGroup: 'anyone' }).reviewerGroup).toBe(
    'anyone',
  )
})
