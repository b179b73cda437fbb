import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesOf, graphOf, reachableFrom } from './cycles.ts'
import { entrances, mayImport, roomOf, rooms } from './floors.ts'
import { isSource, parseSource, repository, type SourceFile, sourceFiles } from './source.ts'

/** Every arrow between two files of `src`. */
function arrows(files: readonly SourceFile[]): (readonly [from: string, to: string])[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => (target === undefined ? [] : [[path, target] as const])),
  )
}

/** Arrows that the table of rooms does not allow, as sentences. */
function climbing(files: readonly SourceFile[]): string[] {
  return arrows(files).flatMap(([from, to]) => {
    const room = roomOf(from)
    const other = roomOf(to)
    if (room === undefined || other === undefined || mayImport(room, other)) return []
    return [`${from} imports ${to}: ${room} may not look into ${other}`]
  })
}

describe('the floors', () => {
  test('each file lives in a room, and each room has a file', () => {
    const files = sourceFiles()
    const homeless = files.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)
    const lived = new Set(files.map(({ path }) => roomOf(path)))
    const empty = Object.keys(rooms).filter((name) => !lived.has(name))
    expect({ homeless, empty }).toEqual({ homeless: [], empty: [] })
  })

  test('the table of rooms itself points down only', () => {
    const up = Object.entries(rooms).flatMap(([name, { floor, mayImport: targets }]) =>
      targets === 'every room below'
        ? []
        : targets.filter((to) => rooms[to]!.floor >= floor).map((to) => `${name} -> ${to}`),
    )
    expect(up).toEqual([])
  })

  test('every import stays in its room or goes to a room that it may look into', () => {
    expect(climbing(sourceFiles())).toEqual([])
  })

  test('every relative import names a file that exists, with its ending', () => {
    const lost = arrows(sourceFiles()).filter(([, to]) => !/\.tsx?$/.test(to) || !isSource(to))
    expect(lost.map(([from, to]) => `${from} imports ${to}, which does not exist`)).toEqual([])
  })

  test('no two files import each other, over whatever way, types included', () => {
    expect(cyclesOf(graphOf(arrows(sourceFiles())))).toEqual([])
  })

  test('no two rooms import each other, over whatever way', () => {
    const between = arrows(sourceFiles()).map(
      ([from, to]) => [roomOf(from) ?? from, roomOf(to) ?? to] as const,
    )
    expect(cyclesOf(graphOf(between))).toEqual([])
  })

  test('every file is reached from a door: what nobody imports is gone', () => {
    const graph = graphOf(arrows(sourceFiles()))
    const alive = new Set(entrances.flatMap((entrance) => [...reachableFrom(graph, entrance)]))
    const dead = sourceFiles().filter(({ path }) => !alive.has(path))
    expect(dead.map(({ path }) => path)).toEqual([])
  })

  test('packages are imported only if package.json names them for users', () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(repository, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>
    const undeclared = sourceFiles().flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => !/^(\.|node:)/.test(specifier))
        .map(({ specifier }) => specifier.match(/^(@[^/]+\/)?[^/]+/)![0])
        .filter((name) => !(name in dependencies) && !(name in peerDependencies))
        .map((name) => `${path} imports ${name}`),
    )
    expect(undeclared).toEqual([])
  })
})

describe('the test of the floors', () => {
  test('sees every form of import', () => {
    const text = [
      "import './side-effect.ts'",
      "import type { A } from '../types-only.ts'",
      "export { b } from './passed-on.ts'",
      "export * from './all.ts'",
      "type C = import('./in-a-type.ts').C",
      "const d = await import('./lazy.ts')",
      "import package1 from 'package1'",
    ].join('\n')
    const { imports } = parseSource('core/run/fold.ts', text)
    expect(imports.map(({ specifier, target }) => target ?? specifier)).toEqual([
      'core/run/side-effect.ts',
      'core/types-only.ts',
      'core/run/passed-on.ts',
      'core/run/all.ts',
      'core/run/in-a-type.ts',
      'core/run/lazy.ts',
      'package1',
    ])
  })

  test('names an import that climbs, and one from a store into another', () => {
    const files = [
      parseSource('core/call.ts', "import type { Task } from '../runtime/task.ts'"),
      parseSource('stores/sqlite/layout.ts', "import { rowIndex } from '../memory/row-index.ts'"),
      parseSource('agent/agent.ts', "import { fold } from '../core/run/fold.ts'"),
    ]
    expect(climbing(files)).toEqual([
      'core/call.ts imports runtime/task.ts: core may not look into runtime',
      'stores/sqlite/layout.ts imports stores/memory/row-index.ts: stores/sqlite may not look into stores/memory',
    ])
  })

  test('finds a cycle of three once, and none in a tree', () => {
    const tree = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ] as const
    expect(cyclesOf(graphOf(tree))).toEqual([])
    expect(cyclesOf(graphOf([...tree, ['c', 'b']]))).toEqual(['b -> c -> b'])
    expect(
      cyclesOf(
        graphOf([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
        ]),
      ),
    ).toEqual(['a -> b -> c -> a'])
  })
})
