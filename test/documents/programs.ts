import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The repository's own folder, without a slash at its end. */
export const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/**
 * A block of TypeScript in a document. `run`: a whole program; `check`: one that needs a key, a network or a test
 * runner, so that only its types are checked; `fragment`: a part of one, which has to parse.
 */
export interface Block {
  readonly page: string
  /** The line of the block's first line of code, from 1. */
  readonly line: number
  /** The heading that it stands under. */
  readonly title: string
  readonly kind: 'run' | 'check' | 'fragment'
  readonly source: string
  /** What the page says that it prints, when it says so. */
  readonly prints?: string
}

/** The pages that users read, as paths from the root. */
export function userPages(): readonly string[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', 'llms.txt', ...pages.map((name) => `docs/${name}`)]
}

/** A page's text. */
export function pageText(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

/** The blocks of a page, in order. */
export function blocksOf(page: string, text = pageText(page)): readonly Block[] {
  const found = text.matchAll(
    /^```ts(?: (check|fragment))?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm,
  )
  return [...found].map(({ index, 1: kind = 'run', 2: source = '', 3: prints }) => {
    const before = text.slice(0, index)
    const title = [...before.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? page
    const line = before.split('\n').length + 1
    const block = { page, line, title, kind: kind as Block['kind'], source }
    return prints === undefined ? block : { ...block, prints }
  })
}

/** Writes a program where its packages are found, with the published names as the tree has them; gives its path. */
export function writeProgram(folder: string, { page, line, source }: Block): string {
  const file = join(folder, `${page.replaceAll(/\W+/g, '-')}-${line}.ts`)
  const fromSource = source.replaceAll(
    /(from\s+|import\s*\(?)'toolpost(?:\/([\w/]+))?'/g,
    (_, before: string, door = 'index') => `${before}'../../src/${door.replaceAll('/', '-')}.ts'`,
  )
  writeFileSync(file, fromSource)
  return file
}

/** A folder for programs, inside the repository and ignored by git. */
export function programFolder(name: string): string {
  const folder = join(root, '.toolpost', `${name}-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** What a program printed; `errors` is empty when nothing went wrong. */
export interface Printed {
  readonly output: string
  readonly errors: string
}

const runner = join(root, 'test/documents/run-programs.ts')

/** Runs programs one after another in one child process, and gives what each printed, by its path. */
export async function runPrograms(files: readonly string[]): Promise<ReadonlyMap<string, Printed>> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', runner, ...files], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    let text = ''
    for await (const chunk of stream.setEncoding('utf8')) text += chunk
    return text.split('\0').slice(1)
  })
  const [outputs = [], errors = []] = await Promise.all(texts)
  const missing = 'The program never began: one before it broke the process.'
  return new Map(
    files.map((file, index) => [file, { output: outputs[index] ?? '', errors: errors[index] ?? missing }]),
  )
}

/** Everything that the compiler finds in these files, under the options of the project. */
export function typeFaults(files: readonly string[]): string[] {
  const path = join(root, 'tsconfig.json')
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root, {}, path)
  const program = ts.createProgram(files, options)
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map((fault) => faultText(file, fault))
  })
}

/** What is wrong with the syntax of a source. */
export function syntaxFaults(name: string, source: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  })
  return diagnostics.map((fault) => faultText(name, fault))
}

function faultText(name: string, { file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
  return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
}
