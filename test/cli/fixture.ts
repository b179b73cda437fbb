import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const repository = join(import.meta.dirname, '../..')
/** The Node that the repository carries; the sources run on it without a build. */
export const node = join(repository, 'node_modules/.bin/node')
export const main = join(repository, 'src/cli/main.ts')

/** A folder that is gone after the test. */
export interface TestFolder extends Disposable {
  readonly path: string
}

/** A temporary folder with these files. */
export function testFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-cli-')))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A small project, as the scripted job likes it. */
export const sample = {
  'README.md': '# Sample\n\n## Use\n\nText.\n',
  'package.json': '{"name": "sample", "version": "1.2.3", "scripts": {"test": "x"}}\n',
  'src/one.ts': 'export const one = 1\n// \u0054ODO: two\n',
  'test/one.test.ts': 'test\n',
}

/** What a command came to. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of the command line. */
export interface Running {
  readonly child: ChildProcess
  /** Resolves once the output so far, without its control sequences, holds a match. */
  output(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<Ended>
}

/** An environment without keys, colours and terminals of its own. */
export function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env
  return { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(LANG && { LANG }), ...extra }
}

/** Starts a command without a terminal. */
export function begin(words: readonly string[], extra: Readonly<Record<string, string>> = {}): Running {
  return running(
    spawn(node, [main, ...words], { env: environment(extra), stdio: ['ignore', 'pipe', 'pipe'] }),
  )
}

/** Runs a command without a terminal to its end. */
export async function run(
  words: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await begin(words, extra).ended
}

/** Follows a process that was started with piped output. */
export function running(child: ChildProcess): Running {
  const text = { stdout: '', stderr: '' }
  const readers = new Set<() => void>()
  const wake = () => {
    for (const reader of readers) reader()
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece
      wake()
    })
  }
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...text }))
  const output = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stripVTControlCharacters(text.stdout + text.stderr))
        if (match === null) return
        readers.delete(look)
        resolve(match)
      }
      readers.add(look)
      look()
      ended.then(() =>
        reject(new Error(`The process ended before ${pattern}:\n${text.stdout}${text.stderr}`)),
      )
    })
  return { child, output, ended }
}

/** The id of an ask in a text. */
export function askIn(text: string): string {
  const id = /ask_[0-9a-z]{20}/.exec(text)?.[0]
  if (id === undefined) throw new Error(`No ask in:\n${text}`)
  return id
}
