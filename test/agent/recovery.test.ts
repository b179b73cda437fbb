import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  agent,
  type Event,
  memoryStore,
  type Reconciliation,
  type RunEvent,
  type RunResult,
  type Store,
  scriptedModel,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { calling } from '../support/play.ts'

async function finish(stream: AsyncGenerator<RunEvent, RunResult, undefined>): Promise<RunResult> {
  let next = await stream.next()
  while (!next.done) next = await stream.next()
  return next.value
}

interface Plan {
  readonly crashAt: Event['type']
  readonly when: 'before' | 'after'
  readonly over?: object
  readonly mode?: 'ask' | 'auto'
  /** What the tool is like after the restart, where it differs. */
  readonly later?: object
}

/** Runs one call of `pay` to the crash, then resumes in a second process over the same store. */
async function crashAndResume({ crashAt, when, mode = 'auto', over = {}, later = {} }: Plan) {
  const store = memoryStore()
  const effects: string[] = []
  const make = (use: Store, extra: object) => {
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      toolClass: 'write',
      schema: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
      execute: (_args, { callId }) => {
        effects.push(callId)
        return 'paid'
      },
      ...over,
      ...extra,
    })
    const model = scriptedModel([calling('pay', { amount: 4 }), calling('pay', { amount: 4 }), 'done'], {
      fromHistory: true,
    })
    const owner = { name: `owner-${Math.random()}`, hasEnded: () => true }
    return agent({
      name: 'a',
      model,
      tools: [pay],
      store: use,
      parts: { owner },
      approvals: () => ({ approved: true }),
    })
  }
  const { store: crashing, crashed } = crashingStore(store, crashAt, when)
  const session = await make(crashing, {}).startSession(mode)
  session.run('go').catch(() => undefined)
  await crashed
  const resumed = await make(store, later).openSession(session.id)
  const result = await finish(resumed.resume())
  return { effects, result, session: resumed, calls: [...resumed.state.calls.values()], store }
}

test('a crash before the claim: nothing had run, and it runs once', async () => {
  const { effects, result } = await crashAndResume({
    crashAt: 'call.started',
    when: 'before',
    over: { dedupe: 'run' },
  })
  expect(effects).toHaveLength(2)
  expect(result.status).toBe('completed')
})

test('a crash between start and outcome leaves the call uncertain: it is told to the model and not run again', async () => {
  const { effects, calls, result } = await crashAndResume({ crashAt: 'call.completed', when: 'before' })
  expect(effects).toHaveLength(1)
  expect(calls[0]?.end).toMatchObject({ status: 'failed', code: 'interrupted', effect: 'uncertain' })
  expect(result.status).toBe('completed')
})

test('the same call is refused until the uncertain one is reconciled', async () => {
  const { calls, session, store } = await crashAndResume({ crashAt: 'call.completed', when: 'before' })
  expect(calls[1]?.end).toMatchObject({
    status: 'refused',
    code: 'uncertain_earlier',
    message: expect.stringContaining(calls[0]?.id as string),
  })
  expect(await store.list({ kind: 'call', status: 'uncertain' })).toHaveLength(1)
  await session.reconcile(calls[0]?.id as string, 'not_run', { note: 'the bank knows nothing of it' })
  expect(await store.list({ kind: 'call', status: 'uncertain' })).toHaveLength(0)
  expect(session.state.uncertain.size).toBe(0)
  const { results } = await session.step({ calls: [{ name: 'pay', arguments: { amount: 4 } }] })
  expect(results[0]).toMatchObject({ status: 'completed', text: 'paid' })
  await expect(session.reconcile(calls[0]?.id as string, 'failed')).rejects.toMatchObject({
    code: 'CALL_NOT_UNCERTAIN',
  })
})

test.each([
  ['completed', { found: 'completed', value: 'paid before' }, 'paid before', 1],
  ['failed', { found: 'failed', message: 'no money' }, 'no money', 1],
  ['not_run', { found: 'not_run' }, 'paid', 2],
] as [string, Reconciliation, string, number][])(
  'a tool that can look says what became of the call: %s',
  async (_name, found, text, count) => {
    const { effects, calls } = await crashAndResume({
      crashAt: 'call.completed',
      when: 'before',
      over: { reconcile: () => found, dedupe: 'run' },
    })
    expect(JSON.stringify(calls[0]?.end)).toContain(text)
    expect(effects.filter((call) => call === calls[0]?.id)).toHaveLength(count)
  },
)

test('a look that throws or answers nonsense leaves the call uncertain', async () => {
  const boom = () => {
    throw new Error('bank closed')
  }
  for (const reconcile of [boom, () => 'perhaps']) {
    const { calls } = await crashAndResume({ crashAt: 'call.completed', when: 'before', over: { reconcile } })
    expect(calls[0]?.end).toMatchObject({ effect: 'uncertain' })
  }
})

test('a repeatable tool and a read run again after a crash, under a new claim of the same call', async () => {
  const slowRead = {
    toolClass: 'read',
    execute: async (_args: unknown, { callId }: { callId: string }) => {
      effects.push(callId)
      await turn()
      await turn()
      return 'seen'
    },
  }
  const effects: string[] = []
  for (const over of [{ repeatable: true }, slowRead]) {
    const crashed = await crashAndResume({ crashAt: 'call.completed', when: 'before', over })
    const [first] = crashed.calls
    const ran = [...crashed.effects, ...effects]
    expect(ran.filter((call) => call === first?.id)).toHaveLength(2)
    expect(first).toMatchObject({ attempt: 2, end: { status: 'completed' } })
    const started = (await crashed.session.events()).filter(
      ({ event }) => event.type === 'call.started' && event.call === first?.id,
    )
    expect(started.map(({ event }) => event)).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  }
})

test('a read that was over before its start was stored leaves no trace: the model is asked again', async () => {
  const crashed = await crashAndResume({
    crashAt: 'call.completed',
    when: 'before',
    over: { toolClass: 'read' },
  })
  expect(crashed.calls.map(({ end }) => end)).toMatchObject([
    { status: 'completed' },
    { status: 'completed' },
  ])
  expect(crashed.effects.length).toBeGreaterThan(2)
  expect(crashed.effects.slice(-2)).toEqual(crashed.calls.map(({ id }) => id))
  expect(crashed.result.status).toBe('completed')
})

test('a tool that changed while its call waited to start is not run with what was decided before', async () => {
  const { effects, calls } = await crashAndResume({
    crashAt: 'call.started',
    when: 'before',
    mode: 'ask',
    later: { description: 'Pays twice' },
  })
  expect(calls[0]?.end).toMatchObject({ status: 'refused', code: 'tool_changed' })
  expect(effects.filter((call) => call === calls[0]?.id)).toEqual([])
})

test('an owner that lost its session makes no further claim', async () => {
  const store = memoryStore()
  const effects: string[] = []
  let reached: () => void = () => undefined
  let goOn: () => void = () => undefined
  const atTool = new Promise<void>((resolve) => {
    reached = resolve
  })
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const make = (name: string) => {
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      toolClass: 'write',
      schema: { type: 'object', properties: { n: { type: 'integer' } } },
      execute: async ({ n }) => {
        effects.push(`${name} ${n}`)
        if (name === 'one') {
          reached()
          await held
        }
        return 'done'
      },
    })
    const step = { calls: [1, 2].map((n) => ({ name: 'slow', args: { n } })) }
    const owner = { name, hasEnded: () => true }
    return agent({
      name: 'a',
      model: scriptedModel([step, 'done'], { fromHistory: true }),
      tools: [slow],
      store,
      parts: { owner },
    })
  }
  const first = await make('one').startSession('auto')
  const running = first.run('go')
  await atTool
  const second = await make('two').openSession(first.id)
  expect((await finish(second.resume())).status).toBe('completed')
  goOn()
  // The run was ended by the owner that followed; the first one finds that in the log and claims nothing more.
  expect((await running).status).toBe('completed')
  expect(effects).toEqual(['one 1', 'two 2'])
  const [call] = second.state.calls.values()
  expect(call?.end).toMatchObject({ effect: 'uncertain' })
  const late = (await second.events()).filter(({ event }) => event.type === 'call.late')
  expect(late).toHaveLength(1)
})

test('a session that has nothing open says so when it is resumed', async () => {
  const session = await agent({ name: 'a', model: scriptedModel(['hi']) }).startSession()
  await session.run('go')
  await expect(finish(session.resume())).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
})

test('with onUncertain fail the run ends as uncertain; with pause it rests until the call is reconciled', async () => {
  const slow = (clock: ReturnType<typeof manualClock>) =>
    tool({
      name: 'pay',
      description: 'Pays',
      toolClass: 'write',
      timeout: 10,
      execute: () => clock.sleep(60_000),
    })
  const play = async (onUncertain: 'pause' | 'fail') => {
    const clock = manualClock()
    const model = scriptedModel([calling('pay'), 'done'])
    const made = agent({ name: 'a', model, tools: [slow(clock)], parts: { clock }, onUncertain })
    const session = await made.startSession('auto')
    const running = session.run('go')
    await clock.advance(1_000)
    return { session, result: await running }
  }
  expect((await play('fail')).result.status).toBe('uncertain')
  const { session, result } = await play('pause')
  expect(result).toMatchObject({ status: 'waiting', tickets: [] })
  await session.reconcile([...session.state.calls.keys()][0] as string, 'completed')
  expect(await finish(session.resume())).toMatchObject({ status: 'completed', text: 'done' })
})

test('one session is driven once at a time, within one process as well', async () => {
  const session = await agent({ name: 'a', model: scriptedModel(['one', 'two']) }).startSession()
  const [first, second] = await Promise.allSettled([session.run('go'), session.run('go too')])
  expect(first).toMatchObject({ status: 'fulfilled', value: { status: 'completed' } })
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'SESSION_BUSY' } })
  expect((await session.run('again')).text).toBe('two')
})

test('a run with a call that a crash left can be stopped at once: the call is uncertain, the run cancelled', async () => {
  const store = memoryStore()
  const make = (use: Store) => {
    const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'write', execute: () => 'paid' })
    const owner = { name: `owner-${Math.random()}`, hasEnded: () => true }
    return agent({
      name: 'a',
      model: scriptedModel([calling('pay')]),
      tools: [pay],
      store: use,
      parts: { owner },
    })
  }
  const { store: crashing, crashed } = crashingStore(store, 'call.completed', 'before')
  const first = await make(crashing).startSession('auto')
  first.run('go').catch(() => undefined)
  await crashed
  const session = await make(store).openSession(first.id)
  const result = await finish(session.resume({ signal: AbortSignal.abort(new Error('never mind')) }))
  expect(result).toMatchObject({ status: 'cancelled', text: 'Stopped: never mind' })
  expect([...session.state.calls.values()][0]?.end).toMatchObject({
    code: 'interrupted',
    effect: 'uncertain',
  })
})

test('a tool that succeeds just as its run is stopped is settled as it would be otherwise, finalize included', async () => {
  const stop = new AbortController()
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'write',
    execute: () => {
      stop.abort(new Error('enough'))
      return 'paid 4 by REF-1'
    },
    finalize: (_args, { result }) => result.replace('REF-1', 'REF-*'),
  })
  const session = await agent({
    name: 'a',
    model: scriptedModel([calling('pay')]),
    tools: [pay],
  }).startSession('auto')
  expect((await session.run('go', { signal: stop.signal })).status).toBe('cancelled')
  expect([...session.state.calls.values()][0]?.end).toMatchObject({
    status: 'completed',
    text: { inline: 'paid 4 by REF-*' },
  })
})
