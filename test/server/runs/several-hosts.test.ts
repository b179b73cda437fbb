import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/core/limits.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { manualClock } from '../../../src/testing.ts'
import { places } from '../../support/places.ts'
import { baseline, baselineHost, typesOf } from '../support/baseline.ts'

/** A process that others cannot know to have ended. */
const owner = (name: string) => ({ name, hasEnded: () => false })

type Asked = Extract<RunEvent, { type: 'tool.execution.requested' }>['execution']

async function untilAsked(stream: AsyncIterable<{ readonly event: RunEvent }>): Promise<Asked> {
  for await (const { event } of stream) if (event.type === 'tool.execution.requested') return event.execution
  throw new Error('Nothing was asked for.')
}

describe.each(places)('two hosts of one store, over %s', (_name, place) => {
  test('a run is followed at the one that does not drive it, to its end', async () => {
    await using where = place()
    const clock = manualClock()
    const [first, second] = ['one', 'two'].map((name) =>
      baselineHost({ store: where.open(), parts: { clock, owner: owner(name) } }),
    ) as [ReturnType<typeof baselineHost>, ReturnType<typeof baselineHost>]
    const { executionId, runId, call } = await untilAsked(
      await first.startRun({ ...baseline, onDisconnect: 'keep' }),
    )
    await second.recover()
    expect(second.runs.liveRun(runId)).toBeUndefined()
    const events: RunEvent[] = []
    const following = (async () => {
      for await (const { event } of await second.followRun(runId, undefined)) events.push(event)
    })()
    await second.completeTool({ executionId, runId, callId: call.id, output: { passages: ['here'] } })
    await following
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(['tool.execution.requested', 'tool.completed', 'run.completed']),
    )
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    await second.close()
  })

  test('a run is cancelled at the one that does not drive it, and its ticket takes no result', async () => {
    await using where = place()
    const clock = manualClock()
    const [first, second] = ['one', 'two'].map((name) =>
      baselineHost({ store: where.open(), parts: { clock, owner: owner(name) } }),
    ) as [ReturnType<typeof baselineHost>, ReturnType<typeof baselineHost>]
    const stream = await first.startRun({ ...baseline, onDisconnect: 'keep' })
    const { executionId, runId, call } = await untilAsked(stream)
    await second.cancelRun(runId)
    expect(await second.runStatus(runId)).toMatchObject({ status: 'cancelled' })
    const result = { executionId, runId, callId: call.id, output: { passages: ['here'] } }
    await expect(second.completeTool(result)).rejects.toMatchObject({ code: 'TOOL_EXECUTION_NOT_FOUND' })
    await first.close()
    await second.close()
  })

  test('what one of them leaves when it dies is taken up by the other, when its lease is over', async () => {
    await using where = place()
    const clock = manualClock()
    const dying = manualClock(clock.now())
    const first = baselineHost({ store: where.open(), parts: { clock: dying, owner: owner('one') } })
    const second = baselineHost({ store: where.open(), parts: { clock, owner: owner('two') } })
    const { executionId, runId, call } = await untilAsked(
      await first.startRun({ ...baseline, onDisconnect: 'keep' }),
    )
    // From here on the clock of the first stands still: it renews nothing, and does nothing.
    await second.recover()
    expect(second.runs.liveRun(runId)).toBeUndefined()
    await clock.advance(limits.leaseMs)
    while (second.runs.liveRun(runId) === undefined) await clock.advance(limits.leaseMs)
    await second.completeTool({ executionId, runId, callId: call.id, output: { passages: ['late'] } })
    const events: RunEvent[] = []
    for await (const { event } of await second.followRun(runId, undefined)) events.push(event)
    expect(events.at(-1)?.type).toBe('run.completed')
    await second.close()
  })

  test('a run that ends with its reader has a minute for him to come back after a restart', async () => {
    await using where = place()
    const clock = manualClock()
    const store = where.open()
    const dying = manualClock(clock.now())
    const first = baselineHost({
      store,
      parts: { clock: dying, owner: { name: 'one', hasEnded: () => true } },
    })
    const stream = await first.startRun(baseline)
    const events = stream[Symbol.asyncIterator]()
    for (let type = ''; type !== 'tool.execution.requested'; )
      type = (await events.next()).value?.event.type ?? 'over'
    const second = baselineHost({
      store: where.open(),
      parts: { clock, owner: { name: 'two', hasEnded: () => true } },
    })
    await second.recover()
    await clock.advance(59_000)
    expect(second.runs.liveRun(stream.runId)).toBeDefined()
    const live = second.runs.liveRun(stream.runId)
    await clock.advance(1_000)
    await live?.done
    const { session } = await second.runs.find(stream.runId, {})
    expect(session.state.runs.get(stream.runId)?.ended).toMatchObject({ status: 'cancelled' })
    expect(second.runs.executions.size).toBe(0)
    await second.close()
  })
})

test('a place that is none of the run is refused', async () => {
  const host = baselineHost()
  const { runId } = await untilAsked(await host.startRun({ ...baseline, onDisconnect: 'keep' }))
  for (const id of ['999.999.999', 'x', '1.2'])
    await expect(host.followRun(runId, id)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test("what a provider says of its failure is the host's alone", async () => {
  const broken = {
    name: 'broken',
    // biome-ignore lint/correctness/useYield: it breaks before its first word.
    async *propose() {
      throw new Error('key sk-123 at 10.0.0.7 was refused')
    },
  }
  const host = baselineHost({ providers: { double: { models: { small: broken } } } })
  const events: RunEvent[] = []
  for await (const event of host.stream({ provider: 'double', model: 'small', input: 'x' }))
    events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'PROVIDER_ERROR' } })
  expect(JSON.stringify(events)).not.toContain('sk-123')
})

test('an answer that never ends is broken off, and its run fails', async () => {
  const endless = {
    name: 'endless',
    async *propose() {
      for (;;) yield { type: 'text' as const, delta: 'z'.repeat(100) }
    },
  }
  const host = baselineHost({ providers: { double: { models: { small: endless } } } })
  await expect(
    host.run({ provider: 'double', model: 'small', input: 'x', maxOutputTokens: 10 }),
  ).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
  expect(host.runs.load).toEqual({ active: 0, queued: 0 })
})
