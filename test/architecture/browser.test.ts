import { builtinModules } from 'node:module'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { graphOf, reachableFrom } from './cycles.ts'
import { browserRooms, nodeOnlyFolders, roomOf } from './floors.ts'
import { messageOf, projectProgram } from './program.ts'
import { parseSource, type SourceFile, sourceFiles } from './source.ts'

function runsInBrowser({ path }: SourceFile): boolean {
  if (nodeOnlyFolders.some((folder) => path.startsWith(`${folder}/`))) return false
  return browserRooms.includes(roomOf(path) ?? '')
}

/** Node's own modules that a file pulls in, itself or through others of ours. */
function nodeModulesBehind(files: readonly SourceFile[], start: SourceFile): string[] {
  const arrows = files.flatMap(({ path, imports }) =>
    imports.map((each) => [path, each.target ?? each.specifier] as const),
  )
  const reached = reachableFrom(graphOf(arrows), start.path)
  return [...reached].filter((name) => name.startsWith('node:') || builtinModules.includes(name))
}

describe('the rooms for a browser', () => {
  test('pull in none of the modules of Node, by whatever way', () => {
    const files = sourceFiles()
    const pulling = files.filter(runsInBrowser).flatMap((file) => {
      return nodeModulesBehind(files, file).map((name) => `${file.path} pulls in ${name}`)
    })
    expect(pulling).toEqual([])
  })

  test('are seen to pull in Node when they do so through another file', () => {
    const files = [
      parseSource('core/a.ts', "import type { B } from './b.ts'"),
      parseSource('core/b.ts', "export type B = typeof import('fs')"),
    ]
    expect(nodeModulesBehind(files, files[0]!)).toEqual(['fs'])
  })

  test('pass the type check without the types of Node, and no package brings them back', {
    timeout: 180_000,
  }, () => {
    const program = projectProgram('tsconfig.browser.json')
    const fromNode = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/@types/node/'))
    const checked = program.getSourceFiles().map(({ fileName }) => fileName)
    const unchecked = sourceFiles().filter(
      (file) => runsInBrowser(file) && !checked.some((name) => name.endsWith(`/src/${file.path}`)),
    )
    expect({
      faults: ts.getPreEmitDiagnostics(program).map(messageOf),
      fromNode: fromNode.map(({ fileName }) => fileName),
      unchecked: unchecked.map(({ path }) => path),
    }).toEqual({ faults: [], fromNode: [], unchecked: [] })
  })
})
