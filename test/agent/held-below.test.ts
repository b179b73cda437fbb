import { describe, expect, test } from 'vitest'
import { agent, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, type Place, places } from '../support/places.ts'
import { calling } from '../support/play.ts'
import { within } from '../support/within.ts'

const by = { id: 'ann', method: 'test' }
const timeoutMs = 1_000

/** One process, which lives: a boss whose call starts a child that is asked about, waits, and then pays. */
function office(name: string, store: Store, clock = manualClock()) {
  const paid: string[] = []
  const began = Promise.withResolvers<void>()
  const go = Promise.withResolvers<string>()
  const wait = tool({
    name: 'wait',
    description: 'Waits',
    toolClass: 'external',
    execute: () => {
      began.resolve()
      return go.promise
    },
  })
  const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'read', execute: () => paid.push('paid') })
  const kid = agent({
    name: 'kid',
    model: scriptedModel([calling('wait'), calling('pay'), 'kid done'], { fromHistory: true }),
    tools: [wait, pay],
  })
  const work = tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    execute: async (_args, context) => (await context.run(kid, { input: 'x' })).text,
  })
  const boss = agent({
    name: 'boss',
    model: scriptedModel([calling('work'), 'done'], { fromHistory: true }),
    tools: [work],
    agents: [kid],
    approvals: () => suspend(),
    timeoutMs,
    store,
    parts: { clock, owner: { name, hasEnded: () => false } },
  })
  return { boss, paid, clock, began: began.promise, go: () => go.resolve('on') }
}

/** A second process has taken up the child of a run that rests, and is at work in it; a third one looks on. */
async function held(where: Place) {
  const clock = manualClock()
  const first = office('first', where.open(), clock)
  const session = await first.boss.startSession()
  const { tickets } = await session.run('go')
  await first.boss.decide(tickets[0] ?? '', { approved: true }, by)
  const other = office('other', where.open())
  const rows = await where.open().list({ kind: 'session' })
  const child = rows.find(({ data }) => data.root !== undefined)?.id ?? ''
  const going = finish((await other.boss.openSession(child)).resume())
  await other.began
  return { clock, session: session.id, child, other, going, third: office('third', where.open(), clock) }
}

describe.each(places)('a child that somebody drives by itself, over %s', (_kind, place) => {
  test('is ended there when the run above is cancelled, before that run is', async () => {
    await using where = place()
    const { clock, session, child, other, going, third } = await held(where)
    const opened = await third.boss.openSession(session)
    const cancelling = opened.cancel('enough')
    // The call at work there does not hear the signal: it is left behind when its time is over.
    await within([clock, other.clock], going)
    expect(await going).toMatchObject({ status: 'cancelled', text: 'Stopped: enough' })
    expect(await cancelling).toMatchObject({ status: 'cancelled', text: 'Stopped: enough' })
    expect(other.paid).toEqual([])
    const below = await third.boss.openSession(session)
    expect(
      [...below.state.calls.values()].flatMap(({ children = [] }) => children.map((each) => each.session)),
    ).toEqual([child])
  })

  test('keeps a time that is over from ending the run above, until it is at rest', async () => {
    await using where = place()
    const { clock, session, other, going, third } = await held(where)
    await clock.advance(timeoutMs)
    expect(await third.boss.runTimers()).toEqual([])
    const opened = await third.boss.openSession(session)
    expect(opened.state.openRun).toBeDefined()
    await expect(finish(opened.resume())).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    other.go()
    await going
    expect(await third.boss.runTimers()).toEqual([])
    const [run] = (await third.boss.openSession(session)).state.runs.values()
    expect(run?.ended).toMatchObject({ status: 'cancelled', code: 'RUN_TIMEOUT' })
  })
})
