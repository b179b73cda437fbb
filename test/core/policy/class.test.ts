import { expect, test } from 'vitest'
import { compareClass, isToolClass, stricterClass, toolClasses } from '../../../src/core/policy/class.ts'

test('classes stand from the loosest to the strictest', () => {
  expect(toolClasses).toEqual(['read', 'sensitive', 'write', 'external', 'destructive'])
})

test('the stricter of two classes is the later one, in either order', () => {
  toolClasses.forEach((a, i) => {
    toolClasses.forEach((b, j) => {
      expect(stricterClass(a, b)).toBe(toolClasses[Math.max(i, j)])
      expect(Math.sign(compareClass(a, b))).toBe(Math.sign(i - j))
    })
  })
})

test('only the five names are classes', () => {
  for (const name of toolClasses) expect(isToolClass(name)).toBe(true)
  for (const other of ['Read', '', 'constructor', '__proto__', 'length', 0, null, undefined, ['read']]) {
    expect(isToolClass(other)).toBe(false)
  }
})
