import { expect, test } from 'vitest'
import { agent, memoryStore, scriptedModel, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'

/** A tool that is given up after 10 milliseconds and comes to its end when the test says so. */
async function givenUp() {
  const clock = manualClock()
  const ending = Promise.withResolvers<unknown>()
  const started = Promise.withResolvers<void>()
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'write',
    timeout: 10,
    outputSchema: { type: 'string' },
    execute: () => {
      started.resolve()
      return ending.promise as Promise<string>
    },
  })
  const store = memoryStore()
  const model = scriptedModel([{ calls: [{ name: 'pay', args: {} }] }, 'done'])
  const session = await agent({ name: 'a', model, tools: [pay], store, parts: { clock } }).startSession(
    'auto',
  )
  const running = session.run('go')
  await started.promise
  await clock.advance(10)
  await clock.advance(100)
  await running
  const lateOf = async () => {
    for (;;) {
      const late = (await session.events()).find(({ event }) => event.type === 'call.late')
      if (late !== undefined) return late.event
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const [call] = session.state.calls.keys()
  return { session, ending, lateOf, call: call! }
}

test('an output that comes in late settles what became of its call', async () => {
  const { session, ending, lateOf, call } = await givenUp()
  expect([...session.state.uncertain.values()]).toEqual([call])
  ending.resolve('paid')
  expect(await lateOf()).toMatchObject({ outcome: { status: 'completed' } })
  expect(session.state.uncertain.size).toBe(0)
  await expect(session.reconcile(call, 'completed')).rejects.toMatchObject({ code: 'CALL_NOT_UNCERTAIN' })
})

test('an output that comes in late and is none leaves its call uncertain until somebody finds out', async () => {
  const { session, ending, lateOf, call } = await givenUp()
  ending.resolve(7)
  expect(await lateOf()).toMatchObject({ outcome: { code: 'invalid_output', effect: 'uncertain' } })
  expect([...session.state.uncertain.values()]).toEqual([call])
  await session.reconcile(call, 'completed')
  expect(session.state.uncertain.size).toBe(0)
})

test('a throw that comes in late says, as one in time does, that the tool has failed', async () => {
  const { session, ending, lateOf } = await givenUp()
  ending.reject(new Error('No money.'))
  expect(await lateOf()).toMatchObject({ outcome: { status: 'failed', effect: 'none' } })
  expect(session.state.uncertain.size).toBe(0)
})
