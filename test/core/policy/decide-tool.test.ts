import { describe, expect, test } from 'vitest'
import { toolClasses } from '../../../src/core/policy/class.ts'
import { decideTool } from '../../../src/core/policy/decide-tool.ts'
import { toolModes } from '../../../src/core/policy/mode.ts'

// Columns: read, sensitive, write, external, destructive.
const expected = {
  off: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  read_only: ['run', 'ask', 'hidden', 'hidden', 'hidden'],
  ask: ['run', 'ask', 'ask', 'ask', 'ask'],
  auto: ['run', 'run', 'run', 'ask', 'ask'],
}
const strictness = ['run', 'ask', 'hidden']

describe('the table of modes and classes [approvals/C14]', () => {
  for (const mode of toolModes) {
    toolClasses.forEach((toolClass, column) => {
      test(`mode ${mode} and class ${toolClass} give ${expected[mode][column]} [approvals/C14]`, () => {
        expect(decideTool(mode, toolClass)).toBe(expected[mode][column])
      })
    })
  }
})

test('a mode or a class that is not known is hidden [approvals/C14]', () => {
  for (const unknown of [
    'bypass',
    'Auto',
    '',
    '__proto__',
    'constructor',
    'toString',
    null,
    undefined,
    3,
    ['auto'],
  ]) {
    for (const toolClass of toolClasses) expect(decideTool(unknown, toolClass)).toBe('hidden')
    for (const mode of toolModes) expect(decideTool(mode, unknown)).toBe('hidden')
  }
})

test('a wider mode is never stricter, and a stricter class is never looser [tools-and-approvals/mode-monotone]', () => {
  const rank = (mode: string | undefined, toolClass: string | undefined) =>
    strictness.indexOf(decideTool(mode, toolClass))
  toolModes.forEach((mode, row) => {
    toolClasses.forEach((toolClass, column) => {
      if (row > 0) expect(rank(mode, toolClass)).toBeLessThanOrEqual(rank(toolModes[row - 1], toolClass))
      if (column > 0)
        expect(rank(mode, toolClass)).toBeGreaterThanOrEqual(rank(mode, toolClasses[column - 1]))
    })
  })
})
