import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agent } from '../../src/agent/agent.ts'
import { suspend } from '../../src/agent/suspend.ts'
import { tool } from '../../src/executors/function/tool.ts'
import { scriptedModel } from '../../src/models/scripted.ts'
import { sqlite } from '../../src/stores/sqlite/sqlite-store.ts'
import { askIn, begin, run, sample, type TestFolder, testFolder } from './fixture.ts'

let folder: TestFolder
let ask: string

beforeAll(async () => {
  folder = testFolder(sample)
  ask = askIn((await run(['start', '--dir', folder.path, '--leave-open'])).stdout)
})

afterAll(() => folder[Symbol.dispose]())

const here = (...words: string[]) => run([...words, '--dir', folder.path])

async function json(...words: string[]) {
  const { stdout } = await here(...words, '--json')
  return JSON.parse(stdout)
}

test('runs are listed with what was asked of them, also as one JSON document', async () => {
  const { runs } = await json('runs')
  expect(runs).toHaveLength(1)
  expect(runs[0]).toMatchObject({ status: 'waiting', model: 'scripted/model', steps: 4 })
  const { stdout } = await here('runs', '--status', 'waiting')
  expect(stdout).toContain(runs[0].run)
  expect((await here('runs', '--status', 'completed')).stdout).toBe('No runs.\n')
})

test('open asks are shown with exactly what would run and why it is asked', async () => {
  const { asks } = await json('asks')
  expect(asks).toHaveLength(1)
  expect(asks[0]).toMatchObject({
    kind: 'approval',
    id: ask,
    args: { path: 'toolpost-report.md' },
    mode: 'ask',
    prepared: true,
  })
  const { stdout } = await here('asks')
  expect(stdout).toContain('"toolpost-report.md"')
  expect(stdout).toMatch(/markdown {2}a text of [\d,]+ characters in \d+ lines/)
  expect(stdout).toContain(`approve ${ask}`)
})

test('show tells a run with its decisions: who, when and why', async () => {
  await here('call', 'write_report', '--args', '{"path": "a", "markdown": "A"}', '--leave-open')
  const [{ run: id }] = (await json('runs')).runs
  const { asks } = await json('asks')
  const open = asks.find((each: { runId: string }) => each.runId === id)
  await here('deny', open.id, '--reason', 'Because.')
  const { stdout } = await here('show', id)
  expect(stdout).toMatch(
    /\d\d:\d\d:\d\d\.\d{3} {2}✗ write_report declined by .* \(command-line\) after .*: Because\./,
  )
  expect(stdout).toContain('mode [ask]')
  const { events } = await json('show', id)
  expect(events.map((event: { type: string }) => event.type)).toContain('approval.decided')
})

test('an ask is answered once; the second answer is told who was first', async () => {
  const left = await here(
    'call',
    'write_report',
    '--args',
    '{"path": "b", "markdown": "B"}',
    '--leave-open',
    '--json',
  )
  const [ticket] = JSON.parse(left.stdout).tickets
  expect((await json('approve', ticket)).approved).toBe(true)
  const second = await here('deny', ticket, '--reason', 'late')
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/already approved by .* \[TICKET_DECIDED\]/)
})

test('an approved call made by hand is carried out by resume, and no model is asked', async () => {
  const left = await here(
    'call',
    'write_report',
    '--args',
    '{"path": "c", "markdown": "C"}',
    '--leave-open',
    '--json',
  )
  const { run: id, tickets } = JSON.parse(left.stdout)
  await here('approve', tickets[0])
  const { code } = await here('resume', id)
  expect(code).toBe(0)
  expect(existsSync(join(folder.path, 'c.md'))).toBe(true)
})

test('a wrong answer leaves the ask open', async () => {
  const { code, stderr } = await here('approve', ask, '--args', '{"path": "x.md", "markdown": 5}')
  expect(code).toBe(1)
  expect(stderr).toMatch(/\[INVALID_DECISION\]/)
  const outside = await here('approve', ask, '--args', '{"path": "../x.md", "markdown": "X"}')
  expect(outside.code).toBe(1)
  expect((await json('asks')).asks.map((each: { id: string }) => each.id)).toContain(ask)
})

test('call prints the result of a tool and nothing else', async () => {
  const { code, stdout, stderr } = await here(
    'call',
    'read_file',
    '--args',
    '{"path": "README.md", "lines": 1}',
  )
  expect(stdout).toBe('README.md, lines 1-1 of 5; go on with fromLine 2:\n# Sample\n')
  expect(stderr).toBe('')
  expect(code).toBe(0)
})

test('call ends with 1 when the call failed or was declined', async () => {
  const failed = await here('call', 'read_file', '--args', '{"path": "nothing.md"}')
  expect(failed.code).toBe(1)
  expect(failed.stderr).toMatch(/There is no "nothing\.md" in the folder/)
  const declined = await here('call', 'write_report', '--args', '{"path": "d", "markdown": "D"}')
  expect(declined.code).toBe(1)
  expect(declined.stderr).toMatch(/\[declined\]/)
  expect(existsSync(join(folder.path, 'd.md'))).toBe(false)
})

test('explain says the verdict, the class and the layers, and runs nothing', async () => {
  const args = '{"path": "e", "markdown": "E"}'
  const { stdout } = await here('explain', 'write_report', '--args', args)
  expect(stdout).toContain('write_report {"path":"e.md","markdown":"E"}')
  expect(stdout).toMatch(/ask \(class write, mode ask\)/)
  expect((await json('explain', 'write_report', '--args', args, '--mode', 'auto')).decision.verdict).toBe(
    'run',
  )
  expect(existsSync(join(folder.path, 'e.md'))).toBe(false)
})

test('explain says that a call with wrong arguments is refused, and nothing of an ask', async () => {
  expect(await json('explain', 'write_report', '--args', '{}')).toMatchObject({
    fault: expect.stringContaining('path'),
    refused: 'invalid_arguments',
  })
  const { code, stdout } = await here('explain', 'write_report', '--args', '{}')
  expect(code).toBe(0)
  expect(stdout).toMatch(/\nrefused: invalid arguments\n$/)
  expect(stdout).not.toMatch(/^ask /m)
})

test('explain keeps the digits of a big integer', async () => {
  const { stdout } = await here(
    'explain',
    'read_file',
    '--args',
    '{"path": "a", "fromLine": 12345678901234567890}',
    '--json',
  )
  expect(stdout).toContain('12345678901234567890')
})

test('tools are listed with their classes and schemas', async () => {
  const { tools } = await json('tools')
  const classes = Object.fromEntries(
    tools.map((tool: { name: string; toolClass: string }) => [tool.name, tool.toolClass]),
  )
  expect(classes).toEqual({
    list_files: 'read',
    read_file: 'read',
    search_files: 'read',
    count_lines: 'read',
    write_report: 'write',
    ask_user: 'read',
  })
  expect(tools[0].schema.type).toBe('object')
})

test.each([
  ['an unknown option', ['runs', '--nonsense']],
  ['an unknown command', ['nonsense']],
  ['a missing argument', ['show']],
  ['a missing required option', ['deny', 'ask_x']],
  ['text that is no JSON', ['call', 'read_file', '--args', '{path']],
  ['arguments that are no object', ['explain', 'read_file', '--args', '[]']],
  ['a number that is none', ['runs', '--limit', 'many']],
  ['a status that does not exist', ['runs', '--status', 'lost']],
  ['a mode that does not exist', ['explain', 'read_file', '--args', '{}', '--mode', 'wild']],
  ['a finding that does not exist', ['reconcile', 'call_x', 'maybe']],
  ['--wait alone', ['start', '--wait']],
  ['an empty folder', ['start', '--dir', '']],
  ['an empty folder of a command that only looks', ['tools', '--dir', ' ']],
  ['an empty store', ['start', '--store', '']],
  ['a store that ends with the process', ['start', '--store', ':memory:']],
  ['an empty model', ['start', '--model', '']],
  ['an answer without a value', ['answer', 'ask_x']],
  ['an answer that is no JSON', ['answer', 'ask_x', '--value', '{']],
  ['an answer in two forms', ['answer', 'ask_x', '--value', '1', '--text', 'one']],
  ['an empty module', ['asks', '--agent', '']],
  ['a folder beside a module', ['asks', '--agent', 'x.mjs', '--dir', '.']],
  ['a model beside a module', ['resume', '--agent', 'x.mjs', '--scripted']],
  ['an empty reason', ['deny', 'ask_x', '--reason', '']],
  ['a model without a way to it', ['start', '--model', 'gpt-5.6']],
])('%s is wrong usage: 2, in one sentence', async (_what, words) => {
  const { code, stderr, stdout } = await run(words)
  expect(code).toBe(2)
  expect(stderr).toMatch(/^error: .+ \[USAGE\]\n$/)
  expect(stdout).toBe('')
})

test('without a command the help is shown, as wrong usage', async () => {
  const { code, stderr } = await run([])
  expect(code).toBe(2)
  expect(stderr).toContain('Usage: toolpost')
  expect(stderr).toContain('Exit codes')
  expect(stderr).not.toContain('error:')
})

test.each([
  ['show', ['show', 'run_x'], 'RUN_NOT_FOUND'],
  ['approve', ['approve', 'ask_x'], 'TICKET_NOT_FOUND'],
  ['answer', ['answer', 'ask_x', '--text', 'x'], 'TICKET_NOT_FOUND'],
  ['resume', ['resume', 'run_x'], 'RUN_NOT_FOUND'],
  ['reconcile', ['reconcile', 'call_x', 'failed'], 'CALL_NOT_FOUND'],
  ['call', ['call', 'no_tool', '--args', '{}'], 'UNKNOWN_TOOL'],
])('%s of an id that does not exist ends with 1 and its code, in JSON too', async (_what, words, code) => {
  const told = await here(...words)
  expect(told.code).toBe(1)
  expect(told.stderr).toContain(`[${code}]`)
  expect(told.stderr).not.toContain('    at ')
  const machine = await here(...words, '--json')
  expect(machine.code).toBe(1)
  expect(JSON.parse(machine.stdout)).toEqual({ error: { code, message: expect.any(String) } })
})

test('commands that only read make no store', async () => {
  using empty = testFolder()
  for (const words of [['runs'], ['asks'], ['show', 'run_x'], ['resume'], ['approve', 'ask_x']]) {
    const { code, stderr } = await run([...words, '--dir', empty.path])
    expect(code).toBe(1)
    expect(stderr).toMatch(/Nothing is recorded yet/)
  }
  expect(existsSync(join(empty.path, '.toolpost'))).toBe(false)
})

test('a run of one folder is not resumed on another that shares its store', async () => {
  using one = testFolder()
  using other = testFolder()
  using shared = testFolder()
  const store = { TOOLPOST_STORE: join(shared.path, 'shared.db') }
  const left = await run(['start', '--leave-open', '--dir', one.path], store)
  const id = /resume (run_\w+)/.exec(left.stdout)?.[1] as string
  const wrong = await run(['resume', id, '--dir', other.path], store)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain(`--dir ${one.path}`)
  expect((await run(['resume', '--dir', other.path], store)).code).toBe(1)
  expect((await run(['resume', '--leave-open', '--dir', one.path], store)).code).toBe(0)
})

test("a run of a program's own agent is not resumed by the command line, which says whose it is", async () => {
  using home = testFolder()
  await run(['start', '--dir', home.path])
  const store = sqlite(join(home.path, '.toolpost/toolpost.db'))
  const approvals = () => suspend()
  const model = scriptedModel(() => ({ calls: [{ name: 'send', args: {} }] }))
  const send = tool({
    name: 'send',
    description: 'Send.',
    toolClass: 'write',
    schema: { type: 'object' },
    execute: () => 'sent',
  })
  const session = await agent({ name: 'mailer', model, tools: [send], store, approvals }).startSession('ask')
  const { run: id, tickets } = await session.run('Send it.')
  await store.close()
  const { code, stderr } = await run(['resume', id, '--dir', home.path])
  expect(code).toBe(1)
  expect(stderr).toMatch(/belongs to the agent "mailer", which is not this command line's/)
  expect((await run(['resume', '--dir', home.path])).stderr).toContain('nothing to resume')
  const approved = await run(['approve', tickets[0] as string, '--dir', home.path])
  expect(approved.stdout).toContain(`resume ${id} in the program that defines the agent "mailer"`)
})

test('a run that another process drives is not resumed beside it', async () => {
  using home = testFolder(sample)
  const waiting = begin(['start', '--dir', home.path, '--leave-open', '--wait'])
  await waiting.output(/approve ask_\w+/)
  const { code, stderr } = await run(['resume', '--dir', home.path])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /Another process drives the run "run_\w+" right now, and keeps it until .* \[SESSION_BUSY\]/,
  )
  waiting.child.kill('SIGINT')
  await waiting.ended
})

test('a folder that is none is told as such', async () => {
  const missing = await run(['start', '--dir', join(folder.path, 'nowhere')])
  expect(missing.code).toBe(1)
  expect(missing.stderr).toMatch(/There is no folder/)
  expect((await run(['tools', '--dir', join(folder.path, 'README.md')])).stderr).toMatch(/is a file/)
})

test('a result with escape sequences cannot steer the terminal', async () => {
  using hostile = testFolder({
    'evil.txt': 'x\u001b[2J\u001b]0;title\u0007\u009b31m\u202etxt\r\nend\n',
    'README.md': '# \u001b[31mred\u001b]8;;https://example.org\u0007link\n',
  })
  mkdirSync(join(hostile.path, 'src\u001b[5m'))
  for (const words of [
    ['call', 'read_file', '--args', '{"path": "evil.txt"}'],
    ['start', '--leave-open'],
    ['asks'],
    ['call', 'read_file', '--args', '{"path": "\\u001b[2J.txt"}'],
  ]) {
    const { stdout, stderr } = await run([...words, '--dir', hostile.path])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  }
  const { stdout } = await run(['call', 'read_file', '--args', '{"path": "evil.txt"}', '--dir', hostile.path])
  expect(stdout).toContain('\\u{1b}[2J')
})
