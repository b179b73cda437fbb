import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Citations, citationsIn, coverageFaults } from './coverage.ts'
import { manifest } from './manifest.ts'
import type { Requirement } from './requirement.ts'

const root = join(import.meta.dirname, '../..')

/** The text of every test file, the gate's own left out. */
function testFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const folder of ['test', 'examples']) {
    for (const path of pathsBelow(join(root, folder))) {
      if (/\.test\.tsx?$/.test(path) && !path.startsWith(import.meta.dirname + sep)) {
        files.set(relative(root, path), readFileSync(path, 'utf8'))
      }
    }
  }
  return files
}

function pathsBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

test('each requirement is proved by a test that cites it, or deferred, and tests cite nothing else', () => {
  expect(coverageFaults(manifest, citationsIn(testFiles()))).toEqual([])
})

describe('the coverage gate', () => {
  const row = (given: Partial<Requirement>): Requirement => ({
    id: 'approvals/X1',
    says: 'It holds.',
    state: 'tested',
    owner: 'spine',
    ...given,
  })
  const cites = (...ids: string[]): Citations => new Map(ids.map((id) => [id, ['test/some.test.ts']]))

  test('finds several ids in one title, and who cites them', () => {
    const found = citationsIn(
      new Map([
        ['a.test.ts', "test('x [approvals/B1] [faults/F6]', run)\ntest('y [approvals/B1]', run)"],
        ['b.test.ts', "test('z [approvals/B1]', () => list[0])"],
      ]),
    )
    expect([...found]).toEqual([
      ['approvals/B1', ['a.test.ts', 'b.test.ts']],
      ['faults/F6', ['a.test.ts']],
    ])
  })

  test('accepts rows that are cited, covered or deferred', () => {
    const rows = [
      row({}),
      row({ id: 'tools-and-approvals/x', coveredBy: 'approvals/X1' }),
      row({ id: 'approvals/X2', state: 'deferred' }),
    ]
    expect(coverageFaults(rows, cites('approvals/X1'))).toEqual([])
  })

  test('names a tested or deviating row that no test cites', () => {
    const rows = [row({}), row({ id: 'approvals/X2', state: 'deviates', reason: 'ours is stricter' })]
    expect(coverageFaults(rows, cites())).toEqual([
      'approvals/X1 is marked tested, but no test cites it',
      'approvals/X2 is marked deviates, but no test cites it',
    ])
  })

  test('names a covered row whose scenario does not exist or is only deferred', () => {
    const rows = [
      row({ coveredBy: 'approvals/X9' }),
      row({ id: 'approvals/X2', coveredBy: 'approvals/X3' }),
      row({ id: 'approvals/X3', state: 'deferred' }),
    ]
    expect(coverageFaults(rows, cites())).toEqual([
      'approvals/X1 is covered by approvals/X9, which is not in the manifest',
      'approvals/X2 is marked tested, but approvals/X3, which covers it, is marked deferred',
    ])
  })

  test('names a citation of an id that is unknown or deferred', () => {
    const rows = [row({ state: 'deferred' })]
    expect(coverageFaults(rows, cites('approvals/X1', 'faults/F999'))).toEqual([
      'approvals/X1 is cited by test/some.test.ts, but is marked deferred: mark it tested',
      'faults/F999 is cited by test/some.test.ts, but is not in the manifest',
    ])
  })

  test('names an id that repeats, a deviation without a reason and an empty sentence', () => {
    const rows = [row({}), row({}), row({ id: 'approvals/X2', state: 'deviates', says: ' ' })]
    expect(coverageFaults(rows, cites('approvals/X1', 'approvals/X2'))).toEqual([
      'approvals/X1 stands in the manifest more than once: give each row its own id',
      'approvals/X2 deviates without a reason: give one',
      'approvals/X2 says nothing: write its behaviour as one sentence',
    ])
  })
})
