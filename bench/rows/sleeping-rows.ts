import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { agent, type Session, type Store, scriptedModel, suspend, tool } from '../../dist/index.js'
import { temporaryStore } from '../loop/temporary-store.ts'
import { median } from '../measure.ts'
import { type Row, ratioRow } from '../row.ts'

const sleeping = 100_000
const atOnce = 256
const resumed = 201
const memoryMaxMb = 100
const resumeMaxMs = 10
const longLogEvents = 10_000

/** An agent whose every run stops to ask, and goes on with a decision. */
function asker(store: Store) {
  return agent({
    name: 'asker',
    model: scriptedModel([{ calls: [{ name: 'post' }] }, 'Posted.'], { fromHistory: true }),
    tools: [tool({ name: 'post', description: 'Post', toolClass: 'external', execute: () => 'posted' })],
    store,
    approvals: () => suspend(),
  })
}

/**
 * Runs that sleep are rows: what 100,000 of them add to a process's memory (over 100 MB), and how long it takes to open
 * one, decide its ask and bring it to its end (over 10 ms).
 */
export async function sleepingRows(): Promise<Row[]> {
  await using store = temporaryStore()
  const clerk = asker(store)
  await putToSleep(clerk, atOnce)
  const before = usedBytes()
  await putToSleep(clerk, sleeping)
  const grownMb = Math.max(0, usedBytes() - before) / 1e6
  const times: number[] = []
  const rows = await store.list({ kind: 'ticket', status: 'open', limit: resumed, newestFirst: true })
  for (const row of rows) {
    const startedAt = performance.now()
    const session = await clerk.openSession(String(row.data.session))
    await session.decide(row.id, { approved: true })
    await finish(session)
    times.push(performance.now() - startedAt)
  }
  const p50 = median(times)
  return [
    {
      name: `${sleeping.toLocaleString('en-US')} sleeping runs: megabytes of memory that they add`,
      ratio: grownMb / memoryMaxMb,
      budget: 1,
      peer: `${memoryMaxMb} MB`,
      runs: 1,
    },
    ratioRow(
      'opening, deciding and ending one of them, p50',
      { oursMs: p50, peerMs: resumeMaxMs },
      { peer: `${resumeMaxMs} ms`, runs: times.length, budget: 1 },
    ),
  ]
}

async function putToSleep(clerk: ReturnType<typeof asker>, count: number): Promise<void> {
  for (let begun = 0; begun < count; begun += atOnce) {
    const many = Array.from({ length: Math.min(atOnce, count - begun) }, async () => {
      const { status } = await (await clerk.startSession('ask')).run('Post it.')
      if (status !== 'waiting') throw new Error(`A run ended as ${status}.`)
    })
    await Promise.all(many)
  }
}

/** What the process holds once the collector has been through. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function finish(session: Session): Promise<void> {
  const stream = session.resume()
  for (;;) {
    const next = await stream.next()
    if (next.done !== true) continue
    if (next.value.status !== 'completed') throw new Error(`A run ended as ${next.value.status}.`)
    return
  }
}

/** Opening a session from a log of 10,000 events, over what the same log costs to be read from the store alone. */
export async function longLogRows(): Promise<Row[]> {
  await using store = temporaryStore()
  const steps = Math.ceil(longLogEvents / 4)
  const look = tool({ name: 'look', description: 'Look', toolClass: 'read', execute: () => 'seen' })
  const script = Array.from({ length: steps }, () => ({ calls: [{ name: 'look' }] }))
  const clerk = agent({
    name: 'looker',
    model: scriptedModel([...script, 'Done.']),
    tools: [look],
    store,
    stepsMax: steps + 5,
    callsMax: steps + 5,
  })
  const session = await clerk.startSession('auto')
  await session.run('Look again and again.')
  const events = session.state.sequence
  if (events < longLogEvents) throw new Error(`The log has ${events} events only.`)
  const opened: number[] = []
  const read: number[] = []
  for (let round = 0; round < 25; round += 1) {
    let startedAt = performance.now()
    await clerk.openSession(session.id)
    opened.push(performance.now() - startedAt)
    startedAt = performance.now()
    await store.read(`session:${session.id}`)
    read.push(performance.now() - startedAt)
  }
  const name = `a session opened from a log of ${events.toLocaleString('en-US')} events`
  const sides = { oursMs: median(opened), peerMs: median(read) }
  return [ratioRow(name, sides, { peer: 'reading the same log from the store', runs: opened.length })]
}
