import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  type AgentConfig,
  ApprovalDecision,
  type ApprovalRequest,
  agent,
  type HandedInStep,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { calling, play } from '../support/play.ts'

const note = (over: object = {}) =>
  tool({
    name: 'note',
    description: 'Notes',
    toolClass: 'write',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: ({ n }) => `noted ${n}`,
    ...over,
  })

async function finish(stream: AsyncGenerator<unknown, unknown, undefined>): Promise<void> {
  while (!(await stream.next()).done);
}

test.each([null, 5, {}, 12n, undefined])(
  'an input that is no text is refused before anything is written: %s',
  async (input) => {
    const session = await agent({ name: 'a', model: scriptedModel(['fine']) }).startSession()
    await expect(session.run(input as string)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect((await session.run('go')).text).toBe('fine')
  },
)

test.each([null, {}, { calls: 'x' }, { calls: [null] }, { calls: [{}] }, { calls: [{ name: 5 }] }])(
  'a step that cannot be read is refused and leaves no run open: %j',
  async (step) => {
    const session = await agent({ name: 'a', model: scriptedModel([]), tools: [note()] }).startSession()
    await expect(session.step(step as unknown as HandedInStep)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    expect((await session.step({ calls: [] })).status).toBe('completed')
  },
)

test.each([null, 7, { id: '' }, { id: 5 }, { id: 'x'.repeat(257) }, { sub: 'ann' }, { mode: 'wild' }])(
  'a session that cannot be started so is refused: %j',
  async (options) => {
    const made = agent({ name: 'a', model: scriptedModel([]) })
    await expect(made.startSession(options as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  },
)

test.each([
  ['store', 5],
  ['store', {}],
  ['instructions', 5],
  ['rules', 'x'],
  ['rules', [{ foo: 1 }]],
  ['killed', ['wipe']],
  ['contract', 5],
  ['contract', { tool: {} }],
  ['profile', 5],
  ['profile', { maxMode: 'ask' }],
  ['grant', {}],
  ['grant', { subject: 'ann', tool: ['a'] }],
  ['history', { x: 1 }],
  ['results', { foo: 1 }],
  ['parts', { foo: 1 }],
] as [keyof AgentConfig, unknown][])(
  'a policy or option with a wrong or misspelt part is refused by its path: %s %j',
  (key, value) => {
    const config = { name: 'a', model: scriptedModel([]), [key]: value } as AgentConfig
    expect(() => agent(config)).toThrowError(
      expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining(key) }),
    )
  },
)

test('a step hands back the ids that were handed in, also when they come again', async () => {
  const session = await agent({
    name: 'a',
    model: scriptedModel([]),
    tools: [note({ toolClass: 'read' })],
  }).startSession()
  const call = (n: number) => ({ id: 'x', name: 'note', arguments: { n } })
  const first = await session.step({ calls: [call(1), call(2)] })
  const second = await session.step({ calls: [call(3)] })
  expect([...first.results, ...second.results].map(({ id, text }) => [id, text])).toEqual([
    ['x', 'noted 1'],
    ['x', 'noted 2'],
    ['x', 'noted 3'],
  ])
})

test('a step that waits for an answer is resumed without a model, and its results can be read then', async () => {
  const session = await agent({
    name: 'a',
    model: scriptedModel([]),
    tools: [note()],
    approvals: () => suspend(),
  }).startSession()
  const step = await session.step({ calls: [{ id: 'x', name: 'note', arguments: { n: 1 } }] })
  expect(step).toMatchObject({ status: 'waiting', results: [{ id: 'x', status: 'waiting' }] })
  await session.decide(step.tickets[0] as string, { approved: true })
  await finish(session.resume())
  expect(session.results(step.run)).toMatchObject({
    status: 'completed',
    results: [{ id: 'x', text: 'noted 1' }],
  })
  expect(() => session.results('run_0')).toThrowError(expect.objectContaining({ code: 'RUN_NOT_FOUND' }))
})

test('a time that no timer can wait is refused at build time', () => {
  expect(() => note({ timeout: 2 ** 53 })).toThrowError(/"timeout" must be/)
})

test('arguments are an object, whatever the schema of a library would take', async () => {
  const valibot = tool({
    name: 'v',
    description: 'V',
    schema: toStandardJsonSchema(v.object({ n: v.optional(v.number()) })),
    execute: () => 'ran',
  })
  const arktype = tool({
    name: 'k',
    description: 'K',
    schema: type({ 'n?': 'number' }),
    execute: () => 'ran',
  })
  const { told } = await play({ tools: [valibot, arktype] }, [
    { calls: ['v', 'k'].map((name) => ({ name, argumentsText: '["x"]' })) },
  ])
  expect(told).toEqual(Array(2).fill('Error: Invalid arguments: the value must be an object'))
})

test('a call is reconciled as one of three findings, and nothing else', async () => {
  const clock = manualClock()
  const slow = note({ timeout: 10, execute: () => new Promise(() => undefined) })
  const session = await agent({
    name: 'a',
    model: scriptedModel([calling('note'), 'done']),
    tools: [slow],
    parts: { clock },
  }).startSession('auto')
  const running = session.run('go')
  await clock.advance(1_000)
  await running
  const [call] = session.state.calls.keys()
  await expect(session.reconcile(call as string, 'perhaps' as 'failed')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
  await session.reconcile(call as string, 'not_run')
})

test('an approval does not hold when the check says another thing than the person was shown', async () => {
  let replaces = false
  const runs: unknown[] = []
  const write = note({
    check: () => ({
      verdict: 'ask',
      reason: replaces ? 'It replaces a file of 9 bytes.' : 'The file is new.',
    }),
    execute: (args: unknown) => runs.push(args),
  })
  const asked: string[] = []
  const approvals = (request: ApprovalRequest) => {
    asked.push(request.why.find(({ layer }) => layer === 'check')?.reason ?? '')
    replaces = true
    return ApprovalDecision.approve()
  }
  await play({ tools: [write], approvals }, [calling('note', { n: 1 })])
  expect(asked).toEqual([
    expect.stringContaining('The file is new.'),
    expect.stringContaining('It replaces a file of 9 bytes.'),
  ])
  expect(runs).toHaveLength(1)
})

test('an answer for the session answers the open asks of that tool as well, and of no other', async () => {
  const other = note({ name: 'other' })
  const model = scriptedModel([
    {
      calls: [1, 2, 3].map((n) => ({ name: 'note', args: { n } })).concat({ name: 'other', args: { n: 4 } }),
    },
    'done',
  ])
  const session = await agent({
    name: 'a',
    model,
    tools: [note(), other],
    approvals: () => suspend(),
  }).startSession()
  const { tickets } = await session.run('go')
  await session.decide(tickets[1] as string, ApprovalDecision.approveForSession())
  expect(session.state.runs.values().next().value?.openTickets).toEqual([tickets[3]])
  await finish(session.resume())
  expect([...session.state.calls.values()].map((call) => call.end?.status)).toEqual([
    'completed',
    'completed',
    'completed',
    undefined,
  ])
})

test('a preparation that gives back what it got is not shown as a change', async () => {
  const seen: boolean[] = []
  const approvals = (request: ApprovalRequest) => {
    seen.push(request.prepared)
    return { approved: true }
  }
  const same = note({ prepare: (args: object) => ({ ...args }) })
  const changing = note({ name: 'changing', prepare: () => ({ n: 7 }) })
  await play({ tools: [same, changing], approvals }, [
    calling('note', { n: 1 }),
    calling('changing', { n: 1 }),
  ])
  expect(seen).toEqual([false, true])
})

test("a grant is its holder's: for another subject it allows nothing", async () => {
  const tools = [note({ toolClass: 'read' })]
  const make = () =>
    agent({
      name: 'a',
      model: scriptedModel([calling('note', { n: 1 }), 'done']),
      tools,
      grant: { subject: 'ann', tools: ['note'] },
    })
  const ends = []
  for (const subject of ['ann', 'eve']) {
    const session = await make().startSession({ subject })
    await session.run('go')
    ends.push([...session.state.calls.values()][0]?.end)
  }
  expect(ends).toMatchObject([{ status: 'completed' }, { code: 'denied', category: 'grant' }])
})

test('a tool for code only cannot be called by its name', async () => {
  const { calls } = await play({ tools: [note({ exposure: 'code' })], mode: 'auto' }, [
    calling('note', { n: 1 }),
  ])
  expect(calls[0]?.end).toMatchObject({ code: 'unknown_tool' })
})

test.each([
  [
    'calls without a name',
    (count: number) => ({ calls: Array.from({ length: count }, () => ({ name: 7 })) }),
  ],
  ['calls that are nothing', (count: number) => ({ calls: new Array(count).fill(null) })],
  [
    'arguments that are no JSON',
    (count: number) => ({
      calls: Array.from({ length: count }, () => ({ name: 'a', arguments: () => 1 })),
    }),
  ],
])(
  'a malformed list of %s is read no further than its first bad part, and the error is short [faults/F55]',
  async (_what, make) => {
    const session = await agent({ name: 'a', model: scriptedModel([]) }).startSession()
    for (const count of [3, 9_999, 2_000_000]) {
      let reads = 0
      const { calls } = make(count)
      const counted = new Proxy(calls, {
        get: (target, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
          return Reflect.get(target, key, receiver) as unknown
        },
      })
      const refused = await session.step({ calls: counted as never }).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT' })
      expect((refused as Error).message.length).toBeLessThan(300)
      expect(reads).toBeLessThanOrEqual(1)
    }
    expect(session.state.runs.size).toBe(0)
  },
)
