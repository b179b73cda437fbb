import { expect, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  memoryStore,
  type SpawnedChild,
  scriptedModel,
  suspend,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal } from '../support/places.ts'
import { calling } from '../support/play.ts'

const approve = { approved: true } as const

function make(
  name: string,
  script: readonly ScriptStep[],
  tools: readonly Tool[] = [],
  over: Partial<AgentConfig> = {},
): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), tools, ...over })
}

function doing(execute: (context: ToolContext) => unknown, over: object = {}): Tool {
  const config = { name: 'work', description: 'Works', toolClass: 'read' as const, ...over }
  return tool({ ...config, execute: (_args, context) => execute(context) })
}

/** A tool that goes on when it is let go, and an agent that uses it. */
function held(name = 'slow') {
  const began = Promise.withResolvers<void>()
  const go = Promise.withResolvers<string>()
  const stopped: unknown[] = []
  const wait = tool({
    name: 'wait',
    description: 'Waits',
    toolClass: 'read',
    execute: (_args, { signal }) => {
      began.resolve()
      return Promise.race([
        go.promise,
        new Promise<string>((_resolve, reject) => {
          const stop = () => {
            stopped.push(signal.reason)
            reject(signal.reason)
          }
          if (signal.aborted) stop()
          else signal.addEventListener('abort', stop, { once: true })
        }),
      ])
    },
  })
  return { slow: make(name, [calling('wait'), 'waited'], [wait]), began, go, stopped }
}

test('a spawned agent goes on while the run above rests, and its events are kept [approvals/K6]', async () => {
  const { slow, began, go } = held()
  const store = memoryStore()
  const asking = tool({
    name: 'ask',
    description: 'Asks',
    yieldSchema: { type: 'object', properties: {}, additionalProperties: false },
  })
  const spawned: SpawnedChild[] = []
  const work = doing((context) => {
    spawned.push(context.spawn(slow, { input: 'slowly' }))
    return 'started'
  })
  const boss = make('boss', [calling('work'), calling('ask'), 'done'], [work, asking], { store })
  const session = await boss.startSession()
  const running = session.run('go')
  await began.promise
  go.resolve('waited long')
  const rested = await running
  expect(rested).toMatchObject({ status: 'waiting' })
  const [child] = spawned
  const below = await boss.openSession(child?.session as string)
  expect(below.state.runs.get(child?.run as string)?.ended).toMatchObject({
    status: 'completed',
    text: 'waited',
  })
  expect((await below.events()).map(({ event }) => event.type)).toContain('call.completed')
  await session.answer(rested.tickets[0] as string, {})
  expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
})

test("a run's end waits for what it spawned, and a call can wait for it too", async () => {
  const { slow, began, go } = held()
  const work = doing(async (context) => {
    const child = context.spawn(slow, { input: 'slowly' })
    await began.promise
    go.resolve('x')
    return (await child.wait()).text
  })
  const session = await make('boss', [calling('work'), 'done'], [work]).startSession()
  await session.run('go')
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'waited' } })

  const second = held()
  const leaving = doing((context) => context.spawn(second.slow, { input: 'slowly' }).session)
  const store = memoryStore()
  const running = (await make('boss', [calling('work'), 'done'], [leaving], { store }).startSession()).run(
    'go',
  )
  await second.began.promise
  second.go.resolve('x')
  await running
  expect(await store.list({ kind: 'run', status: ['open', 'waiting'] })).toEqual([])
})

test('a spawned agent is stopped by its handle, and with the run', async () => {
  const first = held()
  const work = doing(async (context) => {
    const child = context.spawn(first.slow, { input: 'slowly' })
    await first.began.promise
    child.abort(new Error('no more'))
    return (await child.wait()).status
  })
  const session = await make('boss', [calling('work'), 'done'], [work]).startSession()
  await session.run('go')
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'cancelled' } })
  expect(first.stopped).toMatchObject([{ message: 'no more' }])

  const second = held()
  const stop = new AbortController()
  const leaving = doing((context) => context.spawn(second.slow, { input: 'slowly' }).session)
  const store = memoryStore()
  const boss = make('boss', [calling('work'), calling('work'), 'done'], [leaving], { store })
  const running = (await boss.startSession()).run('go', { signal: stop.signal })
  await second.began.promise
  stop.abort(new Error('enough'))
  await running
  expect(second.stopped).toMatchObject([{ message: 'enough' }])
  expect(await store.list({ kind: 'run', status: ['open', 'waiting'] })).toEqual([])
})

test('a dispatched agent goes on by itself, whatever becomes of the run that started it [tools-in-an-agent/context-dispatch]', async () => {
  const { slow, began, go, stopped } = held()
  const store = memoryStore()
  const work = doing(async (context) => (await context.dispatch(slow, { input: 'slowly' })).session)
  const boss = make('boss', [calling('work'), 'done'], [work], { store })
  const session = await boss.startSession()
  expect(await session.run('go')).toMatchObject({ status: 'completed', text: 'done' })
  await began.promise
  const [call] = session.state.calls.values()
  expect(call?.children).toMatchObject([{ kind: 'dispatch', agent: 'slow' }])
  go.resolve('x')
  const ended = Promise.withResolvers<void>()
  const look = async () => {
    const rows = await store.list({ kind: 'run', status: 'completed' })
    if (rows.length === 2) ended.resolve()
  }
  const unwatch = store.watch(() => void look())
  await look()
  await ended.promise
  unwatch()
  expect(stopped).toEqual([])
})

test('a dispatched agent whose process ended is an open run that a worker takes up', async () => {
  const store = memoryStore()
  const began = Promise.withResolvers<void>()
  const helper = (hangs: boolean) => {
    const look = tool({
      name: 'look',
      description: 'Looks',
      toolClass: 'read',
      execute: () => {
        began.resolve()
        return hangs ? new Promise<string>(() => undefined) : 'seen'
      },
    })
    return make('helper', [calling('look'), 'helped'], [look], { store, parts: mortal() })
  }
  const work = doing((context) => context.dispatch(helper(true), { input: 'go' }))
  const boss = make('boss', [calling('work'), 'done'], [work], { store, parts: mortal() })
  expect(await (await boss.startSession()).run('go')).toMatchObject({ status: 'completed' })
  await began.promise
  const worker = helper(false)
  expect(await worker.resumeOpen()).toMatchObject([{ status: 'completed', text: 'helped' }])
  expect(await worker.resumeOpen()).toEqual([])
  expect(await store.list({ kind: 'run', status: ['open', 'waiting'] })).toEqual([])
})

test('what a call waits for is taken up by the agent above, by no worker, and not given back to who lost it', async () => {
  const store = memoryStore()
  const office = (hangs: boolean) => {
    const began = Promise.withResolvers<void>()
    const go = Promise.withResolvers<string>()
    const look = doing(
      () => {
        began.resolve()
        return hangs ? go.promise : 'seen'
      },
      { name: 'look' },
    )
    const helper = make('helper', [calling('look'), 'helped'], [look], { store, parts: mortal() })
    const tools = [agentTool(helper, { name: 'work', description: 'Helps' })]
    const boss = make('boss', [calling('work', { input: 'go' }), 'done'], tools, { store, parts: mortal() })
    return { boss, helper, began: began.promise, go }
  }
  const first = office(true)
  const session = await first.boss.startSession()
  const lost = session.run('go').then(
    () => 'ended',
    (error) => error.code,
  )
  await first.began
  const second = office(false)
  expect(await second.helper.resumeOpen()).toEqual([])
  expect(await second.boss.resumeOpen()).toMatchObject([{ session: session.id, status: 'completed' }])
  first.go.resolve('seen late')
  expect(await lost).toBe('LEASE_LOST')
  const taken = await second.boss.openSession(session.id)
  const [call] = taken.state.calls.values()
  expect(call).toMatchObject({ attempt: 2, end: { text: { inline: 'helped' } } })
  const types = (await taken.events()).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'call.completed')).toHaveLength(1)
  const child = await second.boss.openSession(`${call?.id}.0`)
  expect(child.state.runs.get(`${call?.id}.0.run`)?.ended).toMatchObject({ status: 'completed' })
})

test('a child run is driven by its own agent only', async () => {
  const store = memoryStore()
  const asking = tool({ name: 'ask', description: 'Asks', yieldSchema: { type: 'object' } })
  const helper = make('helper', [calling('ask'), 'helped'], [asking])
  const work = doing((context) => context.run(helper, { input: 'go' }))
  const session = await make('boss', [calling('work'), 'done'], [work], { store }).startSession()
  const { tickets } = await session.run('go')
  const [call] = session.state.calls.values()
  const stranger = make('stranger', ['not mine'], [], { store })
  const child = await stranger.openSession(`${call?.id}.0`)
  await expect(finish(child.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
  // The agent that started it knows it, and drives it as what it is.
  await session.answer(tickets[0] as string, {})
  const known = agentTool(helper, { name: 'work', description: 'Helps' })
  const boss = make('boss', [], [known], { store })
  expect(await finish((await boss.openSession(`${call?.id}.0`)).resume())).toMatchObject({ text: 'helped' })
})

test('a spawned agent that rests is stopped with the run, and taken up with it', async () => {
  const store = memoryStore()
  const asking = tool({ name: 'ask', description: 'Asks', yieldSchema: { type: 'object' } })
  const helper = make('helper', [calling('ask'), 'helped'], [asking])
  const work = doing((context) => context.spawn(helper, { input: 'go' }).session)
  const desk = () => make('boss', [calling('work'), calling('ask'), 'done'], [work, asking], { store })
  const boss = desk()
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  expect(tickets).toHaveLength(2)
  await session.answer(tickets[1] as string, {})
  const again = await finish(session.resume())
  expect(again).toMatchObject({ status: 'waiting', tickets: [tickets[0]] })
  expect(await store.list({ kind: 'run', status: 'completed' })).toMatchObject([
    { data: { agent: 'helper' } },
  ])

  const other = await boss.startSession()
  expect((await other.run('go')).tickets).toHaveLength(2)
  const stopped = await finish(other.resume({ signal: AbortSignal.abort(new Error('enough')) }))
  expect(stopped).toMatchObject({ status: 'cancelled', tickets: [] })
  expect(await store.list({ kind: 'run', status: 'cancelled' })).toHaveLength(2)
})

test('an agent that runs out of its time is stopped, and its call with it', async () => {
  const clock = manualClock()
  const { slow, began, stopped } = held()
  const store = memoryStore()
  const tools = [agentTool(slow, { name: 'slow', description: 'Slow', timeout: 1_000 })]
  const boss = make('boss', [calling('slow', { input: 'go' }), 'done'], tools, { store, parts: { clock } })
  const session = await boss.startSession()
  const running = session.run('go')
  await began.promise
  await clock.advance(1_000)
  await clock.advance(1_000)
  expect(await running).toMatchObject({ status: 'completed', text: 'done' })
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'timed_out' })
  expect(stopped).toHaveLength(1)
  expect(await store.list({ kind: 'run', status: 'cancelled' })).toMatchObject([{ data: { agent: 'slow' } }])
})

test('a run is handed over by returning an agent: its end is the end, with what the run was told [tools-in-an-agent/transfer]', async () => {
  const told: string[] = []
  const expert = agent({
    name: 'expert',
    model: scriptedModel(({ messages }) => {
      told.push(messages.map((message) => ('text' in message ? message.text : '')).join())
      return 'the answer'
    }),
  })
  const handing = doing(() => expert)
  const boss = make('boss', [{ calls: [{ name: 'work' }, { name: 'work', id: 'b' }] }, 'never'], [handing])
  const result = await (await boss.startSession()).run('what is it?')
  expect(result).toMatchObject({ status: 'completed', output: 'the answer' })
  expect(told).toEqual(['what is it?'])

  const other = doing((context) => context.handOver(expert, { input: 'briefly' }))
  await (await make('boss', [calling('work'), 'never'], [other]).startSession()).run('what is it?')
  expect(told).toEqual(['what is it?', 'briefly'])
})

test('a run that was handed over to an agent that waits is ended by it later', async () => {
  const effects: string[] = []
  const save = tool({
    name: 'save',
    description: 'Saves',
    toolClass: 'write',
    execute: () => {
      effects.push('saved')
      return 'saved'
    },
  })
  const expert = make('expert', [calling('save'), 'the answer'], [save])
  const boss = make('boss', [calling('work'), 'never'], [doing(() => expert)], { approvals: () => suspend() })
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  await session.decide(tickets[0] as string, approve)
  expect(await finish(session.resume())).toMatchObject({ status: 'completed', output: 'the answer' })
  expect(effects).toEqual(['saved'])
})

test('a run that is handed over to an agent that fails goes on, and its model is told', async () => {
  const expert = make('expert', [{ error: 'out of order' }], [], { modelAttempts: 1 })
  const boss = make('boss', [calling('work'), 'I will do it'], [doing(() => expert)])
  const session = await boss.startSession()
  expect(await session.run('go')).toMatchObject({ status: 'completed', text: 'I will do it' })
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'child_failed' })
})
