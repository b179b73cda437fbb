import { expect, test } from 'vitest'
import type { ToolClass } from '../../../src/core/policy/class.ts'
import { evaluate } from '../../../src/core/policy/evaluate.ts'
import type { ToolHints } from '../../../src/core/policy/facts.ts'
import { classAdmitted, classFromHints } from '../../../src/core/policy/mcp-hints.ts'
import { factsOf } from './facts-of.ts'

test('hints stand for a class, and what is left out counts as the worse case', () => {
  expect(classFromHints({ readOnly: true, openWorld: false })).toBe('read')
  expect(classFromHints({ readOnly: true, openWorld: true })).toBe('sensitive')
  expect(classFromHints({ readOnly: true })).toBe('sensitive')
  expect(classFromHints({ readOnly: false, destructive: false, openWorld: false })).toBe('write')
  expect(classFromHints({ destructive: false, openWorld: false })).toBe('write')
  expect(classFromHints({ readOnly: false, destructive: false, openWorld: true })).toBe('external')
  expect(classFromHints({ readOnly: false, destructive: false })).toBe('external')
  expect(classFromHints({ readOnly: false })).toBe('destructive')
  expect(classFromHints({ openWorld: false })).toBe('destructive')
  expect(classFromHints({ readOnly: true, destructive: true })).toBe('destructive')
})

test('no hint, a hint that is no truth value, and idempotence say nothing', () => {
  expect(classFromHints({})).toBeUndefined()
  expect(classFromHints({ idempotent: true })).toBeUndefined()
  expect(classFromHints({ readOnly: 'true' } as unknown as ToolHints)).toBeUndefined()
  expect(classAdmitted({ idempotent: false })).toBeUndefined()
})

function classOf(trusted: boolean, hints: ToolHints, declaredClass?: ToolClass, contractClass?: ToolClass) {
  const source = { kind: 'mcp', name: 'docs', trusted, hints }
  const contract = contractClass && { tools: { look: { toolClass: contractClass } } }
  return evaluate(
    factsOf({ source, developer: false, ...(declaredClass && { declaredClass }) }, contract && { contract }),
  ).toolClass
}

test('a trusted server gives a class to a tool that has none', () => {
  expect(classOf(true, { readOnly: true, openWorld: false })).toBe('read')
  expect(classOf(true, {})).toBe('destructive')
})

test('the hints of an untrusted server never make its tool looser', () => {
  expect(classOf(false, { readOnly: true, openWorld: false })).toBe('destructive')
  expect(classOf(false, { readOnly: true, openWorld: false }, 'write')).toBe('write')
  expect(classOf(false, { readOnly: true, openWorld: false }, undefined, 'external')).toBe('external')
})

test('hints of any server raise a class that somebody else gave', () => {
  for (const trusted of [true, false]) {
    expect(classOf(trusted, { destructive: true }, 'read')).toBe('destructive')
    expect(classOf(trusted, { readOnly: false }, 'read')).toBe('write')
    expect(classOf(trusted, { readOnly: false, openWorld: true }, 'read')).toBe('external')
    expect(classOf(trusted, { readOnly: true, openWorld: true }, 'read')).toBe('sensitive')
    expect(classOf(trusted, { destructive: true }, undefined, 'read')).toBe('destructive')
  }
})

test("a server's silence does not raise a class that the developer gave", () => {
  expect(classOf(true, { readOnly: true }, 'read')).toBe('read')
  expect(classOf(false, {}, 'read')).toBe('read')
})

test('an untrusted server is never treated more loosely than a trusted one', () => {
  const order: ToolClass[] = ['read', 'sensitive', 'write', 'external', 'destructive']
  const choices = [undefined, true, false]
  for (const readOnly of choices)
    for (const destructive of choices)
      for (const openWorld of choices)
        for (const declared of [undefined, ...order])
          for (const listed of [undefined, ...order]) {
            const hints = JSON.parse(JSON.stringify({ readOnly, destructive, openWorld })) as ToolHints
            const trusted = order.indexOf(classOf(true, hints, declared, listed))
            expect(order.indexOf(classOf(false, hints, declared, listed))).toBeGreaterThanOrEqual(trusted)
          }
})
