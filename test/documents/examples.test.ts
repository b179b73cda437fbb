import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = new URL('../../examples', import.meta.url).pathname
const examples = readdirSync(folder).filter((name) => name.endsWith('.ts'))

/** What the comment at the end of an example says that it prints. */
function promised(source: string): string {
  const [, prints = ''] = source.split('// Prints:\n')
  return prints.replaceAll(/^\/\/ ?/gm, '')
}

test.each(examples)('%s runs and prints what it says [application-tools/example-runs]', (name) => {
  const source = readFileSync(join(folder, name), 'utf8')
  const environment = { ...process.env, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, name)], {
    encoding: 'utf8',
    env: environment,
  })
  expect(status, stderr).toBe(0)
  expect(promised(source)).not.toBe('')
  expect(stdout.startsWith(promised(source)), stdout).toBe(true)
})

test('the page lists every example', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  expect([...page.matchAll(/\]\((.+?\.ts)\)/g)].map((match) => match[1]).sort()).toEqual(examples.sort())
})
