import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/core/limits.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  memoryStore,
  parallel,
  type Runnable,
  type Store,
  scriptedModel,
  sequence,
  suspend,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { Journal, sessionStream } from '../../src/runtime/journal.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'
import { within } from '../support/within.ts'

const by = { id: 'ann', method: 'test' }

function make(name: string, script: readonly ScriptStep[], over: Partial<AgentConfig> = {}): Agent {
  return agent({ name, model: scriptedModel([...script], { fromHistory: true }), ...over })
}

/** Two questions after each other, or a thing that somebody has to allow and a question. */
function asking(name: string, first: 'question' | 'pay', entered: string[]): Agent {
  const question = tool({
    name: 'question',
    description: 'Asks',
    toolClass: 'read',
    yieldSchema: { type: 'string' },
    execute: (_args, { input }) => {
      entered.push(`${name}: ${input}`)
      return input
    },
  })
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    execute: () => {
      entered.push(`${name} paid`)
      return 'paid'
    },
  })
  return make(name, [calling(first), calling('question'), `${name} done`], { tools: [question, pay] })
}

/** A call whose function starts an agent. */
function starting(start: (context: ToolContext) => unknown, entered: string[], over: object = {}) {
  return tool({
    name: 'go',
    description: 'Goes',
    toolClass: 'read',
    execute: async (_args, context) => {
      entered.push('go')
      return await start(context)
    },
    ...over,
  })
}

interface Office {
  readonly store: Store
  readonly entered: string[]
  readonly first: 'question' | 'pay'
  readonly over?: Partial<AgentConfig>
}

type MakeOffice = (office: Office) => Agent

function bossOf(kid: Runnable, how: 'tool' | 'run' | 'spawn', { store, entered, over }: Office): Agent {
  const start = async (context: ToolContext) => {
    if (how === 'run') return (await context.run(kid, { input: 'x' })).text
    return (await context.spawn(kid, { input: 'x' }).wait()).text
  }
  const go = how === 'tool' ? agentTool(kid, { name: 'go', description: 'Goes' }) : starting(start, entered)
  const call = calling('go', how === 'tool' ? { input: 'x' } : {})
  return make('boss', [call, 'boss done'], { tools: [go], agents: [kid], store, parts: mortal(), ...over })
}

function nested(office: Office, how: 'tool' | 'run'): Agent {
  const kid = asking('kid', office.first, office.entered)
  const over = { parts: mortal(), ...office.over }
  const go = agentTool(kid, { name: 'go', description: 'Goes' })
  const second = make('second', [calling('go', { input: 'x' }), 'second done'], { tools: [go] })
  return bossOf(second, how, { ...office, over })
}

function flowOf(kind: 'sequence' | 'parallel', { store, entered, first, over }: Office): Agent {
  const options = { name: 'flow', store, parts: mortal(), ...over } as const
  if (kind === 'sequence') return sequence({ ...options, steps: [asking('kid', first, entered)] })
  const branches = { one: asking('one', first, entered), two: asking('two', first, entered) }
  return parallel({ ...options, branches })
}

const offices: Readonly<Record<string, MakeOffice>> = {
  'a tool that is an agent': (office) => bossOf(asking('kid', office.first, office.entered), 'tool', office),
  'context.run': (office) => bossOf(asking('kid', office.first, office.entered), 'run', office),
  'context.spawn that is waited for': (office) =>
    bossOf(asking('kid', office.first, office.entered), 'spawn', office),
  'three levels of agents': (office) => nested(office, 'tool'),
  'three levels with context.run': (office) => nested(office, 'run'),
  'a sequence': (office) => flowOf('sequence', office),
  'two branches': (office) => flowOf('parallel', office),
  'a flow in an agent': (office) =>
    bossOf(sequence({ name: 'kid', steps: [asking('one', office.first, office.entered)] }), 'tool', office),
}

/** Everything that stands in a store, session by session. */
async function logs(store: Store): Promise<Record<string, number>> {
  const rows = await store.list({ kind: 'session' })
  const read = async (id: string) => [id, (await store.read(sessionStream(id))).length] as const
  const found = Object.fromEntries(await Promise.all(rows.map(({ id }) => read(id))))
  expect(Object.values(found).every((length) => length > 0)).toBe(true)
  return found
}

async function poll(made: Agent, session: string, how: 'resume' | 'resumeOpen' | 'runTimers'): Promise<void> {
  if (how === 'runTimers') expect(await made.runTimers()).toEqual([])
  else if (how === 'resume')
    expect((await finish((await made.openSession(session)).resume())).status).toBe('waiting')
  else for (const run of await made.resumeOpen()) expect(run.status).toBe('waiting')
}

const looks = fc.array(
  fc.record({
    how: fc.constantFrom('resume', 'resumeOpen', 'runTimers'),
    process: fc.constantFrom('new', 'other'),
  }),
  { maxLength: 4 },
)

/** Answers everything, one ask after another, with looks in between; gives the result and what was entered. */
async function play(
  store: Store,
  makeOffice: MakeOffice,
  first: Office['first'],
  looking: readonly (typeof looks extends fc.Arbitrary<infer Looks> ? Looks : never)[],
) {
  const entered: string[] = []
  const over = { approvals: () => suspend(), inputs: () => suspend() }
  const start = () => makeOffice({ store, entered, first, over })
  const other = start()
  const session = await start().startSession()
  let result = await session.run('x')
  for (let round = 0; result.status === 'waiting'; round += 1) {
    const before = await logs(store)
    const seen = entered.length
    for (const { how, process } of looking[round % Math.max(1, looking.length)] ?? [])
      await poll(process === 'new' ? start() : other, session.id, how)
    expect(await logs(store)).toEqual(before)
    expect(entered).toHaveLength(seen)
    const [ask = ''] = result.tickets
    const [row] = (await store.list({ kind: 'ticket', status: 'open' })).filter(({ id }) => id === ask)
    if (row?.data.kind === 'input') await start().answer(ask, 'yes', by)
    else await start().decide(ask, { approved: true }, by)
    result = await finish((await start().openSession(session.id)).resume())
  }
  return { result: { status: result.status, text: result.text }, entered: entered.toSorted() }
}

describe.each(places)('looks at a tree that waits, over %s', (kind, place) => {
  test.each(Object.entries(offices))(
    'however many and by whomever, write nothing in any log and change no result: %s',
    async (_name, makeOffice) => {
      const property = fc.asyncProperty(
        fc.constantFrom('question', 'pay'),
        fc.array(looks, { minLength: 1, maxLength: 3 }),
        async (first, looking) => {
          await using polled = place()
          const after = await play(polled.open(), makeOffice, first, looking)
          expect(after).toEqual(await play(memoryStore(), makeOffice, first, []))
          expect(after.result.status).toBe('completed')
        },
      )
      await fc.assert(property, { numRuns: kind === 'memory' ? 5 : 2 })
    },
  )
})

/** What a process has that answers: how often it was asked about what. */
function answering(answer: boolean) {
  const asked: string[] = []
  const over: Partial<AgentConfig> = {
    approvals: ({ id }) => {
      asked.push(id)
      return answer ? { approved: true } : suspend()
    },
    inputs: ({ id }) => {
      asked.push(id)
      return answer ? 'yes' : suspend()
    },
  }
  return { asked, over }
}

describe.each(places)('who takes a waiting tree up with handlers of his own, over %s', (_kind, place) => {
  test.each(Object.entries(offices))(
    'has each ask brought before them once, and goes on with what they answer: %s',
    async (_name, makeOffice) => {
      await using where = place()
      const leaving = answering(false)
      const facts = { entered: [], first: 'pay' as const }
      const session = await makeOffice({ store: where.open(), ...facts, over: leaving.over }).startSession()
      await session.run('x')
      const before = await logs(where.open())
      const asks = leaving.asked.length
      await makeOffice({ store: where.open(), ...facts, over: leaving.over }).resumeOpen()
      const wasAsked = leaving.asked.slice(0, asks)
      expect(leaving.asked.slice(asks).toSorted()).toEqual(wasAsked.toSorted())
      expect(await logs(where.open())).toEqual(before)
      const { asked, over } = answering(true)
      const other = makeOffice({ store: where.open(), ...facts, over })
      expect(await other.resumeOpen()).toMatchObject([{ status: 'completed' }])
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked).toEqual(expect.arrayContaining(leaving.asked))
    },
  )

  test('enters a call once for a child that nothing names, and its ask comes before them', async () => {
    await using where = place()
    const entered: string[] = []
    const office = (over: Partial<AgentConfig>) => {
      const kid = asking('kid', 'pay', [])
      const go = starting(async (context) => (await context.run(kid, { input: 'x' })).text, entered)
      const facts = { tools: [go], store: where.open(), parts: mortal(), ...over }
      return make('boss', [calling('go'), 'boss done'], facts)
    }
    const { asked, over } = answering(false)
    const session = await office(over).startSession()
    await session.run('x')
    const other = office(over)
    for (let look = 0; look < 3; look += 1) await poll(other, session.id, 'resume')
    expect(entered).toHaveLength(2)
    expect(asked).toHaveLength(4)
  })

  test('does not enter a call for a question of a child that nothing names, where nobody answers questions', async () => {
    await using where = place()
    const entered: string[] = []
    const office = () => {
      const kid = asking('kid', 'question', [])
      const go = starting(async (context) => (await context.run(kid, { input: 'x' })).text, entered)
      const facts = { tools: [go], store: where.open(), parts: mortal() }
      return make('boss', [calling('go'), 'boss done'], facts)
    }
    const session = await office().startSession()
    await session.run('x')
    const before = await logs(where.open())
    for (let look = 0; look < 3; look += 1) await poll(office(), session.id, 'resumeOpen')
    expect(entered).toHaveLength(1)
    expect(await logs(where.open())).toEqual(before)
  })

  test('closes a question below whose time is over, though nobody has looked for timers', async () => {
    await using where = place()
    const clock = manualClock()
    const office = () => {
      const question = tool({
        name: 'question',
        description: 'Asks',
        toolClass: 'read',
        yieldSchema: { type: 'string' },
        yieldTimeout: 1_000,
        yieldDefault: 'nothing',
      })
      const kid = make('kid', [calling('question'), 'kid done'], { tools: [question] })
      const go = starting(async (context) => (await context.run(kid, { input: 'x' })).text, [])
      const facts = { tools: [go], store: where.open(), parts: { clock, ...mortal() } }
      return make('boss', [calling('go'), 'boss done'], facts)
    }
    const session = await office().startSession()
    expect((await session.run('x')).status).toBe('waiting')
    await poll(office(), session.id, 'resumeOpen')
    await clock.advance(1_000)
    expect(await office().resumeOpen()).toMatchObject([{ status: 'completed', text: 'boss done' }])
  })

  test('ends a waiting call of a tool that is another one now', async () => {
    await using where = place()
    const office = (description: string) => {
      const kid = asking('kid', 'question', [])
      const facts = {
        store: where.open(),
        parts: mortal(),
        tools: [agentTool(kid, { name: 'go', description })],
      }
      return make('boss', [calling('go', { input: 'x' }), 'boss done'], facts)
    }
    const session = await office('Goes').startSession()
    await session.run('x')
    expect(await office('Goes otherwise').resumeOpen()).toMatchObject([{ status: 'completed' }])
    const { state } = await office('Goes').openSession(session.id)
    expect([...state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'interrupted' })
    expect(await where.open().list({ kind: 'ticket', status: 'open' })).toEqual([])
  })

  test('holds a child that goes on by an answer to the time of the call', async () => {
    await using where = place()
    const clock = manualClock()
    const office = (over: Partial<AgentConfig>) => {
      const pay = tool({
        name: 'pay',
        description: 'Pays',
        toolClass: 'external',
        execute: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
          }),
      })
      const kid = make('kid', [calling('pay'), 'kid done'], { tools: [pay] })
      const go = agentTool(kid, { name: 'go', description: 'Goes', timeout: 1_000 })
      const facts = { tools: [go], store: where.open(), parts: { clock, ...mortal() }, ...over }
      return make('boss', [calling('go', { input: 'x' }), 'boss done'], facts)
    }
    const session = await office(answering(false).over).startSession()
    expect((await session.run('x')).status).toBe('waiting')
    const [run] = await within([clock], office(answering(true).over).resumeOpen())
    expect(run).toMatchObject({ status: 'completed', text: 'boss done' })
    const { state } = await office({}).openSession(session.id)
    expect([...state.calls.values()][0]?.end).toMatchObject({ status: 'failed', code: 'timed_out' })
  })

  test('writes nothing while another process is at work in the child alone', async () => {
    await using where = place()
    const clock = manualClock()
    const began = Promise.withResolvers<void>()
    const paid = Promise.withResolvers<string>()
    const office = (name: string) => {
      const execute = () => {
        began.resolve()
        return paid.promise
      }
      const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute })
      const kid = make('kid', [calling('pay'), 'kid done'], { tools: [pay] })
      const over = { approvals: () => suspend(), parts: { clock, owner: { name, hasEnded: () => false } } }
      return bossOf(kid, 'tool', { store: where.open(), entered: [], first: 'pay', over })
    }
    const session = await office('first').startSession()
    const { tickets } = await session.run('x')
    await office('first').decide(tickets[0] ?? '', { approved: true }, by)
    const child = Object.keys(await logs(where.open())).find((id) => id !== session.id) ?? ''
    const working = finish((await office('worker').openSession(child)).resume())
    await began.promise
    const before = await logs(where.open())
    for (let look = 0; look < 2; look += 1)
      await within([clock], poll(office(`third ${look}`), session.id, 'resume'))
    expect(await logs(where.open())).toEqual(before)
    paid.resolve('paid')
    await working
    expect(await office('third').resumeOpen()).toMatchObject([{ status: 'completed', text: 'boss done' }])
  })
})

test.each(places)(
  'a call that waits for an answer below may be entered more often than one is put off, over %s',
  async (_kind, place) => {
    await using where = place()
    const entered: string[] = []
    const office = () => {
      const kid = asking('kid', 'pay', [])
      const go = starting(async (context) => (await context.run(kid, { input: 'x' })).text, entered)
      const facts = { tools: [go], store: where.open(), parts: mortal(), approvals: () => suspend() }
      return make('boss', [calling('go'), 'boss done'], facts)
    }
    const session = await office().startSession()
    const { tickets } = await session.run('x')
    const log = (await session.events()).map(({ event }) => event)
    const started = log.find((event) => event.type === 'call.started') ?? expect.fail()
    const rested = log.find((event) => event.type === 'call.rested') ?? expect.fail()
    const claims = Array.from({ length: limits.claimsMax }, (_, index) => ({
      ...started,
      attempt: index + 2,
    }))
    const journal = await Journal.open(where.open(), session.id, manualClock())
    await journal.write(() => claims.flatMap((claim) => [claim, rested]))
    await poll(office(), session.id, 'resume')
    expect(entered).toHaveLength(2)
    await office().decide(tickets[0] ?? '', { approved: true }, by)
    const again = await finish((await office().openSession(session.id)).resume())
    expect(again).toMatchObject({ status: 'waiting', tickets: [expect.any(String)] })
  },
)
