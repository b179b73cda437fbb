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

test('a model that streams very much hears the signal that stops its run, and its reader does', async () => {
  const stopped = new AbortController()
  afterTurns(3, () => stopped.abort(new Error('Enough.')))
  const model = scriptedModel(['word '.repeat(100_000)])
  const session = await agent({ name: 'talker', model }).startSession()
  let deltas = 0
  let end: unknown
  for await (const event of session.stream('go', { signal: stopped.signal })) {
    if (event.type === 'text.delta') deltas += 1
    if (event.type === 'run.ended') end = event
  }
  expect(end).toMatchObject({ status: 'cancelled', text: 'Stopped: Enough.' })
  expect(deltas).toBeLessThan(50_000)
})

test('a reader of very much progress lets the event loop turn', async () => {
  const report = tool({
    name: 'report',
    description: 'Reports',
    toolClass: 'read',
    execute: (_args, context) => {
      for (let count = 1; count <= 80_000; count += 1) context.progress({ message: `${count}` })
      return 'over'
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'report' }] }, 'done'])
  const session = await agent({ name: 'busy', model, tools: [report] }).startSession()
  let reports = 0
  let heardAfter = 0
  for await (const event of session.stream('go')) {
    if (event.type !== 'call.progressed') continue
    reports += 1
    if (reports === 1)
      setImmediate(() => {
        heardAfter = reports
      })
  }
  expect(reports).toBe(80_000)
  expect(heardAfter).toBeLessThan(5_000)
  expect(heardAfter).toBeGreaterThan(0)
})

test.each(['dispatch', 'spawn'] as const)(
  'a function that starts one agent after another by %s hears the signal that stops its run',
  async (kind) => {
    const stopped = new AbortController()
    const kid = agent({ name: 'kid', model: scriptedModel(() => 'done') })
    let startedWhenHeard = -1
    let started = 0
    const start = tool({
      name: 'start',
      description: 'Starts',
      toolClass: 'read',
      execute: async (_args, context) => {
        afterTurns(3, () => stopped.abort(new Error('Enough.')))
        context.signal.addEventListener('abort', () => {
          startedWhenHeard = started
        })
        for (; started < 900 && !context.signal.aborted; started += 1) {
          if (kind === 'dispatch') await context.dispatch(kid, { input: 'go' })
          else await context.spawn(kid, { input: 'go' }).wait()
        }
        return 'started'
      },
    })
    const model = scriptedModel([{ calls: [{ name: 'start' }] }, 'done'])
    const session = await agent({ name: 'boss', model, tools: [start] }).startSession()
    const result = await session.run('go', { signal: stopped.signal })
    expect(result).toMatchObject({ status: 'cancelled', text: 'Stopped: Enough.' })
    expect(startedWhenHeard).toBeGreaterThan(0)
    expect(startedWhenHeard).toBeLessThan(200)
  },
)

test('agents that are started in one go do not all begin before the event loop turns', async () => {
  let asked = 0
  const kid = agent({
    name: 'kid',
    model: scriptedModel(() => {
      asked += 1
      return 'done'
    }),
  })
  const askedAtTurns: number[] = []
  const start = tool({
    name: 'start',
    description: 'Starts',
    toolClass: 'read',
    execute: (_args, context) => {
      for (let count = 0; count < 300; count += 1) context.spawn(kid, { input: 'go' })
      const note = () => {
        askedAtTurns.push(asked)
        if (asked < 300) setImmediate(note)
      }
      setImmediate(note)
      return 'started'
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'start' }] }, 'done'])
  const session = await agent({ name: 'boss', model, tools: [start] }).startSession()
  expect(await session.run('go')).toMatchObject({ status: 'completed' })
  const steps = askedAtTurns.map((count, turn) => count - (askedAtTurns[turn - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThan(100)
  expect(asked).toBe(300)
})
