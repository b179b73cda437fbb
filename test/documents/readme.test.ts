import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, type Printed, pageText, programFolder, runPrograms, writeProgram } from './programs.ts'

const text = pageText('README.md')
const programs = blocksOf('README.md')
const folder = programFolder('readme')
const files = programs.map((program) => writeProgram(folder, program))
let printed: ReadonlyMap<string, Printed>

beforeAll(async () => {
  printed = await runPrograms(files)
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the page begins with the two commands', () => {
  const commands = [...text.matchAll(/```sh\n(.+)\n```/g)].map((match) => match[1])
  expect(commands.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})

describe('every program of the page runs and prints what the page says', () => {
  test.each(programs.map(({ title }, index) => [title, index] as const))('%s', (_title, index) => {
    const { output, errors } = printed.get(files[index]!)!
    expect(errors).toBe('')
    expect(output).not.toBe('')
    expect(output).toBe(programs[index]!.prints ?? output)
  })

  test('there are four of them', () => {
    expect(programs.map(({ kind }) => kind)).toEqual(['run', 'run', 'run', 'run'])
  })
})
