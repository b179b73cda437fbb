import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSuiteFile, type SuiteDialect, suiteDialects, suiteFiles } from './suite-cases.ts'

/** Required cases of the suite; a copy that lost some must not pass. */
const caseCounts = { draft7: 927, 'draft2020-12': 1299 } as const

describe.each(Object.keys(suiteDialects) as SuiteDialect[])('the JSON Schema Test Suite, %s', (dialect) => {
  test.each(suiteFiles(dialect))('agrees on %s', (file) => {
    const { cases, failed } = runSuiteFile(dialect, file)
    expect(failed).toEqual([])
    expect(cases).toBeGreaterThan(0)
  })

  test('is here with all of its cases', () => {
    const outcomes = suiteFiles(dialect).map((file) => runSuiteFile(dialect, file))
    expect(outcomes.reduce((sum, { cases }) => sum + cases, 0)).toBe(caseCounts[dialect])
  })
})

test('a process that forbids the making of code from strings validates all the same', () => {
  const script = join(import.meta.dirname, 'fixtures', 'without-eval.ts')
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(JSON.parse(output)).toEqual({ evalThrows: true, cases: caseCounts['draft2020-12'], failed: [] })
})
