import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { agent, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import { finish, mortal, places } from '../support/places.ts'

const by = { id: 'ann', method: 'web' }

/** An agent whose model makes the same call three times in one answer. */
function sharing(store: Store, over: object, parallel = false) {
  const entered: unknown[] = []
  const made = tool({
    name: 'share',
    description: 'Shares',
    toolClass: 'external',
    dedupe: 'share',
    parallel,
    schema: z.object({ n: z.number().default(0) }),
    execute: ({ n }, { input }) => {
      entered.push(input ?? n)
      return `ran ${JSON.stringify(input ?? n)}`
    },
    ...over,
  })
  const step = { calls: [1, 2, 3].map(() => ({ name: 'share' })) }
  const owner = () =>
    agent({
      name: 'sharer',
      model: scriptedModel([step, 'done'], { fromHistory: true }),
      tools: [made],
      store,
      approvals: () => suspend(),
      parts: mortal(),
    })
  return { owner, entered }
}

describe.each(places)('over %s', (_kind, place) => {
  test.each([false, true])(
    'equal calls that share an outcome are approved once and run once, parallel: %s',
    async (parallel) => {
      await using where = place()
      const { owner, entered } = sharing(where.open(), {}, parallel)
      const session = await owner().startSession()
      const { tickets } = await session.run('go')
      expect(tickets).toHaveLength(1)
      await owner().decide(tickets[0] as string, { approved: true }, by)
      const again = await owner().openSession(session.id)
      expect(await finish(again.resume())).toMatchObject({ status: 'completed' })
      expect(entered).toEqual([0])
      const ends = [...again.state.calls.values()].map(({ end }) => end)
      expect(ends).toMatchObject([1, 2, 3].map(() => ({ status: 'completed', text: { inline: 'ran 0' } })))
    },
  )

  test('a no to the first is a no to all of them', async () => {
    await using where = place()
    const { owner, entered } = sharing(where.open(), {})
    const session = await owner().startSession()
    const { tickets } = await session.run('go')
    await session.decide(tickets[0] as string, { approved: false, reason: 'Not today.' })
    expect(await finish(session.resume())).toMatchObject({ status: 'completed', tickets: [] })
    expect(entered).toEqual([])
    const ends = [...session.state.calls.values()].map(({ end }) => end)
    const declined = { status: 'refused', code: 'declined', message: expect.stringContaining('Not today.') }
    expect(ends).toMatchObject([declined, declined, declined])
  })

  test('a tool that stops to ask puts one question for all of them, and its answer counts for all', async () => {
    await using where = place()
    const over = { toolClass: 'read', yieldSchema: z.object({ v: z.number() }) }
    const { owner, entered } = sharing(where.open(), over)
    const session = await owner().startSession()
    const { tickets } = await session.run('go')
    expect(tickets).toHaveLength(1)
    await session.answer(tickets[0] as string, { v: 1 })
    expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
    expect(entered).toEqual([{ v: 1 }])
    expect(new Set([...session.state.calls.values()].map(({ end }) => JSON.stringify(end))).size).toBe(1)
    // The log is read again whole: nothing in it is illegal.
    expect((await owner().openSession(session.id)).state.openRun).toBeUndefined()
  })

  test('where the first one failed, the next is made for itself', async () => {
    await using where = place()
    let count = 0
    const execute = () => {
      count += 1
      if (count === 1) throw new Error('broken')
      return 'mended'
    }
    const { owner } = sharing(where.open(), { toolClass: 'read', execute })
    const session = await owner().startSession()
    await session.run('go')
    const ends = [...session.state.calls.values()].map(({ end }) => end?.status)
    expect(ends).toEqual(['failed', 'completed', 'completed'])
    expect(count).toBe(2)
  })

  test('a fork shares within itself', async () => {
    await using where = place()
    const { owner, entered } = sharing(where.open(), {})
    const session = await owner().startSession()
    await session.run('go')
    const fork = await owner().forkSession(session.id)
    const [call, second, third] = fork.state.calls.values()
    expect([second?.shares, third?.shares]).toEqual([call?.id, second?.id])
    await fork.decide(call?.ticket as string, { approved: true })
    expect(await finish(fork.resume())).toMatchObject({ status: 'completed' })
    expect(entered).toHaveLength(1)
  })

  test('calls that have been asked about go on when all questions of their step are answered', async () => {
    await using where = place()
    const entered: unknown[] = []
    const question = tool({
      name: 'question',
      description: 'Asks',
      toolClass: 'read',
      parallel: true,
      schema: z.object({ n: z.number() }),
      yieldSchema: z.object({ v: z.number() }),
      execute: ({ n }, { input }) => {
        entered.push(n)
        return input
      },
    })
    const step = { calls: [1, 2, 3].map((n) => ({ name: 'question', args: { n } })) }
    const owner = () =>
      agent({
        name: 'asker',
        model: scriptedModel([step, 'done'], { fromHistory: true }),
        tools: [question],
        store: where.open(),
        parts: mortal(),
      })
    const session = await owner().startSession()
    const { tickets } = await session.run('go')
    expect(tickets).toHaveLength(3)
    await session.answer(tickets[0] as string, { v: 1 })
    expect(await finish(session.resume())).toMatchObject({ status: 'waiting', tickets: tickets.slice(1) })
    await owner().answer(tickets[2] as string, { v: 3 }, by)
    expect(await finish((await owner().openSession(session.id)).resume())).toMatchObject({
      status: 'waiting',
    })
    expect(entered).toEqual([])
    await owner().decide(tickets[1] as string, { approved: false }, by)
    expect(await finish((await owner().openSession(session.id)).resume())).toMatchObject({
      status: 'completed',
    })
    expect(entered).toEqual([1, 3])
  })
})
