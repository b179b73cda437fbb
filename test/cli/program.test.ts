import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { program } from '../../src/cli/program.ts'

const commands = program(() => undefined).commands
const root = join(import.meta.dirname, '../..')

/** The commands in the first cells of a page's tables, by the words that stand in backticks there. */
function told(page: string): string[] {
  const rows = readFileSync(join(root, page), 'utf8').matchAll(/^\| (`[a-z]+(?: .*?)?`.*?) (?<!\\)\|/gm)
  const names = new Set(commands.map((command) => command.name()))
  const words = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]+)[ `]/g)].map(([, word = '']) => word),
  )
  return words.filter((word) => names.has(word)).sort()
}

describe.each(['README.md', 'docs/start.md'])('the table of commands in %s', (page) => {
  test('has every command once', () => {
    expect(told(page)).toEqual(commands.map((command) => command.name()).sort())
  })
})

test('docs/start.md names every command that works on the agents of a module', () => {
  const [, sentence = ''] =
    /^(.*) take `--agent MODULE`/m.exec(readFileSync(join(root, 'docs/start.md'), 'utf8')) ?? []
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort()
  const taking = commands.filter((command) =>
    command.options.some((option) => option.long === '--agent' && !option.mandatory),
  )
  expect(named).toEqual(taking.map((command) => command.name()).sort())
})
