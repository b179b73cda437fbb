import { describe, expect, test } from 'vitest'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import { goingOn } from '../../src/agent/going-on.ts'
import { limits } from '../../src/core/limits.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  memoryStore,
  type Runnable,
  type Store,
  scriptedModel,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { Journal } from '../../src/runtime/journal.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

function make(
  name: string,
  script: readonly ScriptStep[],
  tools: readonly Tool[] = [],
  over: Partial<AgentConfig> = {},
): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), tools, ...over })
}

/** A tool that tells how often it was entered, and hangs in a process that is to be followed. */
function effect(name: string, hangs: boolean) {
  const entered: string[] = []
  const began = Promise.withResolvers<void>()
  const made = tool({
    name,
    description: 'Acts',
    toolClass: 'write',
    execute: (_args, { callId }) => {
      entered.push(callId)
      began.resolve()
      return hangs ? new Promise<string>(() => undefined) : 'done'
    },
  })
  return { made, entered, began: began.promise }
}

interface Office {
  readonly store: Store
  /** What the call does with its children. */
  readonly work: (context: ToolContext, kids: readonly Runnable[]) => unknown
  readonly over?: object
  readonly parts?: AgentConfig['parts']
  readonly hangs?: boolean
}

/** One process: a boss whose call starts some of three children, each of which acts once. */
function office({ store, work, over = {}, parts = mortal(), hangs = false }: Office) {
  const acts = ['a', 'b', 'c'].map((name) => effect(`act_${name}`, hangs))
  const kids = acts.map(({ made }, index) =>
    make(`kid_${index + 1}`, [calling(made.name), `kid ${index + 1} is done`], [made]),
  )
  const going = tool({
    name: 'go',
    description: 'Goes',
    toolClass: 'write',
    ...over,
    execute: (_args, context) => work(context, kids),
  })
  const boss = make('boss', [calling('go'), 'boss is done'], [going], { store, parts })
  const entered = () => acts.map((each) => each.entered.length)
  const [first] = acts as [ReturnType<typeof effect>]
  return { boss, entered, first: first.began, began: Promise.all(acts.map(({ began }) => began)) }
}

/** Starts all of them beside the call, in an order, and waits for them. */
function spawning(order: readonly number[]): Office['work'] {
  return async (context, kids) => {
    const started = order.map((index) => context.spawn(kids[index] as Runnable, { input: 'go' }))
    const results = await Promise.all(started.map((child) => child.wait()))
    return results.map(({ text }) => text).join()
  }
}

const inOrder = [0, 1, 2]

async function statuses(store: Store, kind: 'run' | 'call'): Promise<string[]> {
  return (await store.list({ kind })).map(({ status }) => status).sort()
}

describe.each(places)('children whose call is given up, over %s', (_kind, place) => {
  test('are stopped with it, and what they were doing is uncertain', async () => {
    await using where = place()
    const first = office({ store: where.open(), work: spawning(inOrder), hangs: true })
    const session = await first.boss.startSession('auto')
    session.run('go').catch(() => undefined)
    await first.began
    const store = where.open()
    const second = office({ store, work: spawning(inOrder) })
    const result = await finish((await second.boss.openSession(session.id)).resume())
    expect(result).toMatchObject({ status: 'completed', text: 'boss is done' })
    expect(await statuses(store, 'run')).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed'])
    expect(await statuses(store, 'call')).toEqual(['uncertain', 'uncertain', 'uncertain', 'uncertain'])
    expect(second.entered()).toEqual([0, 0, 0])
  })

  test.each(['runTimers', 'resumeOpen'] as const)(
    'are left to whoever seems to drive them, and stopped later by %s',
    async (later) => {
      await using where = place()
      const living = { owner: { name: 'first', hasEnded: () => false }, clock: manualClock() }
      const first = office({ store: where.open(), work: spawning(inOrder), hangs: true, parts: living })
      const session = await first.boss.startSession('auto')
      session.run('go').catch(() => undefined)
      await first.began
      const store = where.open()
      const lease = await store.readLease(`session:${session.id}`)
      if (lease !== undefined) await store.releaseLease(lease)
      const clock = manualClock()
      const parts = { owner: { name: 'second', hasEnded: () => false }, clock }
      const second = office({ store, work: spawning(inOrder), parts })
      await finish((await second.boss.openSession(session.id)).resume())
      expect(await statuses(store, 'run')).toEqual(['completed', 'open', 'open', 'open'])
      expect(await second.boss[later]()).toEqual([])
      await clock.advance(20_000)
      expect(await second.boss[later]()).toHaveLength(later === 'runTimers' ? 0 : 3)
      expect(await statuses(store, 'run')).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed'])
      expect(await statuses(store, 'call')).toEqual(['uncertain', 'uncertain', 'uncertain', 'uncertain'])
      expect(await second.boss[later]()).toEqual([])
      expect(second.entered()).toEqual([0, 0, 0])
    },
  )
})

describe.each(places)('a call that is entered again, over %s', (_kind, place) => {
  test('and starts the same agents in another order is not taken up, and can go on as it was', async () => {
    await using where = place()
    const over = { repeatable: true }
    const first = office({ store: where.open(), work: spawning(inOrder), over, hangs: true })
    const session = await first.boss.startSession('auto')
    session.run('go').catch(() => undefined)
    await first.began
    for (const order of [
      [1, 0, 2],
      [0, 2, 1],
    ]) {
      const other = office({ store: where.open(), work: spawning(order), over })
      const taken = await other.boss.openSession(session.id)
      await expect(finish(taken.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
      expect(other.entered()).toEqual([0, 0, 0])
    }
    const store = where.open()
    expect(await statuses(store, 'call')).toEqual([])
    const last = office({ store, work: spawning(inOrder), over })
    const result = await finish((await last.boss.openSession(session.id)).resume())
    expect(result).toMatchObject({ status: 'completed', text: 'boss is done' })
    expect(await statuses(store, 'run')).toEqual(['completed', 'completed', 'completed', 'completed'])
  })

  test('and starts others after some have gone on ends with all that it had started', async () => {
    await using where = place()
    const over = { repeatable: true }
    const first = office({ store: where.open(), work: spawning(inOrder), over, hangs: true })
    const session = await first.boss.startSession('auto')
    session.run('go').catch(() => undefined)
    await first.began
    const store = where.open()
    const work: Office['work'] = async (context, [one, two, three]) => {
      await context.spawn(one as Runnable, { input: 'go' }).wait()
      context.spawn(three as Runnable, { input: 'go' })
      context.spawn(two as Runnable, { input: 'go' })
    }
    const second = office({ store, work, over })
    const taken = await second.boss.openSession(session.id)
    expect(await finish(taken.resume())).toMatchObject({ status: 'completed', text: 'boss is done' })
    expect([...taken.state.calls.values()][0]?.end).toMatchObject({
      status: 'failed',
      code: 'children_changed',
      effect: 'uncertain',
    })
    expect(await statuses(store, 'run')).toEqual(['cancelled', 'cancelled', 'completed', 'completed'])
  })

  test('and does without a child that it waited for stops it', async () => {
    await using where = place()
    const running: Office['work'] = async (context, [one]) =>
      (await context.run(one as Runnable, { input: 'go' })).text
    const over = { toolClass: 'read' }
    const first = office({ store: where.open(), work: running, over, hangs: true })
    const session = await first.boss.startSession('auto')
    session.run('go').catch(() => undefined)
    await first.first
    const store = where.open()
    const second = office({ store, work: () => 'nobody', over })
    expect(await finish((await second.boss.openSession(session.id)).resume())).toMatchObject({
      status: 'completed',
    })
    expect(await statuses(store, 'run')).toEqual(['cancelled', 'completed'])
    expect(await statuses(store, 'call')).toEqual(['uncertain'])
  })
})

describe('agents that start each other', () => {
  /** Two agents, each of which does something with the other, without end. */
  function pair(store: Store, work: (context: ToolContext, other: Agent) => unknown, over = {}) {
    const agents: Agent[] = []
    let requests = 0
    const one = (name: string, other: number) =>
      agent({
        name,
        store,
        model: scriptedModel(() => {
          requests += 1
          return calling('work')
        }),
        tools: [
          tool({
            name: 'work',
            description: 'Works',
            toolClass: 'read',
            execute: (_args, context) => work(context, agents[other] as Agent),
            ...over,
          }),
        ],
      })
    agents.push(one('a', 1), one('b', 0))
    return { top: agents[0] as Agent, asked: () => requests }
  }

  test.each(places)('by handing over in a circle end, all the way up, over %s', async (_kind, place) => {
    await using where = place()
    const store = where.open()
    const { top, asked } = pair(store, (context, other) => context.handOver(other))
    const result = await (await top.startSession()).run('go')
    expect(result).toMatchObject({ status: 'failed', code: 'LIMIT_EXCEEDED' })
    expect(result.text).toBe('Agents start each other at most 16 deep.')
    expect(asked()).toBe(17)
    expect(await statuses(store, 'run')).toEqual(Array.from({ length: 17 }, () => 'failed'))
  })

  test('and whose function makes an error of its own of it end too', async () => {
    const { top, asked } = pair(memoryStore(), async (context, other) => {
      const { status } = await context.run(other, { input: 'go' })
      if (status !== 'completed') throw new Error('It was not done.')
    })
    expect(await (await top.startSession()).run('go')).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(asked()).toBe(17)
  })

  test('beside each other end when the tree is full', async () => {
    const store = memoryStore()
    const work = async (context: ToolContext, other: Agent) => {
      const both = [context.spawn(other, { input: 'go' }), context.spawn(other, { input: 'go' })]
      await Promise.all(both.map((child) => child.wait()))
      return 'both'
    }
    const { top, asked } = pair(store, work)
    const result = await (await top.startSession()).run('go')
    expect(result).toMatchObject({ status: 'failed', code: 'LIMIT_EXCEEDED' })
    const runs = await store.list({ kind: 'run', limit: 5_000 })
    expect(runs.length).toBeLessThanOrEqual(limits.treeRunsMax + 1)
    expect(runs.filter(({ status }) => status === 'open' || status === 'waiting')).toEqual([])
    expect(asked()).toBeLessThanOrEqual(2 * (limits.treeRunsMax + 1))
  })

  test.each(places)('are counted on after a restart, on all levels, over %s', async (_kind, place) => {
    await using where = place()
    const began = Promise.withResolvers<void>()
    const building = (hangs: boolean) => {
      const leaf = make('leaf', ['leaf'])
      const twice = tool({
        name: 'twice',
        description: 'Starts two',
        toolClass: 'read',
        execute: async (_args, context) => {
          await context.run(leaf, { input: 'one' })
          await context.run(leaf, { input: 'two' })
          if (!hangs) return (await context.run(leaf, { input: 'three' })).session
          began.resolve()
          return await new Promise<string>(() => undefined)
        },
      })
      const middle = make('middle', [calling('twice'), 'middle'], [twice])
      const store = where.open()
      const tools = [agentTool(middle, { name: 'go', description: 'Goes' })]
      return make('boss', [calling('go', { input: 'x' }), 'boss'], tools, { store, parts: mortal() })
    }
    const session = await building(true).startSession()
    session.run('go').catch(() => undefined)
    await began.promise
    const second = building(false)
    await finish((await second.openSession(session.id)).resume())
    const below = await where.open().list({ kind: 'session' })
    const opened = await Promise.all(below.map(({ id }) => second.openSession(id)))
    const numbers = opened.map(({ state }) => state.parent?.number ?? 0)
    expect(numbers.sort()).toEqual([0, 1, 2, 3, 4])
  })

  test('are stopped by a signal in the meantime', async () => {
    const stop = new AbortController()
    const { top, asked } = pair(memoryStore(), (context, other) => context.handOver(other))
    setImmediate(() => setImmediate(() => stop.abort(new Error('enough'))))
    const result = await (await top.startSession()).run('go', { signal: stop.signal })
    expect(result).toMatchObject({ status: 'cancelled' })
    expect(asked()).toBeLessThan(17)
  })
})

test('a call that has ended starts nothing, and is told so', async () => {
  const kid = make('kid', ['done'])
  const kept: ToolContext[] = []
  const store = memoryStore()
  const keeping = tool({
    name: 'go',
    description: 'Goes',
    toolClass: 'read',
    execute: (_args, context) => {
      kept.push(context)
      return 'kept'
    },
  })
  const session = await make('boss', [calling('go'), 'done'], [keeping], { store }).startSession()
  await session.run('go')
  const before = (await session.events()).length
  const [context] = kept as [ToolContext]
  const late = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('has ended') }
  await expect(context.run(kid, { input: 'go' })).rejects.toMatchObject(late)
  await expect(context.dispatch(kid, { input: 'go' })).rejects.toMatchObject(late)
  expect(() => context.spawn(kid, { input: 'go' })).toThrow(expect.objectContaining(late))
  expect(() => context.state.update({ a: 1 })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  context.progress({ message: 'late' })
  expect((await session.events()).length).toBe(before)
  expect(await store.list({ kind: 'session' })).toHaveLength(1)
})

test('a run whose call waits for a child is waiting in the index, and open again when it goes on', async () => {
  const store = memoryStore()
  const ask = tool({ name: 'ask', description: 'Asks', yieldSchema: { type: 'object' } })
  const kid = make('kid', [calling('ask'), 'done'], [ask])
  const seen: string[][] = []
  const going = tool({
    name: 'go',
    description: 'Goes',
    toolClass: 'write',
    execute: async (_args, context) => {
      const rows = await store.list({ kind: 'run' })
      seen.push(rows.map(({ status, data }) => `${data.agent}: ${status}`).sort())
      return (await context.run(kid, { input: 'go' })).text
    },
  })
  const session = await make('boss', [calling('go'), 'done'], [going], { store }).startSession('auto')
  const { tickets } = await session.run('go')
  expect(await statuses(store, 'run')).toEqual(['waiting', 'waiting'])
  await session.answer(tickets[0] as string, {})
  await finish(session.resume())
  expect(seen).toEqual([['boss: open'], ['boss: open', 'kid: open']])
  expect(await statuses(store, 'run')).toEqual(['completed', 'completed'])
})

test('a child whose run above has ended without it is not among those that go on', async () => {
  const store = memoryStore()
  const clock = manualClock()
  const parts = { clock, ...mortal() }
  const later = tool({
    name: 'later',
    description: 'Comes back',
    toolClass: 'read',
    execute: (_args, context) => context.retryAfter(36_000_000),
  })
  const kid = make('kid', [calling('later'), 'done'], [later])
  const boss = make(
    'boss',
    [calling('kid', { input: 'x' }), 'done'],
    [agentTool(kid, { name: 'kid', description: 'Works' })],
    {
      store,
      parts,
    },
  )
  const session = await boss.startSession()
  const { run } = await session.run('go')
  const [call] = session.state.calls.values()
  const child = call?.children?.[0]?.session ?? ''
  await clock.advance(36_000_000)
  const { parts: all } = definitionOf(boss)
  expect(await goingOn(all, [child], fail)).toEqual([session.id])
  const journal = await Journal.open(store, session.id, clock)
  const outcome = { status: 'failed', code: 'interrupted', message: 'Left.', effect: 'none' } as const
  await journal.write(() => [
    { type: 'call.failed', call: call?.id ?? '', outcome, tries: 1, durationMs: 0 },
    { type: 'run.ended', run, status: 'cancelled', text: 'Stopped.' },
  ])
  expect(await goingOn(all, [child], fail)).toEqual([])
})

function fail({ error }: { readonly error: unknown }): never {
  throw error
}
