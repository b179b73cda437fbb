import { expect, test } from 'vitest'
import { agent, scriptedModel } from '../../src/index.ts'
import { mortal, places } from '../support/places.ts'

test.each(places)(
  'what a run was started for is kept with it, under the id that it was given, over %s',
  async (_name, place) => {
    await using where = place()
    const make = () =>
      agent({ name: 'a', model: scriptedModel(() => 'done'), store: where.open(), parts: mortal() })
    const session = await make().startSession()
    const origin = { model: 'small', tools: ['look'], note: 'x'.repeat(1_000_000), __proto__: null }
    expect((await session.run('go', { id: 'run_of_mine', origin })).run).toBe('run_of_mine')
    const opened = await make().openSessionOfRun('run_of_mine')
    expect(await opened.originOf('run_of_mine')).toEqual({ ...origin })
    const second = await session.run('more')
    expect(await session.originOf(second.run)).toBeUndefined()
    await expect(session.originOf('none')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
    await expect(session.run('again', { id: 'run_of_mine' })).rejects.toMatchObject({ code: 'ILLEGAL_EVENT' })
  },
)

test.each([
  ['a function', () => 1, 'it is no JSON'],
  ['more than 4 MiB', 'x'.repeat(4_194_305), 'bytes, and at most 4194304 are kept'],
])('%s is not kept with a run, which does not begin', async (_what, origin, sentence) => {
  const session = await agent({ name: 'a', model: scriptedModel(() => 'done') }).startSession()
  await expect(session.run('go', { origin: origin as never })).rejects.toThrow(sentence)
  expect(session.state.runs.size).toBe(0)
})
