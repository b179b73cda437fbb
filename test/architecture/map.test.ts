import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rooms } from './floors.ts'
import { mapFaults, mapLines } from './map.ts'
import { repository, sourceFiles } from './source.ts'

const page = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8')

describe('the map in ARCHITECTURE.md', () => {
  test('has one line for every file of src, and none for others', () => {
    const paths = sourceFiles().map(({ path }) => path)
    expect(mapFaults(mapLines(page), paths)).toEqual([])
  })

  test('keeps the files of a folder together, in the order of their names', () => {
    const byFolder = Map.groupBy(mapLines(page), ({ path }) => dirname(path))
    const inOrder = [...byFolder.values()].flatMap((lines) =>
      lines.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    )
    expect(mapLines(page)).toEqual(inOrder)
  })

  test('names every room in the picture of the floors', () => {
    const picture = page.match(/```\nfloor[\s\S]*?```/)?.[0] ?? ''
    const unnamed = Object.keys(rooms).filter((name) => !picture.includes(name.replace(/\.ts$/, '')))
    expect(unnamed).toEqual([])
  })

  test('links to files that exist', () => {
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link as string)
    expect(links.filter((link) => !existsSync(join(repository, link)))).toEqual([])
  })
})

describe('the test of the map', () => {
  const text =
    '| file | what |\n| --- | --- |\n| `core/a.ts` | One. |\n| `core/b.ts` | One. |\n| `core/b.ts` |  |\n'

  test('reads the rows of tables', () => {
    expect(mapLines(text).map(({ path }) => path)).toEqual(['core/a.ts', 'core/b.ts', 'core/b.ts'])
  })

  test('names what is missing, left over, repeated and empty', () => {
    expect(mapFaults(mapLines(text), ['core/b.ts', 'core/c.ts'])).toEqual([
      'core/c.ts has no line: say what is in it',
      'core/a.ts does not exist: take its line out',
      'core/b.ts has more than one line',
      '"One." is said of more than one file',
      'core/b.ts has an empty line',
    ])
  })
})
