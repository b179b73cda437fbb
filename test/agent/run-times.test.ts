import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  agentTool,
  type RunTimes,
  type Store,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const silent = tool({
  name: 'silent',
  description: 'Says nothing until it is stopped',
  toolClass: 'read',
  execute: (_args, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
})

function reporting(clock: ReturnType<typeof manualClock>, reports: number, everyMs: number) {
  return tool({
    name: 'report',
    description: 'Reports as it goes',
    toolClass: 'read',
    execute: async (_args, context) => {
      for (let count = 1; count <= reports; count += 1) {
        await clock.sleep(everyMs, context.signal)
        context.progress({ message: `${count}` })
      }
      return 'over'
    },
  })
}

const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

function made(
  given: Partial<AgentConfig> & { clock: ReturnType<typeof manualClock>; first: string; store?: Store },
) {
  const { clock, first, ...config } = given
  return agent({
    name: 'worker',
    model: scriptedModel([calling(first), 'done'], { fromHistory: true }),
    ...config,
    parts: { clock, ...mortal() },
  })
}

describe('a run that may take so long', () => {
  test('is stopped at its time, and its calls with it [tools-in-an-agent/limits]', async () => {
    const clock = manualClock()
    const session = await made({ clock, first: 'silent', tools: [silent], timeoutMs: 5_000 }).startSession()
    const running = session.run('go')
    await clock.advance(4_999)
    expect(session.state.openRun).toBeDefined()
    await clock.advance(1)
    expect(await running).toMatchObject({
      status: 'cancelled',
      code: 'RUN_TIMEOUT',
      text: 'Stopped: The run took longer than its 5000 ms.',
    })
    expect(clock.sleeping).toBe(0)
  })

  test('is not stopped when it ends before, and no timer is left', async () => {
    const clock = manualClock()
    const session = await made({
      clock,
      first: 'report',
      tools: [reporting(clock, 2, 10)],
      timeoutMs: 5_000,
    }).startSession()
    const running = session.run('go', { idle: { timeoutMs: 50 } })
    await clock.advance(20)
    expect(await running).toMatchObject({ status: 'completed' })
    expect(clock.sleeping).toBe(0)
  })

  test.each(places)('is stopped by its timer while it rests, once, over %s', async (_name, place) => {
    await using where = place()
    const clock = manualClock()
    const make = () =>
      made({ clock, first: 'pay', tools: [pay], approvals: () => suspend(), store: where.open() })
    const worker = make()
    const session = await worker.startSession()
    const { status, tickets } = await session.run('go', { timeoutMs: 60_000 })
    expect(status).toBe('waiting')
    await clock.advance(59_999)
    expect(await make().runTimers()).toEqual([])
    await clock.advance(1)
    // A run that has ended is nothing to resume.
    expect(await Promise.all([make().runTimers(), make().runTimers()])).toEqual([[], []])
    expect(await make().runTimers()).toEqual([])
    const opened = await make().openSession(session.id)
    const ends = (await opened.events()).filter(({ event }) => event.type === 'run.ended')
    expect(ends.map(({ event }) => event)).toMatchObject([{ status: 'cancelled', code: 'RUN_TIMEOUT' }])
    await expect(opened.decide(tickets[0] as string, { approved: true })).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
  })

  test('is stopped when it is taken up too late, though its timer never ran', async () => {
    const clock = manualClock()
    const session = await made({
      clock,
      first: 'pay',
      tools: [pay],
      approvals: () => suspend(),
      timeoutMs: 10,
    }).startSession()
    const { tickets } = await session.run('go')
    await session.decide(tickets[0] as string, { approved: true })
    await clock.advance(11)
    expect(await finish(session.resume())).toMatchObject({ status: 'cancelled', code: 'RUN_TIMEOUT' })
  })

  test('is stopped whatever its flow or agent has become', async () => {
    const clock = manualClock()
    const store = (await import('../../src/index.ts')).memoryStore()
    const session = await made({
      clock,
      first: 'pay',
      tools: [pay],
      approvals: () => suspend(),
      store,
    }).startSession()
    await session.run('go', { timeoutMs: 10 })
    await clock.advance(10)
    const other = agent({ name: 'other', model: scriptedModel([]), store, parts: { clock, ...mortal() } })
    expect(await other.runTimers()).toEqual([])
    const [run] = (await other.openSession(session.id)).state.runs.values()
    expect(run?.ended).toMatchObject({ status: 'cancelled', code: 'RUN_TIMEOUT' })
  })
})

describe('a run in which nothing happens', () => {
  test('is stopped as idle; progress is a sign of life [tools-in-an-agent/statuses]', async () => {
    const clock = manualClock()
    const tools = [reporting(clock, 20, 9), silent]
    const model = scriptedModel([calling('report'), calling('silent'), 'done'], { fromHistory: true })
    const session = await made({ clock, first: '', model, tools, idle: { timeoutMs: 10 } }).startSession()
    const running = session.run('go')
    for (let at = 0; at < 180; at += 9) await clock.advance(9)
    expect([...session.state.calls.values()].map(({ name }) => name)).toEqual(['report', 'silent'])
    await clock.advance(10)
    expect(await running).toMatchObject({
      status: 'cancelled',
      code: 'IDLE_TIMEOUT',
      text: 'Stopped: Nothing happened in the run for 10 ms.',
    })
    expect(clock.sleeping).toBe(0)
  })

  test('is not idle while a person is asked, and the whole time begins again with the answer', async () => {
    const clock = manualClock()
    const approvals = () => new Promise<never>(() => {})
    const tools = [
      tool({
        name: 'pay',
        description: 'Pays',
        toolClass: 'external',
        execute: (_args, { signal }) => clock.sleep(15, signal),
      }),
    ]
    const session = await made({
      clock,
      first: 'pay',
      tools,
      approvals,
      idle: { timeoutMs: 10 },
    }).startSession()
    const running = session.run('go')
    await clock.advance(3_600_000)
    const [ticket] = [...session.state.tickets.keys()]
    await session.decide(ticket as string, { approved: true })
    await clock.advance(9)
    expect(session.state.openRun).toBeDefined()
    await clock.advance(1)
    expect(await running).toMatchObject({ status: 'cancelled', code: 'IDLE_TIMEOUT' })
  })

  test('is idle while a person is asked, if its rule says so, in the process and at rest', async () => {
    const clock = manualClock()
    const idle: RunTimes['idle'] = { timeoutMs: 50, whileAsking: 'continue' }
    const asked = { clock, first: 'pay', tools: [pay], idle }
    const held = await made({ ...asked, approvals: () => new Promise<never>(() => {}) }).startSession()
    const running = held.run('go')
    await clock.advance(50)
    expect(await running).toMatchObject({ code: 'IDLE_TIMEOUT' })

    const leaving = made({ ...asked, approvals: () => suspend() })
    const left = await leaving.startSession()
    expect(await left.run('go')).toMatchObject({ status: 'waiting' })
    await clock.advance(49)
    expect(await leaving.runTimers()).toEqual([])
    await clock.advance(1)
    expect(await leaving.runTimers()).toEqual([])
    expect(left.state.openRun).toBeDefined()
    const [run] = (await leaving.openSession(left.id)).state.runs.values()
    expect(run?.ended).toMatchObject({ status: 'cancelled', code: 'IDLE_TIMEOUT' })
  })

  test('waits for an agent that it has started, which shows signs of life itself', async () => {
    const clock = manualClock()
    const child = (name: string, tools: AgentConfig['tools'], first: string) =>
      agent({
        name,
        model: scriptedModel([calling(first), 'child done'], { fromHistory: true }),
        tools: tools ?? [],
      })
    const boss = agent({
      name: 'boss',
      model: scriptedModel([calling('busy', { input: 'go' }), calling('dead', { input: 'go' }), 'done'], {
        fromHistory: true,
      }),
      tools: [
        agentTool(child('busy-one', [reporting(clock, 5, 9)], 'report'), {
          name: 'busy',
          description: 'Works',
        }),
        agentTool(child('dead-one', [silent], 'silent'), { name: 'dead', description: 'Hangs' }),
      ],
      idle: { timeoutMs: 10 },
      parts: { clock, ...mortal() },
    })
    const session = await boss.startSession()
    const running = session.run('go')
    for (let at = 0; at < 63; at += 3) await clock.advance(3)
    expect(await running).toMatchObject({ status: 'completed', text: 'done' })
    const [busy, dead] = [...session.state.calls.values()]
    expect(busy?.end).toMatchObject({ status: 'completed' })
    expect(dead?.end).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Nothing happened'),
    })
  })
})

test('an agent is run for a time, and with values for that run alone [tools-in-an-agent/run-options]', async () => {
  const clock = manualClock()
  const seen: unknown[] = []
  const look = tool({
    name: 'look',
    description: 'Looks',
    toolClass: 'read',
    execute: (_args, { state }) => {
      seen.push(state.scope('run').page, state.page)
      return 'seen'
    },
  })
  const worker = agent({
    name: 'worker',
    model: scriptedModel([calling('look'), calling('silent')], { fromHistory: true }),
    tools: [look, silent],
  })
  const results: unknown[] = []
  const start = tool({
    name: 'start',
    description: 'Starts',
    toolClass: 'read',
    execute: async (_args, context) => {
      results.push(await context.run(worker, { input: 'go', timeoutMs: 500, state: { page: 7 } }))
      return 'started'
    },
  })
  const boss = agent({
    name: 'boss',
    model: scriptedModel([calling('start'), 'done'], { fromHistory: true }),
    tools: [start],
    parts: { clock, ...mortal() },
  })
  const session = await boss.startSession()
  const running = session.run('go')
  await clock.advance(500)
  expect(await running).toMatchObject({ status: 'completed' })
  expect(seen).toEqual([7, undefined])
  expect(results).toMatchObject([{ status: 'cancelled', code: 'RUN_TIMEOUT' }])
})

test.each([
  ['no text', { input: 7 }, 'needs { input }'],
  ['an option that is none', { input: 'go', timeout: 5 }, 'has no option "timeout"'],
  ['no time', { input: 'go', timeoutMs: -1 }, '"timeoutMs" must be'],
  ['no mode', { input: 'go', mode: 'wide' }, 'There is no tool mode "wide"'],
  ['state that is no JSON', { input: 'go', state: { a: () => 1 } }, 'The value of "a" is no JSON'],
])('a child is not started with %s', async (_what, options, sentence) => {
  const worker = agent({ name: 'worker', model: scriptedModel(['done']) })
  const start = tool({
    name: 'start',
    description: 'Starts',
    toolClass: 'read',
    execute: (_args, context) => context.run(worker, options as never),
  })
  const boss = agent({ name: 'boss', model: scriptedModel([calling('start'), 'done']), tools: [start] })
  const session = await boss.startSession()
  await session.run('go')
  expect([...session.state.calls.values()][0]?.end).toMatchObject({
    status: 'failed',
    message: expect.stringContaining(sentence),
  })
})

test('a handler is waited for so long, and then the run rests until somebody answers [tools-and-approvals/wait-then-suspend]', async () => {
  const clock = manualClock()
  const reasons: unknown[] = []
  const approvals: AgentConfig['approvals'] = (_request, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason)
        resolve({ approved: true })
      })
    })
  const worker = made({ clock, first: 'pay', tools: [pay], approvals, answerWaitMs: 30_000 })
  const session = await worker.startSession()
  const running = session.run('go')
  await clock.advance(29_999)
  expect(reasons).toEqual([])
  await clock.advance(1)
  const { status, tickets } = await running
  expect(status).toBe('waiting')
  expect(String(reasons[0])).toContain('left to somebody else')
  expect(session.state.tickets.get(tickets[0] as string)?.decided).toBeUndefined()
  await session.decide(tickets[0] as string, { approved: true })
  expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
  expect(clock.sleeping).toBe(0)
})

test.each(places)(
  'a run that rests is cancelled from anywhere, with what hangs on it, over %s',
  async (_name, place) => {
    await using where = place()
    const clock = manualClock()
    const make = () => {
      const clerk = agent({
        name: 'clerk',
        model: scriptedModel([calling('pay'), 'paid'], { fromHistory: true }),
        tools: [pay],
      })
      return made({
        clock,
        first: '',
        model: scriptedModel([calling('order', { input: 'go' }), 'done'], { fromHistory: true }),
        tools: [agentTool(clerk, { name: 'order', description: 'Orders' })],
        approvals: () => suspend(),
        store: where.open(),
      })
    }
    const session = await make().startSession()
    const { tickets } = await session.run('go')
    const other = await make().openSession(session.id)
    expect(await other.cancel('not needed any more')).toMatchObject({
      status: 'cancelled',
      text: 'Stopped: not needed any more',
    })
    await expect(other.decide(tickets[0] as string, { approved: true })).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
    await expect(other.cancel()).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  },
)
