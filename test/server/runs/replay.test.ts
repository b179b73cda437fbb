import { describe, expect, test } from 'vitest'
import { memoryStore, type Store, tool } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost, type Host } from '../../../src/server/host.ts'
import { sqlite } from '../../../src/sqlite.ts'
import { manualClock } from '../../../src/testing.ts'
import { mortal, places } from '../../support/places.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { baseline, baselineHost, oneLookup, proposing, typesOf } from '../support/baseline.ts'

type Asked = Extract<RunEvent, { type: 'tool.execution.requested' }>['execution']

/** Plays a request to its end; every execution is answered. */
async function played(
  host: Host,
  request: unknown,
  counted: { count: number },
  who = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of host.stream(request, who)) {
    events.push(event)
    if (event.type === 'approval.requested') {
      const { session } = await host.runs.find(event.runId, who)
      await session.decide(event.approval.approvalId, { approved: true })
    }
    if (event.type !== 'tool.execution.requested') continue
    counted.count += 1
    const { session } = await host.runs.find(event.runId, who)
    await session.redeem(event.execution.executionId, { output: { passages: ['found'] } })
  }
  return events
}

const keyed = { ...baseline, idempotencyKey: 'order-1', metadata: { a: '1', b: '2' } }

describe('the same key', () => {
  test('with the same request replays the run: nothing is executed or asked again [application/G2] [application/G3]', async () => {
    const asked = { count: 0 }
    const executed = { count: 0 }
    const host = baselineHost(
      { applicationTools: { enabled: true }, approvals: { interactive: true } },
      oneLookup,
      asked,
    )
    const request = { ...keyed, approvals: { mode: 'interactive', idlePolicy: 'pause' } }
    const first = await played(host, request, executed)
    expect(typesOf(first)).toEqual(expect.arrayContaining(['approval.requested', 'tool.execution.requested']))
    const replayed = await played(host, request, executed)
    expect({ asked, executed }).toEqual({ asked: { count: 2 }, executed: { count: 1 } })
    expect(replayed.at(-1)).toMatchObject({ type: 'run.completed', runId: first[0]?.runId })
    expect(replayed.map(({ sequence }) => sequence)).toEqual(replayed.map((_, index) => index + 1))
    for (const type of ['approval.requested', 'approval.resolved', 'tool.execution.requested'])
      expect(typesOf(replayed)).not.toContain(type)
    expect(typesOf(replayed)).toContain('tool.completed')
  })

  test('does not care for the order of keys; another request is a conflict, and another subject another run [application/G5]', async () => {
    const executed = { count: 0 }
    const host = baselineHost()
    const [first] = await played(host, keyed, executed)
    const { metadata: _metadata, idempotencyKey, ...rest } = keyed
    const turned = { metadata: { b: '2', a: '1' }, idempotencyKey, ...rest }
    expect((await played(host, turned, executed))[0]?.runId).toBe(first?.runId)
    await expect(host.stream({ ...keyed, input: 'other' }).next()).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
      status: 409,
    })
    const [others] = await played(host, keyed, executed, { subject: 'other' })
    expect(others?.runId).not.toBe(first?.runId)
    expect(executed.count).toBe(2)
  })

  test('while its run is going on is refused, and asks no model [application/G7]', async () => {
    const asked = { count: 0 }
    const host = baselineHost({}, oneLookup, asked)
    const stream = host.stream({ ...keyed, onDisconnect: 'keep' })
    for (let type = ''; type !== 'tool.execution.requested'; )
      type = (await stream.next()).value?.type ?? 'over'
    await expect(host.stream({ ...keyed, onDisconnect: 'keep' }).next()).rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS',
      retryable: true,
    })
    expect(asked.count).toBe(1)
  })

  test('of a run that was left replays what was confirmed and its cancellation, and says that something may have been done [application/G7] [application/G10]', async () => {
    const host = baselineHost()
    const stream = host.stream(keyed)
    for (let type = ''; type !== 'tool.execution.requested'; )
      type = (await stream.next()).value?.type ?? 'over'
    await stream.return()
    await (await host.runs.find((await played(host, keyed, { count: 0 }))[0]?.runId as string, {})).live?.done
    const replayed = await played(host, keyed, { count: 0 })
    expect(replayed.at(-1)).toMatchObject({
      type: 'run.cancelled',
      error: { code: 'CANCELLED', outcome: 'uncertain' },
    })
  })

  test('started twice at once, in two processes of one file, is one run [application/G15]', async () => {
    const { path, remove } = temporaryFolder()
    const stores = [sqlite(`${path}/host.db`), sqlite(`${path}/host.db`)]
    try {
      const hosts = stores.map((store) => baselineHost({ store, parts: mortal() }))
      const request = { ...keyed, tools: undefined, applicationTools: undefined, input: 'Say it.' }
      const plain = JSON.parse(JSON.stringify(request))
      const outcomes = await Promise.all(
        hosts.map(async (host) => {
          try {
            return (await played(host, plain, { count: 0 }))[0]?.runId
          } catch (error) {
            return (error as { code: string }).code
          }
        }),
      )
      const ids = outcomes.filter((outcome) => outcome?.startsWith('run_key_'))
      expect(ids.length).toBeGreaterThan(0)
      expect(new Set(ids).size).toBe(1)
      for (const outcome of outcomes) expect([ids[0], 'OPERATION_IN_PROGRESS']).toContain(outcome)
    } finally {
      for (const store of stores) await store.close()
      remove()
    }
  })
})

describe('a store', () => {
  test('keeps a record of any size: an output of the most bytes is replayed whole [application/G11]', async () => {
    const host = baselineHost()
    const passages = ['x'.repeat(127_000)]
    for await (const event of host.stream(keyed)) {
      if (event.type !== 'tool.execution.requested') continue
      const { executionId, runId, call } = event.execution
      await host.completeTool({ executionId, runId, callId: call.id, output: { passages } })
    }
    const replayed = await played(host, keyed, { count: 0 })
    expect(replayed.find(({ type }) => type === 'tool.completed')).toMatchObject({ output: { passages } })
    expect(replayed.at(-1)?.type).toBe('run.completed')
  })

  test('that takes nothing more refuses new keys and replays old ones; what it lost is an error [application/G13]', async () => {
    const kept = memoryStore()
    let isFull = false
    let isBroken = false
    const store: Store = {
      ...bound(kept),
      append: async (append) => {
        // As node:sqlite throws it.
        if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
        return await kept.append(append)
      },
      getBlob: async (...given) => (isBroken ? undefined : await kept.getBlob(...given)),
    }
    const host = baselineHost({ store })
    const [first] = await played(host, keyed, { count: 0 })
    isFull = true
    await expect(host.stream({ ...keyed, idempotencyKey: 'order-2' }).next()).rejects.toMatchObject({
      code: 'OPERATION_STORE_FULL',
      status: 503,
    })
    expect((await played(host, keyed, { count: 0 }))[0]?.runId).toBe(first?.runId)
    isBroken = true
    await expect(host.stream(keyed).next()).rejects.toMatchObject({
      code: 'OPERATION_STORE_ERROR',
      status: 503,
    })
  })
})

/** A store whose methods can be taken apart. */
function bound(store: Store): Store {
  const names = [
    'append',
    'read',
    'list',
    'putBlob',
    'getBlob',
    'removeStream',
    'acquireLease',
    'readLease',
    'releaseLease',
    'watch',
    'close',
  ] as const
  return Object.fromEntries(names.map((name) => [name, store[name].bind(store)])) as unknown as Store
}

describe.each(places)('a host that died, over %s', (_name, place) => {
  test('has left its tickets in the store: another takes the runs up, the application finds its work, and the result counts later [application-tools/tickets-and-restart]', async () => {
    await using where = place()
    const clock = manualClock()
    const make = (asked = { count: 0 }) =>
      createHost({
        providers: { double: { models: { small: proposing(oneLookup, asked) } } },
        applicationTools: { enabled: true, requireApproval: false, maxPending: 1 },
        store: where.open(),
        parts: { clock, ...mortal() },
      })
    const first = make()
    const stream = await first.startRun({ ...baseline, onDisconnect: 'keep' })
    let asked: Asked | undefined
    let last = ''
    for await (const { event, id } of stream) {
      last = id
      if (event.type !== 'tool.execution.requested') continue
      asked = event.execution
      break
    }
    const { executionId, runId } = asked as Asked
    // The first host is never heard of again.
    const again = make()
    await again.recover()
    expect(again.runs.executions.size).toBe(1)
    await clock.advance(3_600_000)
    const { session } = await again.runs.find(runId, {})
    await session.redeem(executionId, { output: { passages: ['late'] } })
    const rest: RunEvent[] = []
    for await (const { event } of await again.followRun(runId, last)) rest.push(event)
    expect(typesOf(rest)).toEqual(['tool.completed', 'step.started', 'text.delta', 'run.completed'])
    expect(rest[0]?.sequence).toBe(Number(last.split('.')[0]) + 1)
    expect(again.runs.executions.size).toBe(0)
  })

  test("while a host's own tool ran leaves its call uncertain, its key says so, and nothing runs again [application/G12]", async () => {
    await using where = place()
    const effects: string[] = []
    const entered = Promise.withResolvers<void>()
    const own = tool({
      name: 'own',
      description: 'Acts and is never heard of again',
      toolClass: 'write',
      execute: () => {
        effects.push('done')
        entered.resolve()
        return new Promise(() => {})
      },
    })
    const make = () =>
      baselineHost({ tools: [own], defaultToolMode: 'auto', store: where.open(), parts: mortal() }, [
        { id: 'one', name: 'own' },
      ])
    const request = {
      provider: 'double',
      model: 'small',
      input: 'x',
      tools: ['own'],
      onToolFailure: 'fail',
      onDisconnect: 'keep',
      idempotencyKey: 'once',
    }
    const first = make()
    const stream = await first.startRun(request)
    const events = stream[Symbol.asyncIterator]()
    await events.next()
    events.next().catch(() => undefined)
    await entered.promise
    const again = make()
    await again.recover()
    const all: RunEvent[] = []
    for await (const { event } of await again.followRun(stream.runId, undefined)) all.push(event)
    expect(all.at(-1)).toMatchObject({
      type: 'run.failed',
      error: { code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' },
    })
    const replayed: RunEvent[] = []
    for await (const { event } of await again.startRun(request)) replayed.push(event)
    expect(replayed.at(-1)).toMatchObject({ runId: stream.runId, error: { outcome: 'uncertain' } })
    expect(effects).toEqual(['done'])
  })
})
