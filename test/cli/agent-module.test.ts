import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Agent } from '../../src/agent/agent.ts'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import { redefine } from '../../src/agent/definition.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { deskModule } from './desk-module.ts'
import { run, testFolder } from './fixture.ts'

const good = '{"approved": true, "floor": "first", "seats": 4}'

/** Lets the module's agent ask its question, an hour ago, and gives the ids. */
async function asked(module: string): Promise<{ ask: string; run: string; session: string }> {
  const { desk } = (await import(`${pathToFileURL(module).href}?${Math.random()}`)) as { desk: Agent }
  const clock = manualClock(Date.now() - 3_600_000)
  const earlier = desk[redefine]((definition) => ({ ...definition, parts: { ...definition.parts, clock } }))
  const session = await earlier.startSession()
  const result = await session.run('Book Orion.')
  await definitionOf(desk).parts.store.close()
  return { ask: result.tickets[0] ?? '', run: result.run, session: session.id }
}

async function json(...words: string[]) {
  const { stdout } = await run([...words, '--json'])
  return JSON.parse(stdout)
}

test('a question is listed with its kind, its tool, its digest and what an answer must look like', async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const { ask, run: id, session } = await asked(module)
  const { asks } = await json('asks', '--agent', module)
  expect(asks).toEqual([
    {
      kind: 'input',
      id: ask,
      callId: expect.stringMatching(/^call_/),
      sessionId: session,
      runId: id,
      agent: 'desk',
      path: ['desk'],
      principal: 'local',
      tool: { name: 'book_room', title: 'book_room', description: 'Book a room' },
      args: { room: 'Orion' },
      argsDigest: expect.stringMatching(/^sha256:/),
      schema: expect.objectContaining({ type: 'object' }),
      requestedAt: expect.any(Number),
    },
  ])
  const { stdout } = await run(['asks', '--agent', module])
  expect(stdout).toContain('book_room asks for an answer')
  expect(stdout).toContain(
    'wants   { approved: boolean, floor: "ground" | "first", seats: integer from 1, note?: string }',
  )
  expect(stdout).toMatch(/since {3}\d{4}-.* ago\), run run_/)
  expect(stdout).toContain(`answer ${ask} --agent ${module} --value '...'`)
})

test('a wrong answer is told with every fault and leaves the question open; a right one lets resume go on', async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const { ask, run: id } = await asked(module)
  const wrong = await run(['answer', ask, '--value', '{"approved": 1, "seats": 0}', '--agent', module])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/approved.*seats.*\[INVALID_INPUT\]\n$/)
  expect(wrong.stderr).toContain('floor')
  const resting = await run(['resume', '--agent', module])
  expect(resting.code).toBe(0)
  expect(resting.stdout).toContain(`answer ${ask} --agent ${module}`)
  const given = await run(['answer', ask, '--value', good, '--agent', module])
  expect(given.stdout).toMatch(
    /^Answered: book_room \{.*\}\nNobody waits for it; go on with: .*resume run_\w+ --agent/,
  )
  const second = await run(['answer', ask, '--value', good, '--agent', module])
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/already answered by \S+ \(command-line\) at 20\d\d-.*\[TICKET_DECIDED\]/)
  const { code, stdout } = await run(['resume', id, '--agent', module])
  expect(code).toBe(0)
  expect(stdout).toContain('Done.')
  const shown = await run(['show', id, '--agent', module])
  expect(shown.stdout).toContain(`? book_room asks for an answer ${ask}`)
  expect(shown.stdout).toMatch(/✓ book_room was answered by \S+ \(command-line\) after .*"seats":4/)
  const { runs } = await json('runs', '--agent', module)
  expect(runs).toMatchObject([{ run: id, status: 'completed', agent: 'desk' }])
})

test('an answer in JSON says what was given, by whom, and whether somebody waits', async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const { ask, run: id } = await asked(module)
  expect(await json('answer', ask, '--value', good, '--agent', module)).toEqual({
    ask,
    by: { id: expect.any(String), method: 'command-line' },
    value: JSON.parse(good),
    tool: 'book_room',
    args: { room: 'Orion' },
    run: id,
    isDriven: false,
  })
})

test('approve of a question says to answer it, and deny declines it', async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const { ask, run: id } = await asked(module)
  const approved = await run(['approve', ask, '--agent', module])
  expect(approved.code).toBe(1)
  expect(approved.stderr).toMatch(/needs a value; give it with: .*answer ask_\w+.*\[INVALID_DECISION\]/)
  const denied = await run(['deny', ask, '--reason', 'Not today.', '--agent', module])
  expect(denied.stdout).toMatch(/^Declined: book_room/)
  await run(['resume', '--agent', module])
  const { stdout } = await run(['show', id, '--agent', module])
  expect(stdout).toMatch(/✗ book_room declined by .*: Not today\./)
})

test('a text answers a tool that asks for one text, in an object or alone', async () => {
  for (const yieldSchema of [
    `{ type: 'string' }`,
    `{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }`,
  ]) {
    using folder = testFolder()
    const module = deskModule(folder, { yieldSchema })
    const { ask } = await asked(module)
    const { value } = await json('answer', ask, '--text', 'Ann', '--agent', module)
    expect(value).toEqual(yieldSchema.includes('object') ? { name: 'Ann' } : 'Ann')
  }
})

test('timers closes a question that has run out, and says how its run goes on until somebody takes it up', async () => {
  using folder = testFolder()
  const answer = `{ approved: false, floor: 'ground', seats: 1 }`
  const module = deskModule(folder, { more: `yieldTimeout: 60_000, yieldDefault: ${answer},` })
  const { ask, run: id, session } = await asked(module)
  const listed = await run(['asks', '--agent', module])
  expect(listed.stdout).toMatch(/until {3}\d{4}-.* \(now over\), then the answer is \{"approved":false/)
  expect(listed.stdout).toMatch(/^No ask is open\.\n[\s\S]*closed {2}by the next: .*timers --agent/)
  expect(await json('asks', '--agent', module)).toMatchObject({ asks: [], expired: [{ id: ask }] })
  const due = await run(['timers', '--agent', module])
  expect(due.stdout).toMatch(new RegExp(`^${session} {2}desk: go on with: .*resume ${id} --agent`))
  expect((await json('timers', '--agent', module)).sessions).toMatchObject([{ session, run: id }])
  const late = await run(['answer', ask, '--value', good, '--agent', module])
  expect(late.stderr).toMatch(/already answered by timer/)
  expect((await run(['resume', '--agent', module])).stdout).toContain('Done.')
  expect(await json('timers', '--agent', module)).toEqual({ sessions: [] })
  expect((await run(['timers', '--agent', module])).stdout).toBe('Nothing is due.\n')
  const { stdout } = await run(['show', id, '--agent', module])
  expect(stdout).toMatch(/book_room asks for an answer until \d{4}-.*, then the answer is \{.*\}: ask_/)
  expect(stdout).toMatch(/book_room has its default answer, since nobody gave one for/)
})

test('timers tells a program the sessions, their runs and the asks that are still open', async () => {
  using folder = testFolder()
  const module = deskModule(folder, { more: 'yieldTimeout: 60_000,' })
  const { run: id, session } = await asked(module)
  expect(await json('timers', '--agent', module)).toEqual({
    sessions: [{ session, agent: 'desk', run: id, openAsks: [] }],
  })
  expect((await run(['show', id, '--agent', module])).stdout).toMatch(
    /book_room was not answered by anybody for/,
  )
})

test("call, tools and explain work with a module's agent", async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const args = ['--args', '{"room": "Lyra"}', '--agent', module]
  const called = await json('call', 'book_room', ...args)
  expect(called).toMatchObject({ status: 'waiting', tickets: [expect.stringMatching(/^ask_/)] })
  expect(called.next[0]).toContain(`answer ${called.tickets[0]}`)
  await run(['answer', called.tickets[0], '--value', good, '--agent', module])
  expect((await run(['resume', '--agent', module])).stdout).toMatch(/✓ book_room .*"booked":"Lyra"/)
  const { tools } = await json('tools', '--agent', module)
  expect(tools).toMatchObject([{ name: 'book_room', asksFor: { type: 'object' } }])
  const { stdout } = await run(['explain', 'book_room', ...args])
  expect(stdout).toMatch(/^book_room \{"room":"Lyra"\}\nrun /)
  expect(stdout).toContain('then it stops and asks a person for { approved: boolean')
})

test("the agent's own handlers come first, and what they leave is left to the command line", async () => {
  using folder = testFolder()
  const inputs = `inputs: ({ args }) => (args.room === 'Orion' ? suspend() : ${good}),`
  const module = deskModule(folder, { agent: inputs })
  const answered = await run(['call', 'book_room', '--args', '{"room": "Lyra"}', '--agent', module])
  expect(answered.stdout).toContain('"booked":"Lyra"')
  const left = await run(['call', 'book_room', '--args', '{"room": "Orion"}', '--agent', module])
  expect(left.code).toBe(0)
  expect(left.stderr).toContain('The call waits for an answer')
})

test('a call that rests until a time asks for no answer: it says when to go on', async () => {
  using folder = testFolder()
  const more = 'yieldSchema: undefined, execute: (_args, context) => context.retryAfter(86_400_000),'
  const module = deskModule(folder, { more })
  const called = await run(['call', 'book_room', '--args', '{"room": "Lyra"}', '--agent', module])
  expect(called.code).toBe(0)
  expect(called.stderr).not.toContain('answer')
  expect(called.stderr).toMatch(/The run rests until \d{4}-\d\d-\d\d [\d:]{8}\. Then go on:\n {2}.* resume /)
})

test('of several agents the default one stands for all, and each goes on with its own runs', async () => {
  using folder = testFolder()
  const module = deskModule(folder, { also: `export const other = make('other')` })
  const ambiguous = await run(['tools', '--agent', module])
  expect(ambiguous.stderr).toMatch(
    /exports the agents "desk", "other"; export the one that is meant as default/,
  )
  const { ask } = await asked(module)
  expect((await run(['answer', ask, '--value', good, '--agent', module])).code).toBe(0)
  expect((await run(['resume', '--agent', module])).stdout).toContain('Done.')
  const chosen = deskModule(folder, { also: `export default make('chief')` })
  expect((await run(['tools', '--agent', chosen])).code).toBe(0)
})

test("a run of another agent is not resumed with a module's, which says whose it is", async () => {
  using folder = testFolder()
  const { run: id } = await asked(deskModule(folder))
  const path = join(folder.path, 'other.mjs')
  writeFileSync(path, `export { desk } from './desk.ts'\n`)
  const renamed = deskModule(folder, { also: `export default make('chief')` })
  expect((await run(['resume', id, '--agent', path])).code).toBe(0)
  expect((await run(['resume', id, '--agent', renamed])).code).toBe(0)
  await run(['start', '--dir', folder.path, '--store', join(folder.path, 'desk.db')])
  const { runs } = await json('runs', '--agent', path, '--status', 'completed')
  const wrong = await run(['resume', runs[0].run, '--agent', path])
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/belongs to the agent "folder:.*"; the module ".*" exports "desk"/)
})

test('--store names another file for the agents of a module', async () => {
  using folder = testFolder()
  const module = deskModule(folder)
  const store = join(folder.path, 'elsewhere.db')
  const missing = await run(['asks', '--agent', module, '--store', store])
  expect(missing.stderr).toContain('Nothing is recorded yet')
  expect(existsSync(store)).toBe(false)
  await run(['call', 'book_room', '--args', '{"room": "Lyra"}', '--agent', module, '--store', store])
  expect((await json('asks', '--agent', module, '--store', store)).asks).toHaveLength(1)
  expect((await json('asks', '--agent', module)).asks).toEqual([])
})

test('a module that exports no agent, or cannot be loaded, is told as such', async () => {
  using folder = testFolder({ 'empty.mjs': 'export const nothing = 1\n' })
  const empty = await run(['asks', '--agent', join(folder.path, 'empty.mjs')])
  expect(empty.code).toBe(1)
  expect(empty.stderr).toMatch(/exports no agent.*\[INVALID_ARGUMENT\]/)
  const gone = await run(['asks', '--agent', join(folder.path, 'gone.mjs')])
  expect(gone.stderr).toMatch(/cannot be loaded/)
})

test("the folder's agent asks the user, rests, and is answered from another process [tools-in-an-agent/ask-message]", async () => {
  using folder = testFolder()
  const here = (...words: string[]) => [...words, '--dir', folder.path]
  const args = '{"question": "Which part?", "choices": ["a", "b"]}'
  const left = await run(here('call', 'ask_user', '--args', args, '--json'))
  const { tickets, run: id } = JSON.parse(left.stdout)
  expect((await run(here('answer', tickets[0], '--text', 'the second'))).code).toBe(0)
  const { stdout } = await run(here('resume', id))
  expect(stdout).toContain('✓ ask_user')
  expect(stdout).toContain('{"answer":"the second"}')
})
