import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const text = readFileSync(join(root, 'README.md'), 'utf8')
// Inside the repository, so that the programs find its packages; ignored by git.
const folder = join(root, '.toolpost', `readme-${process.pid}`)

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Program {
  readonly title: string
  readonly source: string
  /** What the page says that it prints, when it says so. */
  readonly prints?: string
}

function programs(): Program[] {
  const found: Program[] = []
  for (const match of text.matchAll(
    /### (.+?)\n[\s\S]*?```ts\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g,
  )) {
    const [, title = '', source = '', prints] = match
    found.push({ title, source, ...(prints === undefined ? {} : { prints }) })
  }
  return found
}

/** The published names, as the tree has them. */
function fromSource(source: string): string {
  return source
    .replace("from 'toolpost/sqlite'", `from '${join(root, 'src/sqlite.ts')}'`)
    .replace("from 'toolpost'", `from '${join(root, 'src/index.ts')}'`)
}

test('the page begins with the two commands', () => {
  const commands = [...text.matchAll(/```sh\n(.+)\n```/g)].map((match) => match[1])
  expect(commands.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

describe('every program of the page runs and prints what the page says', () => {
  test.each(programs().map((program) => [program.title, program] as const))(
    '%s',
    (title, { source, prints }) => {
      const file = join(folder, `${title.replaceAll(/\W+/g, '-')}.ts`)
      writeFileSync(file, fromSource(source))
      const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      })
      expect(stderr.replaceAll(/.*ExperimentalWarning.*\n.*\n/g, '')).toBe('')
      expect(status).toBe(0)
      expect(stdout).not.toBe('')
      if (prints !== undefined) expect(stdout).toBe(prints)
    },
  )

  test('there are four of them', () => {
    expect(programs()).toHaveLength(4)
  })
})
