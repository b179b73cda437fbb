import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgePredicate } from '../../../src/core/policy/predicate.ts'

const args = { to: 'ada@example.com', amount: 12, tags: ['a', 'b'], nothing: null }

test('eq compares one field', () => {
  expect(judgePredicate({ path: '/amount', eq: 12 }, args)).toBe('match')
  expect(judgePredicate({ eq: ['a', 'b'], path: '/tags' }, args)).toBe('match')
  expect(judgePredicate({ path: '/amount', eq: '12' }, args)).toBe('no_match')
  expect(judgePredicate({ path: '/nothing', eq: null }, args)).toBe('match')
})

test('in wants one of its values', () => {
  expect(judgePredicate({ path: '/amount', in: [11, 12] }, args)).toBe('match')
  expect(judgePredicate({ path: '/amount', in: [11] }, args)).toBe('no_match')
})

test('a field that is missing matches only absent, also when its name is inherited by every object', () => {
  for (const path of ['/nope', '/constructor', '/__proto__']) {
    expect(judgePredicate({ path, eq: null }, args)).toBe('no_match')
    expect(judgePredicate({ path, in: [null] }, args)).toBe('no_match')
    expect(judgePredicate({ path, absent: false }, args)).toBe('no_match')
    expect(judgePredicate({ path, absent: true }, args)).toBe('match')
  }
  expect(judgePredicate({ path: '/nothing', absent: true }, args)).toBe('no_match')
  expect(judgePredicate({ path: '/nothing', absent: false }, args)).toBe('match')
})

test('all wants every part, any wants one', () => {
  const yes = { path: '/amount', eq: 12 }
  const no = { path: '/amount', eq: 13 }
  expect(judgePredicate({ all: [yes, yes] }, args)).toBe('match')
  expect(judgePredicate({ all: [yes, no] }, args)).toBe('no_match')
  expect(judgePredicate({ any: [no, yes] }, args)).toBe('match')
  expect(judgePredicate({ any: [no, { all: [no] }] }, args)).toBe('no_match')
})

test('what is not fully understood is malformed, wherever it stands', () => {
  const malformed = [
    null,
    'path',
    [],
    {},
    { path: '/a' },
    { path: '/a', eq: 1, in: [1] },
    { path: '/a', glob: '*' },
    { path: 'a', eq: 1 },
    { path: '/a~2', eq: 1 },
    { path: 3, eq: 1 },
    { path: '/a', eq: undefined },
    { path: '/a', in: [] },
    { path: '/a', in: 'abc' },
    { path: '/a', absent: 1 },
    { all: [] },
    { any: [] },
    { any: {} },
    { all: [{ path: '/amount', eq: 12 }], any: [{ path: '/amount', eq: 12 }] },
  ]
  for (const predicate of malformed) {
    expect(judgePredicate(predicate, args)).toBe('malformed')
    expect(judgePredicate({ any: [{ path: '/amount', eq: 12 }, predicate] }, args)).toBe('malformed')
    expect(judgePredicate({ all: [{ path: '/amount', eq: 13 }, predicate] }, args)).toBe('malformed')
    expect(judgePredicate(predicate, undefined)).toBe('malformed')
  }
})

test('a predicate nested without end is malformed and does not exhaust the stack', () => {
  const endless: { all: unknown[] } = { all: [] }
  endless.all.push(endless)
  expect(judgePredicate(endless, args)).toBe('malformed')
})

test('any value whatever gets one of the three answers', () => {
  fc.assert(
    fc.property(fc.anything(), fc.jsonValue(), (predicate, value) => {
      expect(['match', 'no_match', 'malformed']).toContain(judgePredicate(predicate, value as never))
    }),
  )
})
