import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasPython, pythonResults } from './python.ts'

interface Vector {
  readonly id: string
  readonly says: string
}

const file = join(import.meta.dirname, '../../conformance/client.json')
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly Vector[] }

function nameOf(id: string): string {
  return `test_${id.replaceAll('-', '_')}`
}

describe.skipIf(!hasPython)('the Python client', () => {
  let results: ReturnType<typeof pythonResults>

  beforeAll(() => {
    results = pythonResults()
  }, 300_000)

  test.each(cases)('keeps to $id: $says [application-tools/other-languages]', ({ id }) => {
    expect(results.ends.get(nameOf(id)), results.report).toBe('ok')
  })

  test('passes its own tests too, of functions, closing and certificates', () => {
    const vectors = new Set(cases.map(({ id }) => nameOf(id)))
    const own = [...results.ends].filter(([name]) => !vectors.has(name))
    expect(own.length).toBeGreaterThan(15)
    expect(
      own.filter(([, end]) => end !== 'ok' && end !== 'skipped'),
      results.report,
    ).toEqual([])
  })
})
