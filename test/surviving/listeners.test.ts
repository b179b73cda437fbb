import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defineAgent } from '../../src/agent/agent-config.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  Session,
  type StoredEvent,
  scriptedModel,
  type ToolConfig,
  tool,
} from '../../src/index.ts'
import { Journal } from '../../src/runtime/journal.ts'
import { systemClock } from '../../src/runtime/system.ts'
import { manualClock } from '../../src/testing.ts'
import { countingStore } from './counting-store.ts'

const warnings: Error[] = []
const keep = (warning: Error) => warnings.push(warning)
beforeEach(() => {
  warnings.length = 0
  process.on('warning', keep)
})
afterEach(() => {
  process.off('warning', keep)
})

/** An agent whose every run makes this many calls of one tool, one after another or side by side. */
function busyAgent(calls: number, toolParts: Partial<ToolConfig>, rest: Partial<AgentConfig> = {}): Agent {
  const work = tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    schema: { type: 'object' },
    execute: () => 'done',
    ...toolParts,
  } as ToolConfig)
  const step = { calls: Array.from({ length: calls }, (_, n) => ({ name: 'work', args: { n } })) }
  const model = scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? step : 'done'))
  return agent({ name: 'busy', model, tools: [work], ...rest })
}

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

async function afterTicks(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('five thousand calls under one signal, in one session and in many, leave no listener on it', async () => {
  const shared = new AbortController()
  const { signal } = shared
  const { store, watches } = countingStore()
  const host = busyAgent(25, { parallel: true }, { store })
  const one = await host.startSession()
  let calls = 0
  for (let run = 0; run < 100; run += 1) await one.run('go', { signal })
  calls += one.state.calls.size
  for (let session = 0; session < 10; session += 1) {
    const many = await Promise.all(Array.from({ length: 10 }, () => host.startSession()))
    await Promise.all(many.map((each) => each.run('go', { signal })))
    calls += many.reduce((sum, each) => sum + each.state.calls.size, 0)
  }
  expect(calls).toBe(5_000)
  expect(listeners(signal)).toBe(0)
  expect(watches()).toBe(0)
  await afterTicks()
  expect(warnings).toEqual([])
})

test('two hundred runs at once under one signal raise no warning, and one abort ends them all', async () => {
  const shared = new AbortController()
  const { signal } = shared
  let begun = 0
  let told = 0
  const execute: ToolConfig['execute'] = (_args, context) =>
    new Promise((_resolve, reject) => {
      begun += 1
      if (begun === 200) queueMicrotask(() => shared.abort(new Error('Enough.')))
      context.signal.addEventListener('abort', () => {
        told += 1
        reject(context.signal.reason)
      })
    })
  const host = busyAgent(1, { execute })
  const sessions = await Promise.all(Array.from({ length: 200 }, () => host.startSession()))
  const results = await Promise.all(sessions.map((each) => each.run('go', { signal })))
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['cancelled']))
  expect(told).toBe(200)
  expect(listeners(signal)).toBe(0)
  await afterTicks()
  expect(warnings).toEqual([])
})

test('calls that end within their time leave no sleeper and no listener', async () => {
  const clock = manualClock()
  const signals: AbortSignal[] = []
  const host = busyAgent(
    25,
    {
      timeout: 60_000,
      execute: (_args, context) => {
        signals.push(context.signal)
        return 'done'
      },
      prepare: () => undefined,
      check: () => undefined,
      finalize: () => undefined,
    },
    { parts: { clock }, callsMax: 5_000 },
  )
  const session = await host.startSession()
  const { signal } = new AbortController()
  for (let run = 0; run < 40; run += 1) await session.run('go', { signal })
  expect(signals).toHaveLength(1_000)
  expect(signals.filter((each) => listeners(each) > 0 || each.aborted)).toEqual([])
  expect([clock.sleeping, listeners(signal)]).toEqual([0, 0])
})

test('calls that run out of time, and tools that never end, leave no sleeper and no listener', async () => {
  const clock = manualClock()
  const host = busyAgent(
    25,
    { timeout: 1_000, parallel: true, execute: () => new Promise(() => undefined) },
    { parts: { clock } },
  )
  const { signal } = new AbortController()
  for (let run = 0; run < 20; run += 1) {
    const session = await host.startSession()
    const running = session.run('go', { signal })
    await clock.advance(2_000)
    expect((await running).status).toBe('completed')
    expect([...session.state.calls.values()].every(({ end }) => end?.status === 'failed')).toBe(true)
  }
  expect([clock.sleeping, listeners(signal)]).toEqual([0, 0])
})

test('asks that are answered, left to others or cut off leave no watch, no sleeper and no listener', async () => {
  const clock = manualClock()
  const { store, watches } = countingStore()
  const { signal } = new AbortController()
  const asked: AbortSignal[] = []
  const approvals: AgentConfig['approvals'] = (_request, aborted) => {
    asked.push(aborted)
    return new Promise(() => undefined)
  }
  const host = busyAgent(3, { toolClass: 'write' }, { approvals, store, parts: { clock } })
  for (let run = 0; run < 20; run += 1) {
    const session = await host.startSession()
    const running = session.run('go', { signal })
    while (session.state.tickets.size < 3) await clock.advance(0)
    // One for what may wake the run, one for a wish to stop it.
    expect(watches()).toBe(2)
    for (const ticket of session.state.tickets.keys()) await session.decide(ticket, { approved: true })
    await clock.advance(0)
    expect((await running).status).toBe('completed')
  }
  expect(asked.every(({ aborted }) => aborted)).toBe(true)
  expect([watches(), clock.sleeping, listeners(signal)]).toEqual([0, 0, 0])
})

/** A journal that knows how many listeners it has. */
class CountedJournal extends Journal {
  begun = 0
  open = 0

  override listen(listener: (event: StoredEvent) => void): () => void {
    const stop = super.listen(listener)
    this.begun += 1
    this.open += 1
    return () => {
      this.open -= 1
      stop()
    }
  }
}

test('a run that is over, left or refused has no listener on its journal', async () => {
  const definition = defineAgent({ name: 'busy', model: scriptedModel(() => 'done') })
  const { parts } = definition
  const journal = new CountedJournal(parts.store, 's', parts.clock)
  await journal.write(() => [{ type: 'session.started', session: 's', subject: 'ann', agent: 'busy' }])
  const session = new Session(definition, journal)
  for (let run = 0; run < 10; run += 1) await session.run('go')
  for await (const _event of session.stream('go')) break
  await expect(session.run(7 as unknown as string)).rejects.toThrow('The input of a run must be a text, or')
  await expect(session.run('go', { signal: {} as AbortSignal })).rejects.toThrow('must be an AbortSignal')
  expect(journal.begun).toBeGreaterThanOrEqual(10)
  expect(journal.open).toBe(0)
  expect((await session.run('go')).status).toBe('completed')
})

test('a sleep of more than a platform timer holds is not due at once', async () => {
  const stop = new AbortController()
  const sleeping = systemClock.sleep(2 ** 40, stop.signal)
  await afterTicks()
  expect(warnings).toEqual([])
  stop.abort(new Error('Enough.'))
  await expect(sleeping).rejects.toThrow('Enough.')
  expect(listeners(stop.signal)).toBe(0)
})
