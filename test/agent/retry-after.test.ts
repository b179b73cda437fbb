import { expect, test } from 'vitest'
import { limits } from '../../src/core/limits.ts'
import { agent, agentTool, type Store, scriptedModel, type ToolContext, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

/** An agent whose tool has to be entered so and so often until what it looks for is there. */
function looking(entries: number, afterMs: number, store?: Store, clock = manualClock()) {
  const entered: number[] = []
  const look = tool({
    name: 'look',
    description: 'Looks',
    toolClass: 'read',
    execute: (_args, context) => {
      entered.push(clock.now())
      return entered.length < entries ? context.retryAfter(afterMs) : 'there'
    },
  })
  const make = (name: string) =>
    agent({
      name,
      model: scriptedModel([calling('look'), 'seen'], { fromHistory: true }),
      tools: [look],
      ...(store === undefined ? {} : { store }),
      parts: { clock, ...mortal() },
    })
  return { make, entered, clock }
}

test('a tool that is to be entered again later gives its claim back, and is entered at that time [tools-in-an-agent/timers]', async () => {
  const { make, entered, clock } = looking(3, 60_000)
  const session = await make('a').startSession()
  const started = clock.now()
  const running = session.run('go')
  await clock.advance(59_999)
  expect(entered).toHaveLength(1)
  expect([...session.state.calls.values()][0]).toMatchObject({
    status: 'resting',
    rest: { on: [], until: started + 60_000 },
  })
  await clock.advance(1)
  expect(entered).toHaveLength(2)
  await clock.advance(60_000)
  expect(await running).toMatchObject({ status: 'completed', text: 'seen' })
  expect(entered.map((at) => at - started)).toEqual([0, 60_000, 120_000])
  expect([...session.state.calls.values()][0]).toMatchObject({
    attempt: 3,
    end: { text: { inline: 'there' } },
  })
})

test.each(places)(
  'a time that is far off leaves the run in the store until its timer is due, over %s',
  async (_kind, place) => {
    await using where = place()
    const dayMs = 86_400_000
    const { make, entered, clock } = looking(2, dayMs, where.open())
    const session = await make('a').startSession()
    expect(await session.run('go')).toMatchObject({ status: 'waiting', tickets: [] })
    expect(await make('a').runTimers()).toEqual([])
    await clock.advance(dayMs)
    const other = make('a')
    expect(await other.runTimers()).toEqual([session.id])
    const result = await finish((await other.openSession(session.id)).resume())
    expect(result).toMatchObject({ status: 'completed', text: 'seen' })
    expect(entered).toHaveLength(2)
    expect(await other.runTimers()).toEqual([])
  },
)

test("a child's time is the time of the session at the top", async () => {
  const dayMs = 86_400_000
  const { make, clock } = looking(2, dayMs)
  const boss = agent({
    name: 'boss',
    model: scriptedModel([calling('ask', { input: 'go' }), 'done'], { fromHistory: true }),
    tools: [agentTool(make('child'), { name: 'ask', description: 'Asks' })],
    parts: { clock, ...mortal() },
  })
  const session = await boss.startSession()
  expect(await session.run('go')).toMatchObject({ status: 'waiting' })
  await clock.advance(dayMs)
  expect(await boss.runTimers()).toEqual([session.id])
  expect(await finish(session.resume())).toMatchObject({ status: 'completed', text: 'done' })
})

test('a call that is put off without end is ended', async () => {
  const { make, entered, clock } = looking(Number.POSITIVE_INFINITY, 0)
  const session = await make('a').startSession()
  const result = await session.run('go')
  expect(result.status).toBe('completed')
  expect(entered).toHaveLength(limits.claimsMax)
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'claim_limit' })
  expect(clock.sleeping).toBe(0)
})

test('a call that waits for a time is ended with its run', async () => {
  const { make, clock } = looking(2, 60_000)
  const session = await make('a').startSession()
  const stop = new AbortController()
  const running = session.run('go', { signal: stop.signal })
  await clock.advance(1)
  stop.abort(new Error('enough'))
  expect(await running).toMatchObject({ status: 'cancelled' })
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'cancelled' })
})

test('a delay that is none is refused', async () => {
  const { make } = looking(2, Number.NaN)
  const session = await make('a').startSession()
  await session.run('go')
  expect(JSON.stringify([...session.state.calls.values()][0]?.end)).toContain('retryAfter takes a number')
})

test.each(places)(
  'the time of a call holds across owners: who takes its run up before then leaves it as it is, over %s',
  async (_kind, place) => {
    await using where = place()
    const dayMs = 86_400_000
    const { make, entered, clock } = looking(2, dayMs, where.open())
    const session = await make('a').startSession()
    await session.run('go')
    const nearMs = limits.restInProcessMs + 1
    await clock.advance(dayMs - nearMs)
    for (let owner = 0; owner < 3; owner += 1) {
      expect(await make('a').resumeOpen()).toMatchObject([{ session: session.id, status: 'waiting' }])
      const again = await make('a').openSession(session.id)
      expect([...again.state.calls.values()][0]).toMatchObject({ status: 'resting', attempt: 1 })
    }
    expect(entered).toHaveLength(1)
    await clock.advance(nearMs)
    expect(await make('a').resumeOpen()).toMatchObject([{ status: 'completed', text: 'seen' }])
    expect(entered).toHaveLength(2)
  },
)

test.each(places)(
  'a run above a child that rests until a time is not entered before it either, over %s',
  async (_kind, place) => {
    await using where = place()
    const dayMs = 86_400_000
    const { make, entered, clock } = looking(2, dayMs, where.open())
    const boss = () =>
      agent({
        name: 'boss',
        model: scriptedModel([calling('ask', { input: 'go' }), 'done'], { fromHistory: true }),
        tools: [agentTool(make('child'), { name: 'ask', description: 'Asks' })],
        store: where.open(),
        parts: { clock, ...mortal() },
      })
    const session = await boss().startSession()
    await session.run('go')
    for (let owner = 0; owner < 3; owner += 1) {
      const again = await boss().openSession(session.id)
      expect(await finish(again.resume())).toMatchObject({ status: 'waiting' })
      expect([...again.state.calls.values()][0]).toMatchObject({ status: 'resting', attempt: 1 })
    }
    expect(entered).toHaveLength(1)
    await clock.advance(dayMs)
    expect(await boss().runTimers()).toEqual([session.id])
    expect(await finish((await boss().openSession(session.id)).resume())).toMatchObject({ text: 'done' })
    expect(entered).toHaveLength(2)
  },
)

test('a session is not forked while a call of it rests, and is told until when it does', async () => {
  const dayMs = 86_400_000
  const { make, clock } = looking(2, dayMs)
  const made = make('a')
  const session = await made.startSession()
  await session.run('go')
  const [call] = session.state.calls.values()
  const until = new Date(clock.now() + dayMs).toISOString()
  await expect(made.forkSession(session.id)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(`the call ${call?.id} has begun, and rests until ${until}; fork before`),
  })
  await clock.advance(dayMs)
  await finish(session.resume())
  expect((await made.forkSession(session.id)).state.runs.size).toBe(1)
})

test('what ends, hands over or rests a call is made in its function, and not after that has returned', async () => {
  const kept: ToolContext[] = []
  const keep = tool({
    name: 'keep',
    description: 'Keeps its context',
    execute: (_args, context) => {
      kept.push(context)
      return 'kept'
    },
  })
  const model = scriptedModel([calling('keep'), 'done'])
  const made = agent({ name: 'a', model, tools: [keep] })
  await (await made.startSession()).run('go')
  const [context] = kept
  const afterwards = [
    () => context?.retryAfter(1),
    () => context?.handOver(made),
    () => context?.output('x'),
    () => context?.end(),
  ]
  for (const late of afterwards) {
    expect(late).toThrow('and returned, in execute, and nowhere else')
    expect(late).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  }
})

test.each([1e300, Number.POSITIVE_INFINITY, Number.NaN, -1, 8.64e15])(
  'a call cannot be put off by %d milliseconds: there is no such date',
  async (delayMs) => {
    const { make } = looking(2, delayMs)
    const session = await make('a').startSession()
    await session.run('go')
    expect([...session.state.calls.values()][0]?.end).toMatchObject({
      code: 'tool_error',
      message: expect.stringContaining('retryAfter takes a number of milliseconds'),
    })
  },
)

test.each(['output', 'end', 'handOver', 'retryAfter'] as const)(
  'who looks on is told of a context.%s() that was not returned, and the call has what was',
  async (what) => {
    const other = agent({ name: 'other', model: scriptedModel([]) })
    const made = (context: ToolContext) => {
      const calls = {
        output: () => context.output(1),
        end: () => context.end(),
        handOver: () => context.handOver(other),
        retryAfter: () => context.retryAfter(1_000),
      }
      return calls[what]()
    }
    const play = async (execute: (context: ToolContext) => unknown) => {
      const look = tool({
        name: 'look',
        description: 'L',
        toolClass: 'read',
        execute: (_a, context) => execute(context),
      })
      const model = scriptedModel([calling('look'), 'seen'])
      const session = await agent({ name: 'a', model, tools: [look] }).startSession()
      const warnings: string[] = []
      for await (const event of session.stream('go'))
        if (event.type === 'warning') warnings.push(event.message)
        else if (event.type === 'call.rested') break
      return { warnings, end: [...session.state.calls.values()][0]?.end }
    }
    const dropped = await play((context) => {
      made(context)
      return 'mine'
    })
    expect(dropped.warnings).toEqual([expect.stringContaining(`write "return context.${what}(...)"`)])
    expect(dropped.end).toMatchObject({ text: { inline: 'mine' } })
    expect((await play(made)).warnings).toEqual([])
  },
)
