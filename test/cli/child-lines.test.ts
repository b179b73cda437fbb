import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import { run, type TestFolder, testFolder } from './fixture.ts'

const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../src', name))

/** A module whose agent rests on an ask, and has an agent do the work, which has another one help it. */
async function restedModule(folder: TestFolder): Promise<string> {
  const path = join(folder.path, 'tree.ts')
  writeFileSync(
    path,
    `import { agent, agentTool, scriptedModel, suspend, tool } from ${source('index.ts')}
import { sqlite } from ${source('sqlite.ts')}
const store = sqlite(${JSON.stringify(join(folder.path, 'tree.db'))})
const script = (...steps) => scriptedModel(steps, { fromHistory: true })
const pay = tool({ name: 'pay', description: 'p', toolClass: 'external', execute: () => 'paid' })
const look = tool({ name: 'look', description: 'l', toolClass: 'read', execute: () => 'twelve' })
const scout = agent({ name: 'scout', model: script({ calls: [{ name: 'look' }] }, 'It is twelve,\\nI \\u001b[31msay.'), tools: [look] })
const helper = (of, name) => agentTool(of, { name, description: 'h' })
const kid = agent({ name: 'kid', model: script({ calls: [{ name: 'scout', args: { input: 'x' } }] }, 'kid ok'), tools: [helper(scout, 'scout')] })
export const boss = agent({ name: 'boss', model: script({ calls: [{ name: 'pay' }] }, { calls: [{ name: 'kid', args: { input: 'x' } }] }, 'boss ok'), tools: [pay, helper(kid, 'kid')], store, approvals: () => suspend() })
`,
  )
  const { boss } = (await import(pathToFileURL(path).href)) as { boss: Agent }
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  await session.decide(tickets[0] ?? '', { approved: true })
  await definitionOf(boss).parts.store.close()
  return path
}

test('resume prints what agents below do behind their names, and nothing of theirs steers the terminal', async () => {
  using folder = testFolder()
  const { stdout } = await run(['resume', '--agent', await restedModule(folder)])
  const below = stdout.split('\n').filter((line) => line.startsWith('  [kid'))
  expect(below.map((line) => line.replace(/ \d+ ms.*$/, ''))).toEqual([
    '  [kid] > x',
    '  [kid] → scout {"input":"x"}',
    expect.stringMatching(/^ {2}\[kid\] .*scout/),
    '  [kid > scout] > x',
    '  [kid > scout] → look {}',
    '  [kid > scout] ✓ look',
    '  [kid > scout] It is twelve,',
    expect.stringMatching(/^ {2}\[kid > scout\] I .*say\.$/),
    '  [kid] ✓ scout',
    '  [kid] kid ok',
  ])
  expect(stdout).not.toContain('\u001b[31m')
  expect(stdout).toContain('boss ok')
})

test('resume --json writes them with their path, one a line, and no deltas', async () => {
  using folder = testFolder()
  const { stdout } = await run(['resume', '--json', '--agent', await restedModule(folder)])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const below = lines.filter(({ type }) => type === 'child.event')
  const ends = below.filter(({ event }) => event.type === 'run.ended')
  expect(ends.map(({ path }) => path.map(({ agent }: { agent: string }) => agent))).toEqual([
    ['kid', 'scout'],
    ['kid'],
  ])
  expect(below.map(({ event }) => event.type)).not.toContain('text.delta')
  expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed' })
})
