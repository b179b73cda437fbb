import { expect, test } from 'vitest'
import { agent, scriptedModel, tool } from '../../src/index.ts'

const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'nothing' })
const looking = scriptedModel(() => ({ calls: [{ name: 'look' }] }))
const restless = (stepsMax: number) =>
  agent({ name: 'restless', model: looking, tools: [look], stepsMax, callsMax: stepsMax + 1 })

/** Does something after so many turns of the event loop. */
function afterTurns(turns: number, action: () => void): void {
  setImmediate(() => (turns === 0 ? action() : afterTurns(turns - 1, action)))
}

test('a run in memory that never ends by itself hears the signal that stops it', async () => {
  const stopped = new AbortController()
  afterTurns(3, () => stopped.abort(new Error('Enough.')))
  const session = await restless(3_000).startSession()
  const result = await session.run('go', { signal: stopped.signal })
  expect(result).toMatchObject({ status: 'cancelled', text: 'Stopped: Enough.' })
})

test('runs that are driven beside each other, or one after another, let the event loop turn', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    setImmediate(count).unref()
  }
  setImmediate(count).unref()
  const run = async () => (await restless(40).startSession()).run('go')
  await Promise.all(Array.from({ length: 10 }, run))
  expect(turns).toBeGreaterThan(3)
  turns = 0
  for (let index = 0; index < 30; index += 1) await run()
  expect(turns).toBeGreaterThan(3)
})
