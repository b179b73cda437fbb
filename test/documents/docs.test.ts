import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Block,
  blocksOf,
  type Printed,
  programFolder,
  root,
  runPrograms,
  syntaxFaults,
  typeFaults,
  userPages,
  writeProgram,
} from './programs.ts'

const blocks = userPages().flatMap((page) => blocksOf(page))
const whole = blocks.filter(({ kind }) => kind !== 'fragment')
// The programs of README.md have a test of their own; here their types are checked.
const runnable = blocks.filter(({ kind, page }) => kind === 'run' && page !== 'README.md')
const folder = programFolder('docs')
const files = new Map(whole.map((block) => [block, writeProgram(folder, block)]))
const nameOf = ({ page, line, title }: Block) => `${page}:${line} ${title}`
let printed: ReadonlyMap<string, Printed>

beforeAll(async () => {
  const paths = runnable.map((block) => files.get(block)!)
  const half = Math.ceil(paths.length / 2)
  const [first, second] = await Promise.all([
    runPrograms(paths.slice(0, half)),
    runPrograms(paths.slice(half)),
  ])
  printed = new Map([...first, ...second])
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('every block of a document', () => {
  test('that is no fragment is a program over the package', () => {
    const without = whole.filter(({ source }) => !/from 'toolpost(\/[\w/]+)?'/.test(source))
    expect(without.map(nameOf)).toEqual([])
  })

  test('that is a program has the types that it should', { timeout: 180_000 }, () => {
    expect(typeFaults([...files.values()])).toEqual([])
  })

  test('that is a fragment parses', () => {
    const fragments = blocks.filter(({ kind }) => kind === 'fragment')
    expect(fragments.flatMap((block) => syntaxFaults(nameOf(block), block.source))).toEqual([])
  })

  test('imports only what the package has a door for', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
    const doors = Object.keys(exports).map((door) => door.replace('.', 'toolpost'))
    const imported = blocks.flatMap(({ source }) =>
      [...source.matchAll(/from '(toolpost[^']*)'/g)].map(([, name]) => name as string),
    )
    expect(imported.filter((name) => !doors.includes(name))).toEqual([])
  })

  test('that is only checked is one that cannot run here', () => {
    const checked = blocks.filter(({ kind }) => kind === 'check')
    const others = checked.filter(({ source }) => !/from '(@ai-sdk\/\w+|vitest)'/.test(source))
    expect(others.map(nameOf)).toEqual([])
  })
})

describe('every program of the documents runs and prints what its page says', () => {
  test.each(runnable.map((block) => [nameOf(block), block] as const))('%s', (_name, block) => {
    const { output, errors } = printed.get(files.get(block)!)!
    expect(errors).toBe('')
    expect(output).toBe(block.prints ?? '')
  })
})

describe('the mechanism', () => {
  const page = [
    '# Page',
    ...['## One', '```ts', "import 'toolpost'", '```', '', '```text', 'one', '```'],
    ...['## Two', '```ts fragment', 'const a = ', '```'],
    ...['```ts check', 'const b: string = 1', 'throw new Error(String(b))', '```'],
  ].join('\n')
  const found = blocksOf('page.md', `${page}\n`)

  test('finds blocks with their headings, kinds and outputs', () => {
    expect(found).toMatchObject([
      { line: 4, title: 'One', kind: 'run', source: "import 'toolpost'\n", prints: 'one\n' },
      { line: 12, title: 'Two', kind: 'fragment' },
      { line: 15, title: 'Two', kind: 'check' },
    ])
    expect(found[1]).not.toHaveProperty('prints')
  })

  test('tells faults of syntax, of types, and of a run', async () => {
    const [one, two, three] = found as [Block, Block, Block]
    const [good, bad] = [one, three].map((block) => writeProgram(folder, block)) as [string, string]
    expect(readFileSync(good, 'utf8')).toBe("import '../../src/index.ts'\n")
    expect(syntaxFaults('two', two.source)).toEqual(['two:1 Expression expected.'])
    expect(typeFaults([good, bad])).toEqual([`${bad}:1 Type 'number' is not assignable to type 'string'.`])
    const run = await runPrograms([good, bad, good])
    expect(run.get(good)).toEqual({ output: '', errors: '' })
    expect(run.get(bad)?.errors).toContain('Error: 1')
  })
})
