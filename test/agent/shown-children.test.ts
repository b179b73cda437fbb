import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  type ChildEvent,
  loop,
  memoryStore,
  parallel,
  type RunEvent,
  type RunResult,
  type Session,
  type Store,
  scriptedModel,
  sequence,
  suspend,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { exportCassette, findEventsByType, getToolCalls } from '../../src/testing.ts'
import { places } from '../support/places.ts'
import { calling } from '../support/play.ts'

type Shown = RunEvent | ChildEvent

function make(
  name: string,
  script: readonly ScriptStep[],
  tools: readonly Tool[] = [],
  over: Partial<AgentConfig> = {},
): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), tools, ...over })
}

function helping(helper: Agent, name = 'helper', parallel = false): Tool {
  return agentTool(helper, { name, description: 'Helps', parallel })
}

function working(execute: (context: ToolContext) => unknown): Tool {
  return tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    execute: (_args, context) => execute(context),
  })
}

const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen' })
const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

/** All that a stream gives, and the result. */
async function gathered(stream: AsyncGenerator<Shown, RunResult, undefined>) {
  const shown: Shown[] = []
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return { shown, result: next.value }
    shown.push(next.value)
  }
}

function below(shown: readonly Shown[]): ChildEvent[] {
  return shown.filter((event) => event.type === 'child.event')
}

const whose = ({ path }: ChildEvent) => path.map(({ agent: name }) => name).join('/')

/** The facts among what was shown of each session below, as they stand in a log. */
function factsBySession(shown: readonly Shown[]): Map<string, unknown[]> {
  const facts = new Map<string, unknown[]>()
  for (const { path, event } of below(shown)) {
    const session = path.at(-1)?.session ?? ''
    const list = facts.get(session) ?? []
    if ('sequence' in event) list.push(event)
    facts.set(session, list)
  }
  return facts
}

async function logOf(store: Store, session: string): Promise<unknown[]> {
  const log = await store.read(`session:${session}`)
  return log.map(({ event, sequence, at }) => ({ ...event, sequence, at }))
}

/** What was shown of each session below is its whole log, each event once and in order. */
async function expectWhole(store: Store, shown: readonly Shown[], sessions: number): Promise<void> {
  const facts = factsBySession(shown)
  expect(facts.size).toBe(sessions)
  for (const [session, given] of facts) expect(given).toEqual(await logOf(store, session))
}

describe.each(places)('a stream that shows child runs, over %s', (_name, place) => {
  test('gives each event of two levels once, behind the path of its run, its words included', async () => {
    await using shared = place()
    const store = shared.open()
    const scout = make('scout', [calling('look'), 'It is 12.'], [look])
    const clerk = make(
      'clerk',
      [calling('scout', { input: 'how much?' }), 'Twelve.'],
      [helping(scout, 'scout')],
    )
    const boss = make('boss', [calling('clerk', { input: 'find out' }), 'Done.'], [helping(clerk, 'clerk')], {
      store,
    })
    const session = await boss.startSession()
    const { shown, result } = await gathered(session.stream('go', { children: true }))
    expect(result.status).toBe('completed')
    await expectWhole(store, shown, 2)
    expect(new Set(below(shown).map(whose))).toEqual(new Set(['clerk', 'clerk/scout']))
    const [first] = below(shown).filter((event) => event.path.length === 2)
    const [outer, inner] = first?.path ?? []
    const [call] = session.state.calls.keys()
    expect(outer).toEqual({ agent: 'clerk', session: `${call}.0`, run: `${call}.0.run`, call })
    expect(inner?.session).toBe(`${inner?.call}.0`)
    const words = below(shown).flatMap((event) =>
      event.event.type === 'text.delta' ? [`${whose(event)}: ${event.event.delta}`] : [],
    )
    expect(words.filter((each) => each.startsWith('clerk/scout:')).join('')).toContain('12.')
    // The run's own events are what they are without the option.
    const own = shown.filter((event) => event.type !== 'child.event' && 'sequence' in event)
    expect(own).toEqual((await logOf(store, session.id)).slice(1))
  })

  test('shows a child only behind the event that names it, and its end before the call that waited', async () => {
    await using shared = place()
    const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(make('kid', ['ok']))], {
      store: shared.open(),
    })
    const { shown } = await gathered((await boss.startSession()).stream('go', { children: true }))
    const types = shown.map((event) => (event.type === 'child.event' ? `> ${event.event.type}` : event.type))
    expect(types.indexOf('child.started')).toBeLessThan(types.indexOf('> session.started'))
    expect(types.indexOf('> run.ended')).toBeLessThan(types.indexOf('call.completed'))
  })

  test('shows the ask of a child with its path, and what became of it when the run is resumed', async () => {
    await using shared = place()
    const store = shared.open()
    const kid = make('kid', [calling('pay'), 'It is paid.'], [pay])
    const boss = make('boss', [calling('helper', { input: 'pay' }), 'Done.'], [helping(kid)], {
      store,
      approvals: () => suspend(),
    })
    const session = await boss.startSession()
    const first = await gathered(session.stream('go', { children: true }))
    expect(first.result.status).toBe('waiting')
    const [ticket = ''] = first.result.tickets
    const [asked] = below(first.shown).filter(({ event }) => event.type === 'approval.requested')
    expect(asked).toMatchObject({ path: [{ agent: 'kid' }], event: { ticket } })
    await session.decide(ticket, { approved: true })
    const second = await gathered(session.resume({ children: true }))
    expect(second.result.status).toBe('completed')
    const types = below(second.shown).map(({ event }) => event.type)
    expect(types).toContain('call.completed')
    expect(types).not.toContain('session.started')
  })

  test('shows what another process wrote while the child rested and the run above did not', async () => {
    await using shared = place()
    const store = shared.open()
    const kid = make('kid', [calling('pay'), 'It is paid.'], [pay])
    const { promise: decided, resolve: goOn } = Promise.withResolvers<void>()
    const slow = tool({
      name: 'slow',
      description: 'Takes long',
      toolClass: 'read',
      parallel: true,
      execute: async () => await decided,
    })
    const boss = make(
      'boss',
      [{ calls: [{ name: 'helper', args: { input: 'pay' } }, { name: 'slow' }] }, 'Done.'],
      [helping(kid, 'helper', true), slow],
      { store, approvals: () => suspend() },
    )
    const session = await boss.startSession()
    const shown: Shown[] = []
    const stream = session.stream('go', { children: true })
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
      shown.push(next.value)
      if (next.value.type !== 'call.rested') continue
      const elsewhere = make('boss', [], [helping(kid)], { store: shared.open() })
      const [ask] = below(shown).flatMap(({ event }) => (event.type === 'approval.requested' ? [event] : []))
      await elsewhere.decide(ask?.ticket ?? '', { approved: true }, { id: 'anna', method: 'test' })
      goOn()
    }
    await expectWhole(store, shown, 1)
    expect(below(shown).map(({ event }) => event.type)).toContain('approval.decided')
  })

  test('shows the agents of flows, and those that a tool spawns', async () => {
    await using shared = place()
    const store = shared.open()
    const echo = (name: string) => agent({ name, model: scriptedModel(() => name) })
    const flow = sequence({
      name: 'flow',
      steps: [
        echo('draft'),
        loop({ name: 'again', body: echo('body'), timesMax: 2 }),
        parallel({ name: 'check', branches: { facts: echo('facts'), tone: echo('tone') } }),
      ],
    })
    const kid = echo('kid')
    const boss = make(
      'boss',
      [calling('flow', { input: 'x' }), calling('work'), 'Done.'],
      [
        helping(flow, 'flow'),
        working(async (context) => (await context.spawn(kid, { input: 'x' }).wait()).text),
      ],
      { store },
    )
    const { shown } = await gathered((await boss.startSession()).stream('go', { children: true }))
    await expectWhole(store, shown, 9)
    expect([...new Set(below(shown).map(whose))].sort()).toEqual([
      'flow',
      'flow/again',
      'flow/again/body',
      'flow/check',
      'flow/check/facts',
      'flow/check/tone',
      'flow/draft',
      'kid',
    ])
  })
})

test('of children that run at once, each keeps its own order, and each event comes once', async () => {
  const steps = fc.array(fc.constantFrom('look', 'save', 'both'), { maxLength: 4 })
  const property = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 5 }), async (children) => {
    const store = memoryStore()
    const save = tool({ name: 'save', description: 'Saves', toolClass: 'write', execute: () => 'saved' })
    const callsOf = (step: string) =>
      step === 'both' ? { calls: [{ name: 'look' }, { name: 'save' }] } : calling(step)
    const kids = children.map((script, index) =>
      make(`kid${index}`, [...script.map(callsOf), 'ok'], [look, save]),
    )
    const tools = kids.map((kid) => helping(kid, kid.name, true))
    const calls = kids.map(({ name }) => ({ name, args: { input: 'go' } }))
    const boss = make('boss', [{ calls }, 'Done.'], tools, { store })
    const { shown } = await gathered((await boss.startSession('auto')).stream('go', { children: true }))
    await expectWhole(store, shown, kids.length)
  })
  await fc.assert(property, { numRuns: 40 })
})

test('nothing of a child is shown before it is stored, nor its words before what came before them', async () => {
  const inner = memoryStore()
  const stored = new Map<string, number>()
  const append: Store['append'] = async (batch) => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    const result = await inner.append(batch)
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (const { stream, after, events } of batch.streams) stored.set(stream, after + events.length)
    return result
  }
  const store = new Proxy(inner, {
    get: (target, key) => {
      const value: unknown = key === 'append' ? append : Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const save = tool({ name: 'save', description: 'Saves', toolClass: 'write', execute: () => 'saved' })
  const kid = make('kid', [calling('look'), calling('save'), 'all is well'], [look, save])
  const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(kid)], { store })
  const stream = (await boss.startSession('auto')).stream('go', { children: true })
  let seen = 0
  for await (const given of stream) {
    if (given.type !== 'child.event') continue
    const session = given.path.at(-1)?.session
    if ('sequence' in given.event) seen = given.event.sequence
    expect(stored.get(`session:${session}`)).toBeGreaterThanOrEqual(seen)
  }
  expect(seen).toBeGreaterThan(10)
})

test('without the option nothing of a child is shown, and no reader of it is made', async () => {
  const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(make('kid', ['ok']))])
  const session = await boss.startSession()
  const { shown } = await gathered(session.stream('go'))
  const { shown: off } = await gathered(session.stream('go', { children: false }))
  expect(below([...shown, ...off])).toEqual([])
  expect(shown.some(({ type }) => type === 'child.started')).toBe(true)
})

test('a reader who leaves at an event of a child stops the whole tree', async () => {
  const store = memoryStore()
  let signal: AbortSignal | undefined
  const hang = working((context) => {
    signal = context.signal
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(new Error('stopped')))
    })
  })
  const kid = make('kid', [calling('work'), 'ok'], [hang])
  const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(kid)], { store })
  const session = await boss.startSession()
  for await (const event of session.stream('go', { children: true }))
    if (event.type === 'child.event' && event.event.type === 'call.proposed') break
  expect(signal === undefined || signal.aborted).toBe(true)
  expect([...session.state.runs.values()].at(-1)?.ended?.status).toBe('cancelled')
  const [call] = session.state.calls.keys()
  const child = await boss.openSession(`${call}.0`)
  expect(child.state.runs.get(`${call}.0.run`)?.ended?.status).toBe('cancelled')
})

test('a child that was dispatched is shown until the stream ends, and goes on unseen', async () => {
  const store = memoryStore()
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  const stay = working(async () => await freed)
  const kid = make('kid', [calling('work'), 'ok'], [stay])
  const letting = working(async (context) => (await context.dispatch(kid, { input: 'x' })).session)
  const boss = make('boss', [calling('work'), 'Done.'], [letting], { store })
  const session = await boss.startSession()
  const { shown, result } = await gathered(session.stream('go', { children: true }))
  expect(result.status).toBe('completed')
  const types = below(shown).map(({ event }) => event.type)
  expect(types).toContain('run.started')
  expect(types).not.toContain('run.ended')
  free()
  const [call] = session.state.calls.keys()
  await expect
    .poll(async () => (await boss.openSession(`${call}.0`)).state.runs.get(`${call}.0.run`)?.ended?.status)
    .toBe('completed')
})

test('keys that a child keeps inside are not shown', async () => {
  const writing = working(({ state }) => {
    state.update({ secret: 1, open: 2 })
  })
  const kid = make('kid', [calling('work'), 'ok'], [writing], { state: { private: ['secret'] } })
  const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(kid)])
  const { shown } = await gathered((await boss.startSession()).stream('go', { children: true }))
  expect(JSON.stringify(shown)).toContain('"open"')
  expect(JSON.stringify(shown)).not.toContain('secret')
})

test('finders and cassettes take what was shown, and keep to the events of the session', async () => {
  const kid = make('kid', [calling('look'), 'ok'], [look])
  const boss = make('boss', [calling('helper', { input: 'x' }), 'Done.'], [helping(kid)])
  const session = await boss.startSession()
  const [started] = await session.events()
  const { shown } = await gathered(session.stream('go', { children: true }))
  expect(getToolCalls(shown).map(({ name }) => name)).toEqual(['helper'])
  expect(findEventsByType(shown, 'run.ended')).toHaveLength(1)
  if (started === undefined) throw new Error('The session has no first event.')
  expect(await exportCassette([started, ...shown])).toEqual(await exportCassette(await session.events()))
})

test('the option is true or false, and only where somebody looks on', async () => {
  const session = await make('boss', ['ok']).startSession()
  const wrong = { children: 'yes' } as unknown as { children: true }
  expect(() => session.stream('go', wrong)).toThrow(/"children" must be true or false/)
  expect(() => session.resume(wrong)).toThrow(/"children" must be true or false/)
  await expect(session.run('go', { children: true } as object)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  })
})

test('the types say what a stream gives: events of children only where they were asked for', () => {
  type Given<Stream> = Stream extends AsyncGenerator<infer Event, RunResult, undefined> ? Event : never
  const streams = (session: Session) => ({
    plain: session.stream('x', { timeoutMs: 1 }),
    off: session.resume({ children: false }),
    on: session.stream('x', { children: true }),
    either: session.resume({ children: Math.random() > 2 }),
  })
  type Streams = ReturnType<typeof streams>
  expectTypeOf<Given<Streams['plain']>>().toEqualTypeOf<RunEvent>()
  expectTypeOf<Given<Streams['off']>>().toEqualTypeOf<RunEvent>()
  expectTypeOf<Given<Streams['on']>>().toEqualTypeOf<RunEvent | ChildEvent>()
  expectTypeOf<Given<Streams['either']>>().toEqualTypeOf<RunEvent | ChildEvent>()
  expectTypeOf<ChildEvent['event']>().toEqualTypeOf<RunEvent>()
})
