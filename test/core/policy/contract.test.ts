import { expect, test } from 'vitest'
import { contractEntry, contractRestricts } from '../../../src/core/policy/contract.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { Contract } from '../../../src/core/policy/facts.ts'
import { offered } from '../../../src/core/policy/offer.ts'
import { factsOf } from './facts-of.ts'

const listing = (toolClass: Contract['tools'][string]['toolClass']): Contract => ({
  tools: { look: toolClass === undefined ? {} : { toolClass } },
})

test('the contract raises the class of a tool [approvals/C1]', () => {
  expect(evaluate(factsOf({ declaredClass: 'read' }, { contract: listing('write') })).toolClass).toBe('write')
})

test('the contract never lowers the class of a tool [approvals/C2]', () => {
  const facts = factsOf({ declaredClass: 'destructive' }, { contract: listing('read') })
  expect(evaluate(facts).toolClass).toBe('destructive')
})

test('a tool without a class has the one of the contract [approvals/C3]', () => {
  expect(evaluate(factsOf({}, { contract: listing('external') })).toolClass).toBe('external')
})

test('a tool that a contract leaves out is not offered, and a call of it is refused', () => {
  const facts = factsOf({ declaredClass: 'read' }, { contract: { tools: { other: {} } }, mode: 'auto' })
  expect(offered(facts)).toBe(false)
  expect(evaluate(facts)).toMatchObject({ verdict: 'deny', category: 'contract' })
})

test('a contract that lists nothing restricts nothing [approvals/C6]', () => {
  for (const declaredClass of ['read', 'write', 'destructive'] as const) {
    const facts = factsOf({ declaredClass }, { contract: { tools: {} }, mode: 'auto' })
    expect(offered(facts)).toBe(true)
    expect(evaluate(facts).toolClass).toBe(declaredClass)
  }
})

test('a tool named like a property of every object is governed like any other', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const others = factsOf({ name, declaredClass: 'read' }, { contract: listing('read') })
    expect(evaluate(others)).toMatchObject({ verdict: 'deny', category: 'contract' })
    const tools = JSON.parse(`{${JSON.stringify(name)}: {"toolClass": "external"}}`)
    expect(evaluate(factsOf({ name, declaredClass: 'read' }, { contract: { tools } })).toolClass).toBe(
      'external',
    )
    expect(evaluate(factsOf({ declaredClass: 'read' }, { contract: { tools } })).category).toBe('contract')
  }
})

test('a contract without a prototype works as well', () => {
  const tools = Object.assign(Object.create(null), { look: { toolClass: 'write' } })
  expect(contractRestricts({ tools })).toBe(true)
  expect(contractEntry({ tools }, 'look')).toEqual({ toolClass: 'write' })
  expect(contractEntry({ tools }, 'other')).toBeUndefined()
})

test('inherited entries are no part of a contract', () => {
  const tools = Object.create({ look: { toolClass: 'read' } })
  expect(contractRestricts({ tools })).toBe(false)
  expect(contractEntry({ tools }, 'look')).toBeUndefined()
})
