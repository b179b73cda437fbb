import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Mutant, mutants } from './policy-mutants.ts'

const repository = new URL('../../', import.meta.url).pathname
const fixture = join(repository, 'test/surviving/fixtures/judge-mutants.ts')
const folder = temporaryFolder()
afterAll(() => folder.remove())

const evaluateOf = (name: string) => join(folder.path, name, 'policy/evaluate.ts')

/** A copy of what the policy is made of, with one thing changed. */
function copyOfCore(name: string, mutant?: Mutant): void {
  const target = join(folder.path, name)
  mkdirSync(target)
  for (const part of ['policy', 'json', 'grant.ts', 'error.ts', 'message-of.ts'])
    cpSync(join(repository, 'src/core', part), join(target, part), { recursive: true })
  if (mutant === undefined) return
  const path = join(target, mutant.file)
  const text = readFileSync(path, 'utf8')
  expect(text.split(mutant.find).length - 1, `${mutant.file} holds once: ${mutant.find}`).toBe(1)
  writeFileSync(
    path,
    text.replace(mutant.find, () => mutant.put),
  )
}

/** Judges copies in a process of its own; gives the law that each one breaks, or null. */
function judged(names: readonly string[]): Promise<Record<string, string | null>> {
  const child = spawn(process.execPath, [fixture, ...names.map(evaluateOf)])
  let out = ''
  let error = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    error += data
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(out))
      else reject(new Error(`The judge ended with ${code}: ${error}`))
    })
  })
}

const nameOf = (index: number) => `mutant-${index}`
let laws: Record<string, string | null> = {}

beforeAll(async () => {
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
  symlinkSync(join(repository, 'node_modules'), join(folder.path, 'node_modules'))
  copyOfCore('unchanged')
  for (const [index, mutant] of mutants.entries()) copyOfCore(nameOf(index), mutant)
  const names = mutants.map((_mutant, index) => nameOf(index))
  const half = Math.ceil(names.length / 2)
  const parts = [['unchanged', ...names.slice(0, half)], names.slice(half)]
  laws = Object.assign({}, ...(await Promise.all(parts.map(judged))))
}, 120_000)

test('the policy as it is, copied and judged in the same way, keeps every law', () => {
  expect(laws[evaluateOf('unchanged')]).toBeNull()
})

test.each(mutants.map((mutant, index) => [mutant.file, mutant.find, mutant.put, index] as const))(
  'a policy in which %s has not %j but %j breaks a law',
  (_file, _find, _put, index) => {
    expect(laws[evaluateOf(nameOf(index))]).toEqual(expect.any(String))
  },
)
