import { expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  type CallState,
  memoryStore,
  scriptedModel,
  type ToolConfig,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { type Over, untilOver } from './until-over.ts'

const never = () => new Promise<never>(() => undefined)

/** A schema whose library never comes to an end with its check. */
const neverChecked = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: never,
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
} as unknown as NonNullable<ToolConfig['schema']>

type Parts = Partial<ToolConfig> & Partial<AgentConfig>

function hostOf({ approvals, ...toolParts }: Parts, rest: Partial<AgentConfig> = {}) {
  const work = tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    schema: { type: 'object' },
    execute: () => 'done',
    ...toolParts,
  } as ToolConfig)
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'user' ? { calls: [{ name: 'work' }] } : 'done',
  )
  return agent({
    name: 'host',
    model,
    tools: [work],
    ...(approvals === undefined ? {} : { approvals }),
    ...rest,
  })
}

async function overOf(parts: Parts): Promise<Over & { call: CallState | undefined; sleeping: number }> {
  const clock = manualClock()
  const over = await untilOver(hostOf(parts, { parts: { clock } }), clock)
  await expectEndedWhole(over.session, JSON.stringify(over.result))
  return { ...over, call: [...over.session.state.calls.values()][0], sleeping: clock.sleeping }
}

test.each<[string, Parts, object]>([
  ['prepare', { prepare: never }, { status: 'refused', code: 'prepare_failed' }],
  ['check', { check: never }, { status: 'refused', code: 'denied', category: 'dynamic' }],
  ['finalize', { finalize: never }, { status: 'failed', code: 'finalize_failed' }],
  ['execute with a timeout', { execute: never, timeout: 5_000 }, { status: 'failed', code: 'timed_out' }],
  ['the check of a schema', { schema: neverChecked }, { status: 'refused', code: 'invalid_arguments' }],
  [
    'the check of an output schema',
    { outputSchema: neverChecked },
    { status: 'failed', code: 'invalid_output' },
  ],
])('%s that never settles is bounded in time, and the run goes on', async (_name, parts, end) => {
  const { result, wasStopped, call, sleeping } = await overOf(parts)
  expect([wasStopped, result.status, sleeping]).toEqual([false, 'completed', 0])
  expect(call?.end).toMatchObject(end)
})

test.each<[string, Parts, object]>([
  ['execute without a timeout', { execute: never }, { status: 'failed', code: 'cancelled' }],
  ['the approval handler', { toolClass: 'write', approvals: never }, { status: 'cancelled' }],
])('%s that never settles lasts until the run is stopped', async (_name, parts, end) => {
  const { result, wasStopped, call, sleeping } = await overOf(parts)
  expect([wasStopped, result.status, sleeping]).toEqual([true, 'cancelled', 0])
  expect(call?.end).toMatchObject(end)
})

test.each<[string, Parts]>([
  ['prepare', { prepare: never }],
  ['check', { check: never }],
  ['finalize', { finalize: never }],
  ['the check of a schema', { schema: neverChecked }],
])('stopping the run ends %s that never settles at once', async (_name, parts) => {
  const clock = manualClock()
  const session = await hostOf(parts, { parts: { clock } }).startSession()
  const controller = new AbortController()
  const running = session.run('go', { signal: controller.signal })
  await clock.advance(0)
  controller.abort(new Error('Enough.'))
  expect(await running).toMatchObject({ status: 'cancelled', text: 'Stopped: Enough.' })
  expect(clock.sleeping).toBe(0)
  await expectEndedWhole(session, 'stopped')
})

test('a look for a lost outcome that never settles lasts until the run is stopped', async () => {
  const inner = memoryStore()
  const clock = manualClock()
  const parts: Parts = { toolClass: 'write', reconcile: never, approvals: () => ({ approved: true }) }
  const { store, crashed } = crashingStore(inner, 'call.started', 'after')
  const owner = { name: 'first', hasEnded: () => true }
  const first = await hostOf(parts, { store, parts: { clock, owner } }).startSession()
  first.run('go').catch(() => undefined)
  await crashed
  const second = await hostOf(parts, { store: inner, parts: { clock, owner } }).openSession(first.id)
  const controller = new AbortController()
  const stream = second.resume({ signal: controller.signal })
  const ended = (async () => {
    for (;;) {
      const next = await stream.next()
      if (next.done === true) return next.value
    }
  })()
  await clock.advance(60_000)
  expect(second.state.openRun).toBeDefined()
  controller.abort(new Error('Enough.'))
  await clock.advance(1_000)
  expect(await ended).toMatchObject({ status: 'cancelled' })
  await expectEndedWhole(second, 'a look')
})

test('a success that comes after the time was over is recorded as it was shaped, whatever became of the run [faults/F58]', async () => {
  for (const isStopped of [false, true]) {
    const clock = manualClock()
    let report: (value: string) => void = () => undefined
    const execute = () =>
      new Promise<string>((resolve) => {
        report = resolve
      })
    const finalize: ToolConfig['finalize'] = (_args, { result }) => `shaped ${result}`
    const host = hostOf(
      { execute, finalize, timeout: 1_000, toolClass: 'write', approvals: () => ({ approved: true }) },
      { parts: { clock } },
    )
    const session = await host.startSession()
    const controller = new AbortController()
    const running = session.run('go', { signal: controller.signal })
    await clock.advance(isStopped ? 0 : 2_000)
    if (isStopped) controller.abort(new Error('Enough.'))
    await clock.advance(2_000)
    expect((await running).status).toBe(isStopped ? 'cancelled' : 'completed')
    report('late')
    await clock.advance(0)
    const [call] = session.state.calls.values()
    expect(call?.late).toMatchObject({ status: 'completed', text: { inline: 'shaped late' } })
    await expectEndedWhole(session, 'late')
  }
})
