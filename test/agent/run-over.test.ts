import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  agentTool,
  applicationTool,
  type Session,
  type Store,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'ann', method: 'test' }
const byTimer = {
  code: 'TICKET_DECIDED',
  message: expect.stringMatching(/by timer .*at .*: the run's time is over\.$/),
  details: { by: { id: 'timer', method: 'expiry' } },
}
const ofClock = { timeoutMs: 1_000 }
const ofIdle = { idle: { timeoutMs: 1_000, whileAsking: 'continue' } } as const

interface Shop {
  readonly store: Store
  readonly clock: ReturnType<typeof manualClock>
  readonly first: 'pay' | 'question'
  readonly over: Partial<AgentConfig>
  readonly below?: boolean
}

/** One process: an agent that pays or asks, alone or below a boss. */
function shop({ store, clock, first, over, below = false }: Shop) {
  const paid: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    execute: () => paid.push('paid'),
  })
  const question = tool({ name: 'question', description: 'Asks', yieldSchema: { type: 'string' } })
  const common = { store, approvals: () => suspend(), parts: { clock, ...mortal() } }
  const kid = agent({
    name: 'kid',
    model: scriptedModel([calling(first), 'kid done'], { fromHistory: true }),
    tools: [pay, question],
    ...(below ? {} : { ...common, ...over }),
  })
  const boss = agent({
    name: 'boss',
    model: scriptedModel([calling('kid', { input: 'x' }), 'done'], { fromHistory: true }),
    tools: [agentTool(kid, { name: 'kid', description: 'Works' })],
    ...{ ...common, ...over },
  })
  return { made: below ? boss : kid, paid }
}

async function asked(session: Session): Promise<string> {
  const { status, tickets } = await session.run('go')
  expect(status).toBe('waiting')
  return tickets[0] as string
}

describe.each(places)('over %s', (_kind, place) => {
  const cases = [
    ['its own timeoutMs', ofClock, false, 'RUN_TIMEOUT'],
    ['its own idle time', ofIdle, false, 'IDLE_TIMEOUT'],
    ['the timeoutMs of the run above', ofClock, true, 'RUN_TIMEOUT'],
  ] as const
  test.each(cases)(
    'a decision after %s is refused, revives nothing, and is decided once',
    async (...given) => {
      const [, over, below, code] = given
      await using where = place()
      const clock = manualClock()
      const process = () => shop({ store: where.open(), clock, first: 'pay', over, below })
      const session = await process().made.startSession()
      const ask = await asked(session)
      await clock.advance(1_000)
      await expect(process().made.decide(ask, { approved: true }, by)).rejects.toMatchObject(byTimer)
      const late = process()
      await expect(late.made.decide(ask, { approved: true }, by)).rejects.toMatchObject(byTimer)
      const opened = await late.made.openSession(session.id)
      await expect(opened.decide(ask, { approved: true })).rejects.toMatchObject(byTimer)
      expect(await finish(opened.resume())).toMatchObject({ status: 'cancelled', code })
      expect(late.paid).toEqual([])
      expect(await late.made.runTimers()).toEqual([])
      const rows = await where.open().list({ kind: 'run', status: ['open', 'waiting'] })
      expect(rows).toEqual([])
    },
  )

  test.each(cases)(
    'an answer after %s is refused, and the next look for due timers ends the run',
    async (...given) => {
      const [, over, below, code] = given
      await using where = place()
      const clock = manualClock()
      const process = () => shop({ store: where.open(), clock, first: 'question', over, below }).made
      const session = await process().startSession()
      const ask = await asked(session)
      await clock.advance(1_000)
      await expect(process().answer(ask, 'yes', by)).rejects.toMatchObject(byTimer)
      expect(await process().runTimers()).toEqual([])
      const [run] = (await process().openSession(session.id)).state.runs.values()
      expect(run?.ended).toMatchObject({ status: 'cancelled', code })
    },
  )

  test('a decision in time holds, and a child is not taken up by itself after the time of the run above', async () => {
    await using where = place()
    const clock = manualClock()
    const process = () => shop({ store: where.open(), clock, first: 'pay', over: ofClock, below: true })
    const ask = await asked(await process().made.startSession())
    await clock.advance(999)
    await process().made.decide(ask, { approved: true }, by)
    await clock.advance(1)
    const late = process()
    const rows = await where.open().list({ kind: 'session' })
    const child = rows.find(({ data }) => data.root !== undefined)?.id as string
    const result = await finish((await late.made.openSession(child)).resume())
    expect(result).toMatchObject({ status: 'cancelled', code: 'RUN_TIMEOUT' })
    expect(late.paid).toEqual([])
  })

  test('a result after the time of the run has no open ticket, is kept as late, and goes on with nothing', async () => {
    await using where = place()
    const clock = manualClock()
    const outside = applicationTool({
      name: 'outside',
      description: 'Is carried outside',
      inputSchema: { type: 'object' },
      requiresApproval: false,
    })
    const process = (store: Store, own = clock) =>
      agent({
        name: 'clerk',
        model: scriptedModel([calling('outside'), 'done'], { fromHistory: true }),
        tools: [outside],
        store,
        parts: { clock: own, ...mortal() },
        ...ofClock,
      })
    const killed = crashingStore(where.open(), 'execution.requested', 'after')
    const first = await process(killed.store, manualClock()).startSession()
    first.run('go').catch(() => undefined)
    await killed.crashed
    await clock.advance(1_000)
    const late = process(where.open())
    const [row] = await where.open().list({ kind: 'ticket' })
    const redeeming = late.redeem(row?.id ?? '', { output: 'sent' }, { by, resultKey: 'k' })
    await expect(redeeming).rejects.toMatchObject({ code: 'TICKET_NOT_FOUND' })
    const session = await late.openSession(first.id)
    const [call] = session.state.calls.values()
    expect(call).toMatchObject({ end: { code: 'cancelled' }, late: { status: 'completed' } })
    expect(await finish(session.resume())).toMatchObject({ status: 'cancelled', code: 'RUN_TIMEOUT' })
  })
})
