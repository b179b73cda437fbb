import { expect, test } from 'vitest'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import { evaluateOffer, offered } from '../../../src/core/policy/offer.ts'
import { callOf, factsOf } from './facts-of.ts'

test('a tool is offered when it would run or ask', () => {
  expect(offered(factsOf({ declaredClass: 'write' }, { mode: 'ask' }))).toBe(true)
  expect(offered(factsOf({ declaredClass: 'read' }, { mode: 'read_only' }))).toBe(true)
  expect(offered(factsOf({ declaredClass: 'write' }, { mode: 'read_only' }))).toBe(false)
  expect(offered(factsOf({ declaredClass: 'read' }, { mode: 'off' }))).toBe(false)
})

test('a tool whose class depends on arguments is offered by its loosest class and judged by the real one', () => {
  const tool = { classByArguments: true } as const
  expect(offered(factsOf(tool, { mode: 'read_only' }))).toBe(true)
  expect(offered(factsOf({ ...tool, declaredClass: 'write' }, { mode: 'read_only' }))).toBe(false)
  const call = factsOf({ ...tool, callClass: 'destructive' }, { mode: 'read_only', ...callOf({}) })
  expect(evaluate(call).verdict).toBe('deny')
  expect(offered(call)).toBe(true)
})

test('the contract raises the loosest class too', () => {
  const contract = { tools: { look: { toolClass: 'write' } } } as const
  expect(offered(factsOf({ classByArguments: true }, { mode: 'read_only', contract }))).toBe(false)
})

test('what belongs to one call has no part in the offer', () => {
  const facts = factsOf(
    { declaredClass: 'read' },
    {
      mode: 'auto',
      ...callOf({ to: 'eve' }),
      check: { verdict: 'deny' },
      rules: [{ id: 'r', tool: 'look', when: { path: '/to', eq: 'eve' }, verdict: 'deny', reason: 'No.' }],
    },
  )
  expect(evaluate(facts).verdict).toBe('deny')
  expect(evaluateOffer(facts).verdict).toBe('run')
})

test('a rule that refuses every call of a tool takes it out of the offer', () => {
  const rules = [{ id: 'r', tool: 'look', verdict: 'deny', reason: 'No.' }] as const
  expect(offered(factsOf({ declaredClass: 'read' }, { mode: 'auto', rules }))).toBe(false)
})
