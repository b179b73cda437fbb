import { expect, test } from 'vitest'
import { defaultToolMode, isToolMode, narrowerMode, toolModes } from '../../../src/core/policy/mode.ts'

test('modes stand from the narrowest to the widest, and a session starts in ask', () => {
  expect(toolModes).toEqual(['off', 'read_only', 'ask', 'auto'])
  expect(defaultToolMode).toBe('ask')
})

test('the narrower of two modes is the earlier one, in either order', () => {
  toolModes.forEach((a, i) => {
    toolModes.forEach((b, j) => {
      expect(narrowerMode(a, b)).toBe(toolModes[Math.min(i, j)])
    })
  })
})

test('only the four names are modes', () => {
  for (const name of toolModes) expect(isToolMode(name)).toBe(true)
  for (const other of ['AUTO', '', 'bypass', 'toString', '__proto__', 1, null, undefined, ['auto']]) {
    expect(isToolMode(other)).toBe(false)
  }
})
