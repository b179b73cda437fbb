import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/core/limits.ts'
import { agent, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, type Place, places } from '../support/places.ts'
import { calling } from '../support/play.ts'
import { within } from '../support/within.ts'

/** One living process: a call is at work until it is told to go on, or to stop. */
function worker(name: string, store: Store, clock = manualClock()) {
  const began = Promise.withResolvers<void>()
  const go = Promise.withResolvers<string>()
  const stopped: unknown[] = []
  const work = tool({
    name: 'work',
    description: 'Works',
    toolClass: 'write',
    execute: (_args, { signal }) => {
      began.resolve()
      return new Promise<string>((resolve, reject) => {
        go.promise.then((said) => resolve(said))
        signal.addEventListener('abort', () => {
          stopped.push((signal.reason as Error).message)
          reject(signal.reason)
        })
      })
    },
  })
  const send = tool({
    name: 'send',
    description: 'Sends',
    toolClass: 'external',
    check: () => 'ask',
    execute: () => 'sent',
  })
  const made = agent({
    name: 'worker',
    model: scriptedModel([calling('work'), calling('send'), 'done'], { fromHistory: true }),
    tools: [work, send],
    approvals: () => suspend(),
    store,
    parts: { clock, owner: { name, hasEnded: () => false } },
  })
  return { agent: made, began: began.promise, go: () => go.resolve('worked'), stopped, clock }
}

/** One process drives a run and is in the middle of a call; another one shares the store. */
async function driven(where: Place) {
  const clock = manualClock()
  const first = worker('first', where.open(), clock)
  const session = await first.agent.startSession({ subject: 'bob', mode: 'auto' })
  const going = session.run('go')
  await first.began
  const second = worker('second', where.open(), clock)
  const opened = await second.agent.openSession(session.id)
  return { clock, first, second, session, opened, going }
}

describe.each(places)('a run that another process drives, over %s', (_kind, place) => {
  test('ends there when it is cancelled, and who cancelled it reads the end', async () => {
    await using where = place()
    const { clock, first, session, opened, going } = await driven(where)
    const result = await within([clock], opened.cancel('nobody wants it.'))
    expect(result).toMatchObject({ status: 'cancelled', text: 'Stopped: nobody wants it.' })
    expect(await going).toMatchObject({ status: 'cancelled', text: 'Stopped: nobody wants it.' })
    expect(first.stopped).toEqual(['nobody wants it.'])
    const asked = (await session.events()).flatMap(({ event }) =>
      event.type === 'stop.requested' ? [event] : [],
    )
    expect(asked).toMatchObject([{ reason: 'nobody wants it.', by: { id: 'bob', method: 'library' } }])
  })

  test('is asked once by two who cancel it at the same time, and both read the same end', async () => {
    await using where = place()
    const { clock, second, session, opened } = await driven(where)
    const other = await second.agent.openSession(session.id)
    const both = await within([clock], Promise.all([opened.cancel('one.'), other.cancel('two.')]))
    expect(both[0]).toEqual(both[1])
    const types = (await session.events()).map(({ event }) => event.type)
    expect(types.filter((type) => type === 'stop.requested')).toHaveLength(1)
    expect(types.filter((type) => type === 'run.ended')).toHaveLength(1)
  })

  test('ends at once when it waits for a person, and its ask is closed', async () => {
    await using where = place()
    const { clock, first, opened, going, session } = await driven(where)
    first.go()
    while (session.state.tickets.size === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await within([clock], opened.cancel())).toMatchObject({ status: 'cancelled' })
    await going
    const [ticket = ''] = session.state.tickets.keys()
    await expect(opened.decide(ticket, { approved: true })).rejects.toMatchObject({ code: 'TICKET_DECIDED' })
  })

  test('stays asked to stop when its process hears nothing: the next to take it up ends it', async () => {
    await using where = place()
    const dead = worker('dead', where.open())
    const session = await dead.agent.startSession({ mode: 'auto' })
    const left = session.run('go')
    left.catch(() => undefined)
    await dead.began
    // The clock of the first stands still: it sees nothing any more, but its lease is renewed for it.
    const clock = manualClock()
    const second = worker('second', where.open(), clock)
    const opened = await second.agent.openSession(session.id)
    const store = where.open()
    const lease = await store.readLease(`session:${session.id}`)
    await store.acquireLease(`session:${session.id}`, lease?.owner ?? '', 1_000_000, clock.now())
    await expect(within([clock], opened.cancel('enough.'))).rejects.toMatchObject({
      code: 'SESSION_BUSY',
      message: expect.stringContaining('was asked to stop'),
    })
    await clock.advance(1_000_000)
    expect(await within([clock], finish(opened.resume()))).toMatchObject({
      status: 'cancelled',
      text: 'Stopped: enough.',
    })
    expect(second.stopped).toEqual([])
    await dead.clock.advance(limits.leaseMs)
    await left.catch(() => undefined)
  })

  test('property: cancelled at any moment, it has one end, and every claimed call has one outcome', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.boolean(), async (turns, goesOn) => {
        await using where = place()
        const { clock, first, session, opened, going } = await driven(where)
        if (goesOn) first.go()
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
        await within([clock], opened.cancel('enough.'))
        await going
        const events = (await session.events()).map(({ event }) => event)
        const count = (type: string) => events.filter((event) => event.type === type).length
        expect(count('run.ended')).toBe(1)
        expect(count('call.started')).toBe(count('call.completed') + count('call.failed'))
        expect(events.at(-1)?.type).toBe('run.ended')
      }),
      { numRuns: 25 },
    )
  })
})
