import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'

/** The repository's own folder. */
export const repository = join(import.meta.dirname, '../..')
const root = join(repository, 'src')

/** One import of a file, whatever its form: types only, a re-export, `import(...)`, a type's `import('...')`. */
export interface Import {
  readonly specifier: string
  /** The imported file below `src`, when it is one of ours. */
  readonly target?: string
}

/** One file of `src`. */
export interface SourceFile {
  /** Below `src`, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

let read: readonly SourceFile[] | undefined

/** Every file of `src`, parsed once. */
export function sourceFiles(): readonly SourceFile[] {
  read ??= readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readSource(join(entry.parentPath, entry.name)))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return read
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  return parseSource(relative(root, file).split(sep).join('/'), text)
}

/** Parses one file; `path` is its path below `src`, so that relative imports find their files. */
export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports = nodesOf(tree).flatMap((node) => {
    const specifier = specifierOf(node)
    return specifier === undefined ? [] : [importOf(path, specifier)]
  })
  return { path, text, tree, imports }
}

/** A node and all that is below it, in the order of the text. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const nodes: ts.Node[] = [node]
  node.forEachChild((child) => {
    nodes.push(...nodesOf(child))
  })
  return nodes
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  if (!ts.isCallExpression(node)) return undefined
  const isImport =
    node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require'
  return isImport ? textOf(node.arguments[0]) : undefined
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined
}

function importOf(path: string, specifier: string): Import {
  if (!specifier.startsWith('.')) return { specifier }
  return { specifier, target: join(dirname(path), specifier).split(sep).join('/') }
}

/** Where a node stands, for a message: `core/error.ts:12`. */
export function placeOf(file: SourceFile, node: ts.Node): string {
  const { line } = file.tree.getLineAndCharacterOfPosition(node.getStart())
  return `${file.path}:${line + 1}`
}

/** Whether `src` holds a file. */
export function isSource(path: string): boolean {
  return existsSync(join(root, path))
}
