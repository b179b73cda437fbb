import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import { sqlite } from '../../src/sqlite.ts'
import { environment, main, node, run, running, type TestFolder, testFolder } from './fixture.ts'

const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../src', name))

/** A module whose agent starts another one from a tool; that one asks for an approval, then a question. */
function bossModule(folder: TestFolder, more = 'agents: [kid]'): string {
  const path = join(folder.path, 'boss.ts')
  writeFileSync(
    path,
    `import { agent, scriptedModel, suspend, tool } from ${source('index.ts')}
import { sqlite } from ${source('sqlite.ts')}
const store = sqlite(${JSON.stringify(join(folder.path, 'boss.db'))})
const q = tool({ name: 'q', description: 'q', toolClass: 'read', yieldSchema: { type: 'object', properties: { v: { type: 'number' } }, required: ['v'] } })
const pay = tool({ name: 'pay', description: 'p', toolClass: 'external', execute: () => 'paid' })
const script = (...steps) => scriptedModel(steps, { fromHistory: true })
const kid = agent({ name: 'kid', model: script({ calls: [{ name: 'pay' }] }, { calls: [{ name: 'q' }] }, 'kid ok'), tools: [q, pay] })
const work = tool({ name: 'work', description: 'w', toolClass: 'read', execute: async (_args, context) => (await context.run(kid, { input: 'x' })).text })
export const boss = agent({ name: 'boss', model: script({ calls: [{ name: 'work' }] }, 'boss ok'), tools: [work], store, approvals: () => suspend(), ${more} })
`,
  )
  return path
}

/** Lets the module's agent rest on its child's approval, or on its question. */
async function rested(module: string, on: 'approval' | 'question' = 'question') {
  const { boss } = (await import(`${pathToFileURL(module).href}?${Math.random()}`)) as { boss: Agent }
  const session = await boss.startSession()
  const { run: id, tickets } = await session.run('go')
  const [approval = ''] = tickets
  if (on === 'question') await session.decide(approval, { approved: true })
  const stream = session.resume()
  let next = await stream.next()
  while (next.done !== true) next = await stream.next()
  const [question = ''] = next.value.tickets
  await definitionOf(boss).parts.store.close()
  return { run: id, question, approval }
}

test('resume says answer for a question of a child and approve for its approval, and each names the run at the top', async () => {
  using folder = testFolder()
  const module = bossModule(folder)
  const { run: id, approval } = await rested(module, 'approval')
  // What stood open before stays open, in a child too.
  const first = await run(['resume', '--agent', module])
  expect(first.stdout).toContain(`approve ${approval} --agent ${module}`)
  const approved = await run(['approve', approval, '--agent', module])
  expect(approved.stdout).toContain(`resume ${id} --agent ${module}`)
  const lines = (await run(['resume', '--agent', module, '--json'])).stdout.trim().split('\n')
  const { next, tickets } = JSON.parse(lines.at(-1) as string)
  const [question] = tickets
  expect(next[0]).toContain(`answer ${question} --agent ${module} --value '...'`)
  const answered = await run(['answer', question, '--value', '{"v": 1}', '--agent', module])
  expect(answered.stdout).toContain(`resume ${id} --agent ${module}`)
  const done = await run(['resume', id, '--agent', module])
  expect(done.stdout).toContain('boss ok')
})

test('a question of a child that nothing names is refused with what to add', async () => {
  using folder = testFolder()
  const module = bossModule(folder, '')
  const { question } = await rested(module)
  const refused = await run(['answer', question, '--value', '{"v": 1}', '--agent', module])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/name that agent in the option "agents" of "boss".*\[INVALID_INPUT\]/)
})

test('an answer comes from a file, or from standard input', async () => {
  using folder = testFolder({ 'answer.json': '{"v": 2}\n', 'broken.json': '{"v": ' })
  const module = bossModule(folder)
  const { question } = await rested(module)
  const broken = ['answer', question, '--value-file', join(folder.path, 'broken.json'), '--agent', module]
  expect(await run(broken)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--value-file is not JSON/),
  })
  const missing = ['answer', question, '--value-file', join(folder.path, 'no.json'), '--agent', module]
  expect(await run(missing)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no\.json.* cannot be read/),
  })
  const file = join(folder.path, 'answer.json')
  const both = ['answer', question, '--value', '1', '--value-file', file, '--agent', module]
  expect(await run(both)).toMatchObject({ code: 2 })
  const given = running(
    spawn(node, [main, 'answer', question, '--value', '-', '--agent', module, '--json'], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
  given.child.stdin?.end('{"v": 3}')
  expect(JSON.parse((await given.ended).stdout)).toMatchObject({ ask: question, value: { v: 3 } })
  const again = await run(['answer', question, '--value-file', file, '--agent', module, '--json'])
  expect(JSON.parse(again.stdout)).toEqual({
    error: {
      code: 'TICKET_DECIDED',
      message: expect.stringContaining('already answered'),
      details: {
        ticket: question,
        kind: 'input',
        approved: true,
        by: { id: expect.any(String), method: 'command-line' },
        at: expect.any(Number),
      },
    },
  })
})

test('cancel stops a run that rests, with the child that it waits for, once', async () => {
  using folder = testFolder()
  const module = bossModule(folder)
  const { run: id } = await rested(module)
  const stopped = await run(['cancel', id, '--reason', 'Not needed any more.', '--agent', module])
  expect(stopped).toMatchObject({ code: 0, stdout: `Stopped: ${id} has ended as cancelled.\n` })
  expect((await run(['asks', '--agent', module])).stdout).toBe('No ask is open.\n')
  expect((await run(['show', id, '--agent', module])).stdout).toContain('Not needed any more.')
  const again = await run(['cancel', id, '--agent', module])
  expect(again.stderr).toMatch(/has ended \(cancelled\); there is nothing to stop\. \[RUN_NOT_FOUND\]/)
  const none = await run(['cancel', 'run_none', '--agent', module])
  expect(none.stderr).toMatch(/no run "run_none"\. \[RUN_NOT_FOUND\]/)
})

test('cancel stops a child run by itself where resume goes on with it, and says of one that has ended that it has', async () => {
  using folder = testFolder()
  const module = bossModule(folder)
  const { run: id } = await rested(module)
  const store = sqlite(join(folder.path, 'boss.db'))
  const [child = ''] = (await store.list({ kind: 'run' })).flatMap((row) => (row.id === id ? [] : [row.id]))
  await store.close()
  expect(await run(['cancel', child, '--agent', module])).toMatchObject({
    code: 0,
    stdout: `Stopped: ${child} has ended as cancelled.\n`,
  })
  const again = await run(['cancel', child, '--agent', module])
  expect(again.stderr).toMatch(/has ended \(cancelled\); there is nothing to stop\. \[RUN_NOT_FOUND\]/)
  expect((await run(['resume', id, '--agent', module])).stdout).toContain('boss ok')
})

test('a dispatched child that has run out is listed by itself, and goes on by its own run with a module that knows it', async () => {
  using folder = testFolder()
  const module = join(folder.path, 'desk.ts')
  const write = (boss: string) =>
    writeFileSync(
      module,
      `import { agent, scriptedModel, tool } from ${source('index.ts')}
import { sqlite } from ${source('sqlite.ts')}
const store = sqlite(${JSON.stringify(join(folder.path, 'boss.db'))})
const script = (...steps) => scriptedModel(steps, { fromHistory: true })
const q = tool({ name: 'q', description: 'q', toolClass: 'read', yieldSchema: { type: 'string' }, yieldTimeout: 60_000, yieldDefault: 'none' })
const past = { now: () => Date.now() - 3_600_000, timer: () => () => {}, sleep: async () => {} }
const kid = agent({ name: 'kid', model: script({ calls: [{ name: 'q' }] }, 'kid ok'), tools: [q] })
const work = tool({ name: 'work', description: 'w', toolClass: 'read', execute: async (_args, context) => (await context.dispatch(kid, { input: 'x' })).run })
export const boss = agent({ name: 'boss', model: script({ calls: [{ name: 'work' }] }, 'boss ok'), tools: [work], store, ${boss} })
`,
    )
  write('agents: [kid], parts: { clock: past }')
  const { boss } = (await import(pathToFileURL(module).href)) as { boss: Agent }
  expect(await (await boss.startSession()).run('go')).toMatchObject({ status: 'completed' })
  const { store } = definitionOf(boss).parts
  const isAsked = async () => (await store.list({ kind: 'ticket' })).length > 0
  while (!(await isAsked())) await new Promise((resolve) => setImmediate(resolve))
  const [row] = await store.list({ kind: 'ticket' })
  const { run: id, session } = (row?.data ?? {}) as { run: string; session: string }
  const until = async () => (await store.readLease(`session:${session}`))?.expiresAt ?? 0
  while ((await until()) > Date.now() - 3_600_000) await new Promise((resolve) => setImmediate(resolve))
  await store.close()
  write('')
  expect(await run(['resume', id, '--agent', module])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to the agent "kid"'),
  })
  write('agents: [kid]')
  const due = await run(['timers', '--agent', module])
  expect(due.stdout).toMatch(new RegExp(`^${session} {2}kid: go on with: .*resume ${id} --agent`))
  const done = await run(['resume', id, '--agent', module])
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('kid ok') })
})
