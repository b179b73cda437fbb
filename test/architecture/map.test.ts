import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { roomOf, rooms } from './floors.ts'
import { mapFaults, mapLines } from './map.ts'
import { repository, sourceFiles } from './source.ts'

const page = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8')

describe('the map in ARCHITECTURE.md', () => {
  test('has one line for every file of src, and none for others', () => {
    const paths = sourceFiles().map(({ path }) => path)
    expect(mapFaults(mapLines(page), paths)).toEqual([])
  })

  test('keeps the files of a room together, in the order of their paths', () => {
    const byRoom = Map.groupBy(mapLines(page), ({ path }) => roomOf(path))
    const inOrder = [...byRoom.values()].flatMap((lines) => lines.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    expect(mapLines(page)).toEqual(inOrder)
  })

  test('names every room in the picture of the floors', () => {
    const picture = page.match(/```\nfloor[\s\S]*?```/)?.[0] ?? ''
    const unnamed = Object.keys(rooms).filter((name) => !picture.includes(name.replace(/\.ts$/, '')))
    expect(unnamed).toEqual([])
  })

  test('links to pages that exist', () => {
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link as string)
    const dead = links.filter((link) => {
      try {
        readFileSync(join(repository, link))
        return false
      } catch (error) {
        return (error as { code?: string }).code !== 'EISDIR'
      }
    })
    expect(dead).toEqual([])
  })
})

describe('the test of the map', () => {
  const text = '| file | what |\n| --- | --- |\n| `core/a.ts` | One. |\n| `core/b.ts` | One. |\n| `core/b.ts` |  |\n'

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
