import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, sample, type TestFolder, testFolder } from './fixture.ts'

const index = join(import.meta.dirname, '../../src/index.ts')

/** A module with an agent on the tools that the command line's own has, but for what they do. */
function moduleFor(cassette: { agent: string }, more = ''): string {
  return `
import { agent, scriptedModel } from ${JSON.stringify(index)}
import { mainTools } from ${JSON.stringify(join(import.meta.dirname, '../../src/cli/main-agent.ts'))}
import { openFolder } from ${JSON.stringify(join(import.meta.dirname, '../../src/cli/folder/folder.ts'))}
const approvals = () => ({ approved: true })
const make = (name, more) => agent({ name, model: scriptedModel([]), tools: mainTools(openFolder(${JSON.stringify(cassette.agent.slice('folder:'.length))})), approvals, ...more })
export const other = make('other', { rules: [{ id: 'x', tool: 'read_file', verdict: 'deny', reason: 'Not this one.' }] })
export const main = make(${JSON.stringify(cassette.agent)}, { ${more} })
`
}

let folder: TestFolder
let session: string
let first: string

beforeAll(async () => {
  folder = testFolder(sample)
  await run(['start', '--dir', folder.path, '--leave-open'])
  const { runs } = JSON.parse((await run(['runs', '--dir', folder.path, '--json'])).stdout)
  session = runs[0].session
  first = runs[0].run
})

afterAll(() => folder[Symbol.dispose]())

const here = (...words: string[]) => run([...words, '--dir', folder.path])
const file = () => join(folder.path, 'cassette.json')

describe('export', () => {
  test('writes a session to standard output, or into a file', async () => {
    const { stdout, code } = await here('export', session)
    expect(code).toBe(0)
    const cassette = JSON.parse(stdout)
    expect(cassette).toMatchObject({ format: 'toolpost.cassette/2', session })
    const written = await here('export', session, '--run', first, '--file', file())
    expect(written.stdout).toBe(`Wrote ${file()}: 1 run.\n`)
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(cassette)
  })

  test("of a module's agent reads the agent's own store", async () => {
    const module = join(folder.path, 'stored.mjs')
    const { agent } = JSON.parse((await here('export', session)).stdout)
    const store = join(folder.path, '.toolpost', 'toolpost.db')
    const sqlite = join(import.meta.dirname, '../../src/sqlite.ts')
    const code = moduleFor({ agent }, `store: sqlite(${JSON.stringify(store)})`).replace(
      /export const other .*\n/,
      '',
    )
    writeFileSync(module, `import { sqlite } from ${JSON.stringify(sqlite)}\n${code}`)
    const { stdout, code: exit } = await run(['export', session, '--agent', module])
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ format: 'toolpost.cassette/2', session })
  })

  test.each([
    ['a session that is not there', ['session_x'], 'SESSION_NOT_FOUND'],
    ['a run that is not there', ['', '--run', 'run_x'], 'RUN_NOT_FOUND'],
    ['a file that cannot be written', ['', '--file', '/dev/null/x'], 'INVALID_ARGUMENT'],
  ])('of %s is a sentence', async (_what, words, code) => {
    const told = await here('export', ...words.map((word) => (word === '' ? session : word)))
    expect(told.code).toBe(1)
    expect(told.stderr).toMatch(new RegExp(`^error: .+ \\[${code}\\]\n$`))
  })
})

describe('replay', () => {
  test('says that everything is as it was, or shows what is decided otherwise and ends with 1', async () => {
    const { stdout } = await here('export', session)
    writeFileSync(file(), stdout)
    const module = join(folder.path, 'agent.mjs')
    writeFileSync(module, moduleFor(JSON.parse(stdout)))
    const same = await run(['replay', file(), '--agent', module])
    expect(same.stdout).toMatch(/^Everything is as it was recorded: 1 run, \d+ steps, \d+ calls\.\n$/)
    expect(same.code).toBe(0)
    const rule = "rules: [{ id: 'r', tool: 'read_file', verdict: 'deny', reason: 'Closed.' }]"
    const denying = join(folder.path, 'denying.mjs')
    writeFileSync(denying, moduleFor(JSON.parse(stdout), rule))
    const changed = await run(['replay', file(), '--agent', denying])
    expect(changed.stdout).toMatch(/call 1 \(read_file\), decision: It ran, and now it is denied: Closed\./)
    expect(changed.code).toBe(1)
    const { differences } = JSON.parse((await run(['replay', file(), '--agent', denying, '--json'])).stdout)
    expect(differences).toContainEqual(expect.objectContaining({ tool: 'read_file', at: 'decision' }))
  })

  test('without a module is of the agent of the folder', async () => {
    await here('export', session, '--file', file())
    const same = await here('replay', file())
    expect(same.stdout).toMatch(/^Everything is as it was recorded: 1 run, /)
    expect(same.code).toBe(0)
  })

  test('of what cannot be read, or of no agent, is a sentence', async () => {
    const empty = join(folder.path, 'empty.mjs')
    writeFileSync(empty, 'export const nothing = 1')
    writeFileSync(join(folder.path, 'broken.json'), '{')
    await here('export', session, '--file', file())
    const wrong = readFileSync(file(), 'utf8').replace(/"at": \d+/, '"at": "now"')
    writeFileSync(join(folder.path, 'other.json'), wrong)
    const replayed = (name: string) => run(['replay', join(folder.path, name), '--agent', empty])
    expect((await replayed('gone.json')).stderr).toMatch(/there is no such file.*\[INVALID_ARGUMENT\]/)
    expect((await replayed('broken.json')).stderr).toMatch(/cannot be read as a cassette/)
    expect((await replayed('other.json')).stderr).toMatch(/This is no cassette: at \/runs\/0\/at/)
    expect((await replayed('cassette.json')).stderr).toMatch(/exports no agent/)
  })
})
