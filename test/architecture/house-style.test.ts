import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { functionsOf } from './functions.ts'
import { nameFaults } from './naming.ts'
import { declarations, sourceProgram } from './program.ts'
import { nodesOf, parseSource, placeOf, type SourceFile, sourceFiles } from './source.ts'
import { trackedFiles } from './tracked.ts'

function lineCount({ text }: SourceFile): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/** Which of these sizes is as large as nine in ten, or larger. */
function ninetieth(sizes: readonly number[]): number {
  return sizes.toSorted((a, b) => a - b)[Math.ceil(sizes.length * 0.9) - 1] ?? 0
}

const forms: readonly (readonly [says: string, is: (node: ts.Node) => boolean])[] = [
  ['exports everything of a file', (node) => ts.isExportDeclaration(node) && !isNamed(node)],
  ['has a default export', isDefaultExport],
  ['declares an enum', ts.isEnumDeclaration],
]

function isNamed({ exportClause }: ts.ExportDeclaration): boolean {
  return exportClause !== undefined && ts.isNamedExports(exportClause)
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)
}

function formFaults(file: SourceFile): string[] {
  return nodesOf(file.tree).flatMap((node) =>
    forms.filter(([, is]) => is(node)).map(([says]) => `${placeOf(file, node)} ${says}`),
  )
}

/** Places where a file is a barrel: it passes on a value, or does nothing else than to pass on. */
function passedOn(file: SourceFile): string[] {
  const { statements } = file.tree
  const passing = statements
    .filter(ts.isExportDeclaration)
    .filter((node) => node.moduleSpecifier !== undefined)
  const isBarrel = statements.length > 0 && passing.length === statements.length
  return passing.filter((node) => isBarrel || !node.isTypeOnly).map((node) => placeOf(file, node))
}

/** Places in a declaration file that say `any`. */
function anysIn(path: string, text: string): string[] {
  const file = parseSource(path, text)
  const anys = nodesOf(file.tree).filter((node) => node.kind === ts.SyntaxKind.AnyKeyword)
  return anys.map((node) => `${path}: ${node.parent.getText().split('\n')[0]}`)
}

describe('names', () => {
  test('of files and folders are kebab-case and say what is in them', () => {
    const paths = trackedFiles().filter((path) => /^(src|test|examples|bench)\/.*\.tsx?$/.test(path))
    expect(paths.flatMap(nameFaults)).toEqual([])
  })

  test('are told apart: good ones, another case, empty words', () => {
    expect(
      ['src/core/json/as-json.ts', 'test/core/call.test.ts', 'src/index.ts'].flatMap(nameFaults),
    ).toEqual([])
    const bad = [
      'src/core/asJson.ts',
      'src/utils/a.ts',
      'src/core/call-helper.ts',
      'src/core/index.ts',
      'src/core/types.ts',
    ]
    expect(bad.flatMap(nameFaults)).toHaveLength(bad.length)
  })
})

describe('forms', () => {
  test('that hide where a thing comes from do not occur in src', () => {
    expect(sourceFiles().flatMap(formFaults)).toEqual([])
  })

  test('are recognised', () => {
    const text = [
      "export * from './a.ts'",
      "export * as b from './b.ts'",
      'export default class C {}',
      'const d = 1',
      'export { d as default }',
      'enum E { one }',
      'switch (d) { default: }',
    ]
    expect(formFaults(parseSource('x.ts', text.join('\n')))).toEqual([
      'x.ts:1 exports everything of a file',
      'x.ts:2 exports everything of a file',
      'x.ts:3 has a default export',
      'x.ts:5 has a default export',
      'x.ts:6 declares an enum',
    ])
  })

  test('only doors pass on what other files hold; a room may pass on the types that its own functions use', () => {
    const rooms = sourceFiles().filter(({ path }) => path.includes('/'))
    expect(rooms.flatMap(passedOn)).toEqual([])
  })

  test('a file that only passes on, or passes on a value, is recognised', () => {
    const passed = ["export { a } from './a.ts'\nexport const b = 1", "export type { A } from './a.ts'"]
    expect(passed.flatMap((text) => passedOn(parseSource('x/y.ts', text)))).toEqual(['x/y.ts:1', 'x/y.ts:1'])
    expect(passedOn(parseSource('x/y.ts', "export type { A } from './a.ts'\nexport const b = 1"))).toEqual([])
  })

  test('no declaration that users are given says any', { timeout: 180_000 }, () => {
    const given = declarations(sourceProgram())
    expect([...given.keys()].sort()).toEqual(sourceFiles().map(({ path }) => path))
    expect([...given].flatMap(([path, text]) => anysIn(path, text))).toEqual([])
  })

  test('an any is found in a type, and not in a text', () => {
    expect(anysIn('x.ts', "export declare const a: any[]\nexport type B = 'any'")).toEqual(['x.ts: any[]'])
  })
})

describe('sizes', () => {
  test('no file of src has more than 400 lines, and nine in ten have fewer than 200', () => {
    const long = sourceFiles().filter((file) => lineCount(file) > 400)
    expect(long.map(({ path }) => path)).toEqual([])
    expect(ninetieth(sourceFiles().map(lineCount))).toBeLessThan(200)
  })

  test('no function of src has more than 60 lines, and nine in ten have fewer than 25', () => {
    const functions = sourceFiles().flatMap(functionsOf)
    const long = functions.filter(({ lines }) => lines > 60)
    expect(long.map(({ path, line, lines }) => `${path}:${line} has ${lines} lines`)).toEqual([])
    expect(ninetieth(functions.map(({ lines }) => lines))).toBeLessThan(25)
  })

  test('are measured from the first line of a function to its last', () => {
    const file = parseSource(
      'x.ts',
      '/** Says. */\nexport function a() {\n  return () => 1\n}\nconst b = () => {\n}\n',
    )
    expect(lineCount(file)).toBe(6)
    expect(functionsOf(file)).toEqual([
      { path: 'x.ts', line: 2, lines: 3 },
      { path: 'x.ts', line: 5, lines: 2 },
    ])
    const suite = parseSource('x.ts', "function suite() {\n  test('a', () => {\n    run()\n  })\n}")
    expect(functionsOf(suite)).toEqual([{ path: 'x.ts', line: 2, lines: 3 }])
    expect(ninetieth([1, 2, 3, 4, 5, 6, 7, 8, 9, 100])).toBe(9)
  })
})
