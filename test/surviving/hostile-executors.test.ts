import { expect, test } from 'vitest'
import {
  agent,
  type Executor,
  memoryStore,
  type RunResult,
  type Session,
  scriptedModel,
  type Tool,
  type ToolConfig,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { hostileValues } from './hostile-values.ts'
import { untilOver } from './until-over.ts'

const model = () =>
  scriptedModel(({ messages }) => (messages.at(-1)?.role === 'user' ? { calls: [{ name: 'work' }] } : 'done'))

function work(parts: Partial<ToolConfig> = {}): Tool {
  return tool({
    name: 'work',
    description: 'Works',
    toolClass: 'write',
    timeout: 1_000,
    execute: () => 'done',
    ...parts,
  } as ToolConfig)
}

const approvals = () => ({ approved: true })

/** What an executor can say, with a value in one place of it. */
const sayings: Readonly<Record<string, (value: unknown) => unknown>> = {
  'the whole answer': (value) => value,
  'the status': (value) => ({ status: value }),
  'the value': (value) => ({ status: 'completed', value }),
  'the control': (value) => ({ status: 'completed', value: 1, control: value }),
  'the code of a failure': (value) => ({ status: 'failed', code: value, message: 'no' }),
  'the message of a failure': (value) => ({ status: 'failed', code: 'no', message: value }),
  'the cause of a failure': (value) => ({ status: 'failed', code: 'no', message: 'no', cause: value }),
}

test.each(Object.keys(sayings))(
  'a hostile value of an executor as %s ends the call in one outcome',
  async (place) => {
    for (const [name, make] of Object.entries(hostileValues)) {
      const what = `${name} as ${place}`
      const clock = manualClock()
      const execute = async () => sayings[place]!(make())
      const made: Tool = { ...work(), executor: { execute } as unknown as Executor }
      const host = agent({ name: 'host', model: model(), tools: [made], approvals, parts: { clock } })
      const { session, result, wasStopped } = await untilOver(host, clock).catch((error: unknown) => {
        throw new Error(`${what}: the run threw`, { cause: error })
      })
      expect([wasStopped, result.status], what).toEqual([false, 'completed'])
      await expectEndedWhole(session, what)
    }
  },
)

test('an executor that breaks its contract leaves the call uncertain, and it is not tried again', async () => {
  const breaks = [() => Promise.reject(new Error('broken')), () => undefined, () => ({ status: 'done' })]
  for (const execute of breaks) {
    let tries = 0
    const counted = () => {
      tries += 1
      return execute()
    }
    const retry = { maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1 }
    const made: Tool = { ...work({ retry }), executor: { execute: counted } as unknown as Executor }
    const host = agent({ name: 'host', model: model(), tools: [made], approvals })
    const session = await host.startSession()
    expect((await session.run('go')).status).toBe('completed')
    const [call] = session.state.calls.values()
    expect(call?.end).toMatchObject({ status: 'failed', code: 'executor_broke', effect: 'uncertain' })
    expect(tries).toBe(1)
  }
})

/** A run whose first process died after it had claimed a call, taken up by a second one. */
async function recovered(reconcile: () => unknown): Promise<{ session: Session; result: RunResult }> {
  const inner = memoryStore()
  const clock = manualClock()
  const { store, crashed } = crashingStore(inner, 'call.started', 'after')
  const parts = { clock, owner: { name: 'first', hasEnded: () => true } }
  const tools = [work({ reconcile } as Partial<ToolConfig>)]
  const config = { name: 'host', tools, approvals, parts }
  const first = await agent({ ...config, model: model(), store }).startSession()
  first.run('go').catch(() => undefined)
  await crashed
  const session = await agent({ ...config, model: model(), store: inner }).openSession(first.id)
  const stream = session.resume()
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return { session, result: next.value }
  }
}

const findings: Readonly<Record<string, (make: () => unknown) => unknown>> = {
  'thrown by it': (make) => {
    throw make()
  },
  'returned by it': (make) => make(),
  'its finding': (make) => ({ found: make() }),
  'the value of its finding': (make) => ({ found: 'completed', value: make() }),
  'the message of its finding': (make) => ({ found: 'failed', message: make() }),
}

test.each(Object.keys(findings))(
  'a hostile value of a look for a lost outcome, %s, ends the call in one outcome',
  async (place) => {
    for (const [name, make] of Object.entries(hostileValues)) {
      // A look has as long as the run has; that stopping ends it is shown elsewhere.
      if (place === 'returned by it' && name.includes('never calls back')) continue
      const { session, result } = await recovered(() => findings[place]!(make))
      const what = `${name}, ${place}`
      expect(result.status, what).toBe('completed')
      const [call] = session.state.calls.values()
      const isFound = place === 'the value of its finding' || place === 'the message of its finding'
      expect(call?.end, what).toMatchObject(
        isFound
          ? { status: place.includes('value') ? 'completed' : 'failed' }
          : { code: 'interrupted', effect: 'uncertain' },
      )
      await expectEndedWhole(session, what)
    }
  },
)
