import { describe, expect, test } from 'vitest'
import { agent, agentTool, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const hourMs = 3_600_000

function clerk(store: Store, { clock = manualClock(), name = 'clerk', instructions = 'Be brief.' } = {}) {
  const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })
  return agent({
    name,
    instructions,
    model: scriptedModel([calling('pay'), 'done'], { fromHistory: true }),
    tools: [pay],
    store,
    askExpiryMs: hourMs,
    approvals: () => suspend(),
    onChange: 'refuse',
    parts: { clock, ...mortal() },
  })
}

/** Writes what no version could have written, as a broken program would. */
async function spoil(store: Store, session: string): Promise<void> {
  const stream = `session:${session}`
  const after = (await store.read(stream)).length
  const event = { type: 'never.heard' } as never
  expect(await store.append({ streams: [{ stream, after, events: [{ at: 1, event }] }] })).toEqual({
    ok: true,
  })
}

describe.each(places)('over %s', (_kind, place) => {
  test('a log that cannot be read keeps no other run from being taken up, and is told', async () => {
    await using where = place()
    const clock = manualClock()
    const made = clerk(where.open(), { clock })
    const spoiled = await made.startSession()
    await spoiled.run('go')
    await clock.advance(1)
    const sound = await made.startSession()
    await sound.run('go')
    await spoil(where.open(), spoiled.id)
    const resumed = await clerk(where.open()).resumeOpen()
    expect(resumed).toMatchObject([
      { session: spoiled.id, run: expect.any(String), error: { code: 'ILLEGAL_EVENT' } },
      { session: sound.id, status: 'waiting' },
    ])
    const other = agent({ name: 'other', model: scriptedModel([]), store: where.open() })
    expect(await other.resumeOpen()).toEqual([])
  })

  test('a run whose agent has changed keeps no other from being taken up, and stands as it was', async () => {
    await using where = place()
    const clock = manualClock()
    const before = await clerk(where.open(), { clock, instructions: 'Be long.' }).startSession()
    await before.run('go')
    await clock.advance(1)
    const sound = await clerk(where.open(), { clock }).startSession()
    await sound.run('go')
    const [changed, same] = await clerk(where.open()).resumeOpen()
    expect(changed).toMatchObject({ session: before.id, error: { code: 'DEFINITION_CHANGED' } })
    expect(same).toMatchObject({ session: sound.id, status: 'waiting' })
    expect((await clerk(where.open()).openSession(before.id)).state.openRun).toBeDefined()
  })

  test('a log that cannot be read keeps no timer of another session', async () => {
    await using where = place()
    const clock = manualClock()
    const made = clerk(where.open(), { clock })
    const spoiled = await made.startSession()
    await spoiled.run('go')
    const sound = await made.startSession()
    await sound.run('go')
    await spoil(where.open(), spoiled.id)
    await clock.advance(hourMs)
    const failed: unknown[] = []
    const later = clerk(where.open(), { clock })
    expect(await later.runTimers({ onError: (each) => failed.push(each) })).toEqual([sound.id])
    expect(failed).toMatchObject([{ session: spoiled.id, error: { code: 'ILLEGAL_EVENT' } }])
    expect(await later.runTimers()).toEqual([sound.id])
    await expect(later.runTimers({ onerror: () => {} } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  })

  test('a session whose log cannot be read can be removed, with its children', async () => {
    await using where = place()
    const store = where.open()
    const clock = manualClock()
    const boss = agent({
      name: 'boss',
      model: scriptedModel([calling('ask', { input: 'go' }), 'done'], { fromHistory: true }),
      tools: [agentTool(clerk(store, { clock }), { name: 'ask', description: 'Asks' })],
      store,
      parts: { clock, ...mortal() },
    })
    for (const spoiledBelow of [false, true]) {
      const session = await boss.startSession()
      await session.run('go')
      const other = await boss.startSession()
      const rows = await store.list({ kind: 'session' })
      const child = rows.find(({ data }) => data.root === session.id)?.id ?? ''
      expect(child).not.toBe('')
      await spoil(store, spoiledBelow ? child : session.id)
      await boss.removeSession(session.id)
      const left = (await store.list({ kind: 'session' })).map(({ id }) => id)
      expect(left).toEqual([other.id])
      expect(await store.read(`session:${child}`)).toEqual([])
      await boss.removeSession(other.id)
    }
    await expect(boss.removeSession('nobody')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test('a sound run beside them ends as ever', async () => {
    await using where = place()
    const made = clerk(where.open())
    const session = await made.startSession()
    const [ask = ''] = (await session.run('go')).tickets
    await made.decide(ask, { approved: true }, { id: 'ann', method: 'web' })
    expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
    expect(await clerk(where.open()).resumeOpen()).toEqual([])
  })
})
