import { expect, test } from 'vitest'
import { type Grant, grantAllows, grantDecides, grantRefusal, grantVoid } from '../../src/core/grant.ts'

const call = { tool: 'look', toolClass: 'write' } as const

test('a grant that restricts nothing allows every call', () => {
  expect(grantAllows({ subject: 'ada' }, { ...call, toolClass: 'destructive' })).toBe(true)
})

test('a list of tools allows these and no others, and an empty one allows none', () => {
  expect(grantAllows({ subject: 'ada', tools: ['look'] }, call)).toBe(true)
  expect(grantAllows({ subject: 'ada', tools: ['looks'] }, call)).toBe(false)
  expect(grantAllows({ subject: 'ada', tools: [] }, call)).toBe(false)
  expect(grantAllows({ subject: 'ada', tools: ['look'] }, { ...call, tool: 'constructor' })).toBe(false)
  expect(grantAllows({ subject: 'ada', tools: 'look' as unknown as string[] }, call)).toBe(false)
})

test('the strictest class that is granted is still allowed, the next is not', () => {
  const grant: Grant = { subject: 'ada', classMax: 'write' }
  expect(grantAllows(grant, call)).toBe(true)
  expect(grantRefusal(grant, { ...call, toolClass: 'external' })).toBe(
    'The grant allows tools up to class write, and this one is external.',
  )
  expect(grantAllows({ subject: 'ada', classMax: 'any' as 'write' }, call)).toBe(false)
})

test('a grant is void from the moment it expires, and when nobody knows the time', () => {
  const grant: Grant = { subject: 'ada', expiresAt: 100 }
  expect(grantAllows(grant, { ...call, now: 99 })).toBe(true)
  expect(grantVoid(grant, { now: 100 })).toBe('The grant has expired.')
  expect(grantVoid(grant, {})).toBe('The grant expires, and nobody said what time it is.')
  expect(grantAllows({ subject: 'ada', expiresAt: Number.NaN }, { ...call, now: 1 })).toBe(false)
})

test('a grant for one audience is void for another and for none', () => {
  const grant: Grant = { subject: 'ada', audience: 'shop' }
  expect(grantAllows(grant, { ...call, audience: 'shop' })).toBe(true)
  expect(grantAllows(grant, { ...call, audience: 'bank' })).toBe(false)
  expect(grantAllows(grant, call)).toBe(false)
})

test('a grant is void in the hands of somebody else', () => {
  expect(grantAllows({ subject: 'ada' }, { ...call, subject: 'ada' })).toBe(true)
  expect(grantAllows({ subject: 'ada' }, { ...call, subject: 'bob' })).toBe(false)
})

test('a holder decides only the asks that the grant names', () => {
  expect(grantDecides({ subject: 'ada' }, 'look', {})).toBe(false)
  expect(grantDecides({ subject: 'ada', tools: ['look'] }, 'look', {})).toBe(false)
  expect(grantDecides({ subject: 'ada', approve: ['look'] }, 'look', {})).toBe(true)
  expect(grantDecides({ subject: 'ada', approve: ['look'] }, 'other', {})).toBe(false)
  expect(grantDecides({ subject: 'ada', approve: ['*'] }, 'other', {})).toBe(true)
  expect(grantDecides({ subject: 'ada', approve: ['*'], expiresAt: 5 }, 'other', { now: 5 })).toBe(false)
})
