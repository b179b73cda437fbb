import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { agent, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const hourMs = 3_600_000
const by = { id: 'ann', method: 'web' }

/** An agent of a process of its own, whose asks run out after an hour. */
function clerk(store: Store, clock: ReturnType<typeof manualClock>, step: ScriptStep, yieldDefault?: object) {
  const paid: unknown[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    parallel: true,
    schema: z.object({ n: z.number() }),
    execute: ({ n }) => paid.push(n),
  })
  const question = tool({
    name: 'question',
    description: 'Asks',
    toolClass: 'read',
    yieldSchema: z.object({ v: z.number() }),
    yieldTimeout: hourMs,
    ...(yieldDefault === undefined ? {} : { yieldDefault }),
    execute: (_args, { input }) => input,
  })
  const made = agent({
    name: 'clerk',
    model: scriptedModel([step, 'done'], { fromHistory: true }),
    tools: [pay, question],
    store,
    askExpiryMs: hourMs,
    approvals: () => suspend(),
    parts: { clock, ...mortal() },
  })
  return { made, paid }
}

const decidedByTimer = { code: 'TICKET_DECIDED', message: expect.stringContaining('by timer') }

describe.each(places)('over %s', (_kind, place) => {
  test('an ask cannot be approved once its time is over, though nobody has looked for due timers', async () => {
    await using where = place()
    const clock = manualClock()
    const step = calling('pay', { n: 1 })
    const session = await clerk(where.open(), clock, step).made.startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await clock.advance(hourMs)
    const { made, paid } = clerk(where.open(), clock, step)
    await expect(made.decide(ask, { approved: true }, by)).rejects.toMatchObject(decidedByTimer)
    await expect(session.decide(ask, { approved: true })).rejects.toMatchObject(decidedByTimer)
    expect(await finish((await made.openSession(session.id)).resume())).toMatchObject({ status: 'completed' })
    expect(paid).toEqual([])
  })

  test('until then it can', async () => {
    await using where = place()
    const clock = manualClock()
    const step = calling('pay', { n: 1 })
    const { made, paid } = clerk(where.open(), clock, step)
    const session = await made.startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await clock.advance(hourMs - 1)
    await made.decide(ask, { approved: true }, by)
    await clock.advance(hourMs)
    expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
    expect(paid).toEqual([1])
  })

  test('a question cannot be answered once its time is over: its default counts', async () => {
    await using where = place()
    const clock = manualClock()
    const made = () => clerk(where.open(), clock, calling('question'), { v: 7 }).made
    const session = await made().startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await clock.advance(hourMs)
    await expect(made().answer(ask, { v: 1 }, by)).rejects.toMatchObject(decidedByTimer)
    await expect(made().decide(ask, { approved: false }, by)).rejects.toMatchObject(decidedByTimer)
    await finish((await made().openSession(session.id)).resume())
    const [call] = (await made().openSession(session.id)).state.calls.values()
    expect(call?.end).toMatchObject({ text: { inline: '{"v":7}' } })
  })

  test('what runs out while an answer is checked is closed first', async () => {
    await using where = place()
    const still = manualClock()
    let passedMs = 0
    const clock = {
      now: () => still.now() + passedMs,
      timer: still.timer.bind(still),
      sleep: still.sleep.bind(still),
    }
    const slow = tool({
      name: 'slow',
      description: 'Asks',
      toolClass: 'read',
      yieldSchema: z.object({ v: z.number() }).refine(() => {
        passedMs = hourMs
        return true
      }),
      yieldTimeout: hourMs,
    })
    const made = agent({
      name: 'clerk',
      model: scriptedModel([calling('slow'), 'done'], { fromHistory: true }),
      tools: [slow],
      store: where.open(),
      parts: { clock, ...mortal() },
    })
    const session = await made.startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await expect(made.answer(ask, { v: 1 }, by)).rejects.toMatchObject(decidedByTimer)
  })

  test('a run that a timer has woken is given by every look for due timers until somebody takes it up', async () => {
    await using where = place()
    const clock = manualClock()
    const step = calling('pay', { n: 1 })
    const process = () => clerk(where.open(), clock, step).made
    const session = await process().startSession()
    await session.run('go')
    await clock.advance(hourMs)
    // Who was told first died on the spot.
    expect(await process().runTimers()).toEqual([session.id])
    expect(await process().runTimers()).toEqual([session.id])
    const other = agent({ name: 'other', model: scriptedModel([]), store: where.open(), parts: { clock } })
    expect(await other.runTimers()).toEqual([session.id])
    expect(await finish((await process().openSession(session.id)).resume())).toMatchObject({
      status: 'completed',
    })
    expect(await process().runTimers()).toEqual([])
  })

  test('an answer that comes too late wakes the run as well', async () => {
    await using where = place()
    const clock = manualClock()
    const process = () => clerk(where.open(), clock, calling('pay', { n: 1 })).made
    const session = await process().startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await clock.advance(hourMs)
    await expect(process().decide(ask, { approved: true }, by)).rejects.toMatchObject(decidedByTimer)
    expect(await process().runTimers()).toEqual([session.id])
  })

  test('a run that still waits for somebody else is given once he has answered, until somebody takes it up', async () => {
    await using where = place()
    const clock = manualClock()
    const step = { calls: [{ name: 'question' }, { name: 'lasting' }] }
    const lasting = tool({
      name: 'lasting',
      description: 'Asks',
      toolClass: 'read',
      yieldSchema: z.object({ v: z.number() }),
    })
    const question = tool({ ...questionOf, yieldTimeout: hourMs })
    const process = () =>
      agent({
        name: 'clerk',
        model: scriptedModel([step, 'done'], { fromHistory: true }),
        tools: [question, lasting],
        store: where.open(),
        parts: { clock, ...mortal() },
      })
    const session = await process().startSession()
    const { tickets } = await session.run('go')
    await clock.advance(hourMs)
    expect(await process().runTimers()).toEqual([])
    expect(await finish((await process().openSession(session.id)).resume())).toMatchObject({
      status: 'waiting',
    })
    expect(await process().runTimers()).toEqual([])
    await process().answer(tickets[1] as string, { v: 1 }, by)
    expect(await process().runTimers()).toEqual([session.id])
    expect(await process().runTimers()).toEqual([session.id])
    await finish((await process().openSession(session.id)).resume())
    expect(await process().runTimers()).toEqual([])
  })
})

const questionOf = {
  name: 'question',
  description: 'Asks',
  toolClass: 'read',
  yieldSchema: z.object({ v: z.number() }),
} as const
