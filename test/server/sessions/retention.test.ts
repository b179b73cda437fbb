import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/core/limits.ts'
import { memoryStore, type Store } from '../../../src/index.ts'
import { Journal, sessionStream } from '../../../src/runtime/journal.ts'
import { ownSession } from '../../../src/runtime/ownership.ts'
import { listRuns } from '../../../src/server/discovery/list-runs.ts'
import type { HostLimits } from '../../../src/server/host-options.ts'
import { keyedIds } from '../../../src/server/runs/keyed-ids.ts'
import { hostAgentName } from '../../../src/server/runs/run-agent.ts'
import { createSession } from '../../../src/server/sessions/create-session.ts'
import { Retention } from '../../../src/server/sessions/retention.ts'
import { reconcileCall } from '../../../src/server/tickets/reconcile-call.ts'
import { manualClock } from '../../../src/testing.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  eventually,
  patient,
  request,
} from '../support/embedded-host.ts'

const plain = { provider: 'double', model: 'small', input: 'Hello' }
const minute = 60_000
const oneMinute = { runRetentionMs: minute }

function keeping(kept: HostLimits, store: Store = memoryStore()) {
  const clock = manualClock()
  const host = embeddedHost({ store, clock, options: { limits: kept }, steps: [] })
  const retention = new Retention(kept, host.parts)
  return { host, store, clock, retention }
}

async function ended(host: EmbeddedHost, given: object = plain): Promise<string> {
  const run = await host.start(given)
  await run.done
  return run.runId
}

async function runIds(store: Store): Promise<readonly string[]> {
  return (await store.list({ kind: 'run' })).map(({ id }) => id)
}

describe.each(places)('a run without a session, in %s', (_name, makePlace) => {
  test('is kept as long as the host says, and then it is gone with its session and its key', async () => {
    await using place = makePlace()
    const { host, store, clock, retention } = keeping(oneMinute, place.open())
    const keyed = { ...plain, idempotencyKey: 'order-1' }
    const runId = await ended(host, keyed)
    await clock.advance(minute - 1)
    await retention.look()
    expect(await runIds(store)).toEqual([runId])
    await ended(host, keyed)
    expect(host.asked.count).toBe(1)
    await clock.advance(1)
    await retention.look()
    expect(await runIds(store)).toEqual([])
    expect(await store.list({ kind: 'session' })).toEqual([])
    expect((await listRuns(host, {}, {})).runs).toEqual([])
    expect(await ended(host, { ...keyed, input: 'Something else' })).toBe(runId)
    expect(host.asked.count).toBe(2)
  })
})

test('the host looks by itself, every ten seconds', async () => {
  const { host, store, clock } = keeping(oneMinute)
  await ended(host)
  await host.runs.recover()
  await clock.advance(minute - limits.leaseMs)
  expect(await runIds(store)).toHaveLength(1)
  let left: readonly string[] = await runIds(store)
  for (let turn = 0; left.length > 0 && turn < 10; turn += 1) {
    await clock.advance(limits.leaseMs)
    for (let wait = 0; wait < 50; wait += 1) await new Promise((resolve) => setImmediate(resolve))
    left = await runIds(store)
  }
  expect(left).toEqual([])
  await host.runs.close(0)
})

test('without a word about it everything is kept', async () => {
  const { host, store, clock, retention } = keeping({})
  await ended(host)
  await clock.advance(10 * 365 * 24 * 60 * minute)
  await retention.look()
  expect(await runIds(store)).toHaveLength(1)
})

test('what is open, waits, or is driven stays, however long ago it began', async () => {
  const { host, store, clock } = keeping(oneMinute)
  const waiting = embeddedHost({ store, clock, options: { limits: oneMinute } })
  const run = await waiting.start({ ...request, onDisconnect: 'keep' })
  await run.first('tool.execution.requested')
  const over = await ended(host)
  const [row] = await store.list({ kind: 'run', id: over })
  await clock.advance(10 * minute)
  const owned = await ownSession({ ...host.parts, ...patient }, row!.stream)
  const retention = new Retention(oneMinute, { ...host.parts, ...patient })
  await retention.look()
  expect((await runIds(store)).toSorted()).toEqual([run.runId, over].toSorted())
  await owned.release()
  await retention.look()
  expect(await runIds(store)).toEqual([run.runId])
})

test('a call that nobody has reconciled keeps its run', async () => {
  const store = memoryStore()
  const clock = manualClock()
  const host = embeddedHost({ store, clock })
  const run = await host.start(request)
  const { execution } = await run.first('tool.execution.requested')
  run.close()
  await eventually(() => (host.runs.liveRun(run.runId) === undefined ? true : undefined))
  const retention = new Retention(oneMinute, host.parts)
  await clock.advance(minute)
  await retention.look()
  expect(await runIds(store)).toEqual([run.runId])
  await reconcileCall(host, { runId: run.runId, callId: execution.call.id, found: 'not_run' }, {})
  await retention.look()
  expect(await runIds(store)).toEqual([])
})

test('a conversation is kept by its last turn, and by a time of its own', async () => {
  const both = { runRetentionMs: minute, sessionRetentionMs: 3 * minute }
  const { host, store, clock, retention } = keeping(both)
  const { id } = await createSession(host, { provider: 'double' }, {})
  const sessions = async () => (await store.list({ kind: 'session' })).map((row) => row.id)
  await clock.advance(2 * minute)
  await ended(host, { ...plain, session: { id } })
  await ended(host)
  await clock.advance(2 * minute)
  await retention.look()
  expect(await sessions()).toEqual([id])
  await clock.advance(minute)
  await retention.look()
  expect(await sessions()).toEqual([])
})

test('a time for runs says nothing of conversations', async () => {
  const { host, store, clock, retention } = keeping(oneMinute)
  const { id } = await createSession(host, { provider: 'double' }, {})
  await ended(host, { ...plain, session: { id } })
  await clock.advance(100 * minute)
  await retention.look()
  expect((await store.list({ kind: 'session' })).map((row) => row.id)).toEqual([id])
})

test('what other agents keep in the store is not looked at', async () => {
  const { host, store, clock, retention } = keeping(oneMinute)
  await new Journal(store, 'theirs', clock).write(() => [
    { type: 'session.started', session: 'theirs', subject: 'ann', agent: 'desk' },
  ])
  await new Journal(store, 'begun', clock).write(() => [
    { type: 'session.started', session: 'begun', subject: 'ann', agent: hostAgentName },
  ])
  await clock.advance(2 * minute)
  await retention.look()
  expect((await store.list({ kind: 'session' })).map(({ id }) => id)).toEqual(['theirs'])
  expect(host.runs.load).toEqual({ active: 0, queued: 0 })
})

test('one look removes two hundred at most, the oldest first, and the next goes on', async () => {
  const { store, clock, retention } = keeping(oneMinute)
  for (let index = 0; index < 450; index += 1) {
    const session = `s${String(index).padStart(3, '0')}`
    await new Journal(store, session, clock).write(() => [
      { type: 'session.started', session, subject: 'ann', agent: hostAgentName },
    ])
  }
  await clock.advance(2 * minute)
  const left = async () => (await store.list({ kind: 'session', limit: 1_000 })).map(({ id }) => id)
  await retention.look()
  expect([(await left()).length, (await left())[0]]).toEqual([250, 's200'])
  await retention.look()
  expect((await left()).length).toBe(50)
  await retention.look()
  expect(await left()).toEqual([])
})

test('several hosts that look at once, while the key is used again, leave one run of it', async () => {
  const store = memoryStore()
  const clock = manualClock()
  const kept = { limits: oneMinute }
  const first = embeddedHost({ store, clock, options: kept, steps: [], ...patient })
  const second = beside(first, store, { options: kept, steps: [], ...patient })
  const keyed = { ...plain, idempotencyKey: 'order-1' }
  const { run: runId, session = '' } = keyedIds(first.parts.ids, 'local', keyed)
  for (let round = 0; round < 20; round += 1) {
    await ended(first, keyed)
    await clock.advance(2 * minute)
    const looks = [first, second].map(({ parts }) => new Retention(oneMinute, parts).look())
    const starts = [first, second].map((host) => ended(host, keyed).catch((error: unknown) => error))
    for (const outcome of await Promise.all(starts))
      if (outcome !== runId) expect(outcome).toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    await Promise.all(looks)
    expect((await runIds(store)).length).toBeLessThanOrEqual(1)
    const events = await store.read(sessionStream(session))
    expect(events.filter(({ event }) => event.type === 'run.started').length).toBeLessThanOrEqual(1)
  }
})

test('a host that closes removes nothing more', async () => {
  const { host, store, clock, retention } = keeping(oneMinute)
  await ended(host)
  await clock.advance(2 * minute)
  await retention.stop()
  await retention.look()
  expect(await runIds(store)).toHaveLength(1)
})
