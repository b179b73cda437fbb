import { describe, expect, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  agent,
  type Runnable,
  type Store,
  scriptedModel,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const hourMs = 3_600_000

interface Office {
  readonly store: Store
  readonly clock: ReturnType<typeof manualClock>
  readonly start: (context: ToolContext, kid: Runnable) => unknown
  readonly first: 'rest' | 'question'
  readonly boss?: Partial<AgentConfig>
}

/** One process: a boss whose call starts a child that rests until a time, or asks until one. */
function office({ store, clock, start, first, boss = {} }: Office): Agent {
  const dueAt = manualClock().now() + hourMs
  const rest = tool({
    name: 'rest',
    description: 'Rests',
    toolClass: 'read',
    execute: (_args, context) => (clock.now() < dueAt ? context.retryAfter(hourMs) : 'rested'),
  })
  const question = tool({
    name: 'question',
    description: 'Asks',
    toolClass: 'read',
    yieldSchema: { type: 'string' },
    yieldTimeout: hourMs,
    yieldDefault: 'nothing',
  })
  const kid = agent({
    name: 'kid',
    model: scriptedModel([calling(first), 'kid done'], { fromHistory: true }),
    tools: [rest, question],
  })
  const go = tool({
    name: 'go',
    description: 'Goes',
    toolClass: 'read',
    execute: async (_args, context) => {
      await start(context, kid)
      return 'started'
    },
  })
  return agent({
    name: 'boss',
    model: scriptedModel([calling('go'), 'done'], { fromHistory: true }),
    tools: [go],
    agents: [kid],
    store,
    parts: { clock, ...mortal() },
    ...boss,
  })
}

const ways = {
  dispatch: (context: ToolContext, kid: Runnable) => context.dispatch(kid, { input: 'x' }),
  spawn: (context: ToolContext, kid: Runnable) => context.spawn(kid, { input: 'x' }),
} as const

/** Resumes what a look for due timers gives, as a worker does, and gives the sessions. */
async function work(made: Agent): Promise<readonly string[]> {
  const due = await made.runTimers()
  for (const id of due) await finish((await made.openSession(id)).resume())
  return due
}

async function childOf(store: Store): Promise<string> {
  const rows = await store.list({ kind: 'session' })
  return rows.find(({ data }) => data.root !== undefined)?.id ?? ''
}

async function settled(store: Store): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const rows = await store.list({ kind: 'run', status: ['waiting'] })
    if (rows.some(({ data }) => data.agent === 'kid')) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe.each(places)('over %s', (_kind, place) => {
  for (const way of ['dispatch', 'spawn'] as const) {
    for (const first of ['rest', 'question'] as const) {
      test(`a child by ${way} that waits with a ${first} after its run above has ended is given by its own session, until it has gone on`, async () => {
        await using where = place()
        const clock = manualClock()
        const process = () => office({ store: where.open(), clock, start: ways[way], first })
        const store = where.open()
        const session = await process().startSession()
        expect(await session.run('go')).toMatchObject({ status: 'completed' })
        await settled(store)
        const child = await childOf(store)
        expect(await process().runTimers()).toEqual([])
        await clock.advance(hourMs)
        expect(await process().runTimers()).toEqual([child])
        expect(await process().runTimers()).toEqual([child])
        expect(await work(process())).toEqual([child])
        const { state } = await process().openSession(child)
        expect([...state.runs.values()]).toMatchObject([{ ended: { status: 'completed', text: 'kid done' } }])
        expect(await process().runTimers()).toEqual([])
      })
    }
  }

  test('a child that a call waits for, and that its own time has stopped, lets the session at the top go on', async () => {
    await using where = place()
    const clock = manualClock()
    const start: Office['start'] = (context, kid) => context.run(kid, { input: 'x', timeoutMs: 1_000 })
    const process = () => office({ store: where.open(), clock, start, first: 'question' })
    const session = await process().startSession()
    expect(await session.run('go')).toMatchObject({ status: 'waiting' })
    await clock.advance(1_000)
    expect(await work(process())).toEqual([session.id])
    const { state } = await process().openSession(session.id)
    expect([...state.runs.values()]).toMatchObject([{ ended: { status: 'completed', text: 'done' } }])
    expect(await work(process())).toEqual([])
  })

  test('a run above a child that its own time has stopped is not given with it', async () => {
    await using where = place()
    const clock = manualClock()
    const start: Office['start'] = (context, kid) => context.run(kid, { input: 'x' })
    const boss = { timeoutMs: hourMs }
    const process = () => office({ store: where.open(), clock, start, first: 'rest', boss })
    const session = await process().startSession()
    await session.run('go')
    await clock.advance(hourMs)
    expect(await work(process())).toEqual([])
    const rows = await where.open().list({ kind: 'run' })
    expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })
})
