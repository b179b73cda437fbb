import { expect, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  loop,
  scriptedModel,
  sequence,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, type Place, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'ann', method: 'web' }
const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

function make(
  name: string,
  script: readonly ScriptStep[],
  tools: readonly Tool[],
  over: Partial<AgentConfig>,
) {
  return agent({ name, model: scriptedModel([...script, 'done'], { fromHistory: true }), tools, ...over })
}

function helperTool(helper: Agent): Tool {
  return agentTool(helper, { name: 'help', description: 'Helps' })
}

const suspending = { approvals: () => suspend() }

/** Who asks: a child, a child's child, the part of a flow, that of a flow within a flow. */
const trees: Readonly<Record<string, (top: Partial<AgentConfig>, low: Partial<AgentConfig>) => Agent>> = {
  'a child': (top, low) =>
    make(
      'boss',
      [calling('help', { input: 'x' })],
      [helperTool(make('low', [calling('pay')], [pay], low))],
      top,
    ),
  "a child's child": (top, low) => {
    const middle = make(
      'middle',
      [calling('help', { input: 'x' })],
      [helperTool(make('low', [calling('pay')], [pay], low))],
      {},
    )
    return make('boss', [calling('help', { input: 'x' })], [helperTool(middle)], top)
  },
  'a part of a flow': (top, low) =>
    sequence({ ...top, name: 'boss', steps: [make('low', [calling('pay')], [pay], low)] }),
  'a part of a flow in a flow': (top, low) =>
    sequence({
      ...top,
      name: 'boss',
      steps: [loop({ name: 'again', body: make('low', [calling('pay')], [pay], low), timesMax: 1 })],
    }),
}
const cases = places.flatMap(([kind, place]) => Object.keys(trees).map((who) => [who, kind, place] as const))

function growing(
  who: string,
  where: Place,
  clock: ReturnType<typeof manualClock>,
  top: Partial<AgentConfig>,
) {
  return (low: Partial<AgentConfig> = {}) =>
    (trees[who] as (typeof trees)[string])(
      { store: where.open(), parts: { clock, ...mortal() }, ...top },
      low,
    )
}

test.each(cases)(
  'what %s asks runs out when the agent at the top says, over %s',
  async (who, _kind, place) => {
    for (const low of [{}, { askExpiryMs: 60_000 }]) {
      await using where = place()
      const clock = manualClock()
      const grown = growing(who, where, clock, { ...suspending, askExpiryMs: 1_000 })
      const session = await grown(low).startSession()
      const [ask = ''] = (await session.run('go')).tickets
      await clock.advance(1_000)
      await expect(grown(low).decide(ask, { approved: true }, by)).rejects.toMatchObject({
        code: 'TICKET_DECIDED',
      })
      const other = grown(low)
      expect(await finish((await other.openSession(session.id)).resume())).toMatchObject({
        status: 'completed',
      })
    }
  },
)

test.each(cases)('an earlier end of its own holds for what %s asks, over %s', async (who, _kind, place) => {
  await using where = place()
  const clock = manualClock()
  const low = { askExpiryMs: 10 }
  const grown = growing(who, where, clock, { ...suspending, askExpiryMs: 60_000 })
  const [ask = ''] = (await (await grown(low).startSession()).run('go')).tickets
  await clock.advance(10)
  await expect(grown(low).decide(ask, { approved: true }, by)).rejects.toMatchObject({
    code: 'TICKET_DECIDED',
  })
})

test.each(places)(
  'a child that is taken up by itself keeps the end that its asks have from above, over %s',
  async (_kind, place) => {
    await using where = place()
    const clock = manualClock()
    const open = (top: Partial<AgentConfig>) => {
      const low = make('low', [calling('look'), calling('pay')], [pay, asking], {})
      const start = tool({
        name: 'start',
        description: 'Starts',
        toolClass: 'read',
        execute: async (_args, context) => (await context.dispatch(low, { input: 'x' })).session,
      })
      return make('boss', [calling('start')], [start], {
        ...{ store: where.open(), parts: { clock, ...mortal() }, agents: [low] },
        ...{ ...suspending, ...top },
      })
    }
    const asking = tool({
      name: 'look',
      description: 'Asks first',
      toolClass: 'read',
      yieldSchema: { type: 'object', properties: { v: { type: 'number' } } },
    })
    const boss = open({ askExpiryMs: 1_000 })
    const session = await boss.startSession()
    await session.run('go')
    const [call] = session.state.calls.values()
    const below = `${call?.id}.0`
    // The child rests at its question; then an agent that says nothing of asks takes it up alone.
    const other = await open({}).openSession(below)
    const first = [...other.state.tickets.keys()][0] as string
    await other.answer(first, { v: 1 }, by)
    const { tickets } = await finish(other.resume())
    await clock.advance(1_000)
    await expect(other.decide(tickets[0] as string, { approved: true }, by)).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
  },
)

test.each(cases)(
  'who answers at the top is waited for as long as it says, for %s too, over %s',
  async (who, _kind, place) => {
    await using where = place()
    const clock = manualClock()
    const asked = Promise.withResolvers<void>()
    const approvals = () => {
      asked.resolve()
      return new Promise<never>(() => {})
    }
    const low = { answerWaitMs: 60_000 }
    const session = await growing(who, where, clock, { approvals, answerWaitMs: 300 })(low).startSession()
    const running = session.run('go')
    await asked.promise
    await clock.advance(300)
    const { status, tickets } = await running
    expect(status).toBe('waiting')
    expect(tickets).toHaveLength(1)
  },
)

/** A tool that is not back in time, so that nobody sees its outcome. */
function slow(clock: ReturnType<typeof manualClock>, entered: () => void): Tool {
  const execute = () => {
    entered()
    return clock.sleep(60_000)
  }
  return tool({ name: 'pay', description: 'Pays', toolClass: 'write', timeout: 10, execute })
}

async function unseen(where: Place, above: AgentConfig['onUncertain'], own: AgentConfig['onUncertain']) {
  const clock = manualClock()
  const entered = Promise.withResolvers<void>()
  const of = (rule: AgentConfig['onUncertain']) => (rule === undefined ? {} : { onUncertain: rule })
  const grown = () => {
    const low = make('low', [calling('pay')], [slow(clock, entered.resolve)], of(own))
    const middle = make('middle', [calling('help', { input: 'x' })], [helperTool(low)], {})
    const around = { store: where.open(), parts: { clock, ...mortal() } }
    return make('boss', [calling('help', { input: 'x' })], [helperTool(middle)], { ...around, ...of(above) })
  }
  const session = await grown().startSession('auto')
  const running = session.run('go')
  await entered.promise
  await clock.advance(1_000)
  const result = await running
  const [call] = session.state.calls.values()
  const [callBelow] = (await grown().openSession(`${call?.id}.0`)).state.calls.values()
  return { grown, session, result, low: `${callBelow?.id}.0` }
}

test.each(places)(
  'the stricter rule for outcomes that nobody saw holds below, and ends or rests what stands above, over %s',
  async (_kind, place) => {
    for (const [above, own, status, below] of [
      [undefined, undefined, 'completed', 'completed'],
      ['tell', 'fail', 'completed', 'uncertain'],
      ['fail', undefined, 'uncertain', 'uncertain'],
      ['fail', 'pause', 'uncertain', 'uncertain'],
      ['pause', 'tell', 'waiting', undefined],
      ['pause', 'fail', 'waiting', 'uncertain'],
    ] as const) {
      await using where = place()
      const { result, grown, low } = await unseen(where, above, own)
      expect(result).toMatchObject({ status })
      const [run] = (await grown().openSession(low)).state.runs.values()
      expect(run?.ended?.status).toBe(below)
    }
  },
)

test.each(places)(
  'a run that pauses over a call below goes on when that call was reconciled, over %s',
  async (_kind, place) => {
    await using where = place()
    const { session, grown, low } = await unseen(where, 'pause', undefined)
    const below = await grown().openSession(low)
    await below.reconcile([...below.state.calls.keys()][0] as string, 'completed')
    const again = await grown().openSession(session.id)
    expect(await finish(again.resume())).toMatchObject({ status: 'completed', text: 'done' })
  },
)

test.each(places)(
  'a call whose child ended over an outcome that nobody saw is reconciled like any other, over %s',
  async (_kind, place) => {
    await using where = place()
    const { session, grown } = await unseen(where, 'pause', 'fail')
    const again = await grown().openSession(session.id)
    // The run between pauses too; what it waits for is its own call.
    const [call] = again.state.calls.values()
    const middle = await grown().openSession(`${call?.id}.0`)
    const [waiting] = middle.state.calls.values()
    expect(waiting?.end).toMatchObject({ code: 'unseen_below', effect: 'uncertain' })
    await middle.reconcile(waiting?.id as string, 'completed')
    expect(await finish(again.resume())).toMatchObject({ status: 'completed', text: 'done' })
  },
)
