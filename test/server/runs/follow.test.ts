import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryStore, scriptedModel } from '../../../src/index.ts'
import { createHost, type Host } from '../../../src/server/host.ts'
import type { SentEvent } from '../../../src/server/runs/wire-writer.ts'
import { mortal } from '../../support/places.ts'
import { baseline, baselineHost, oneLookup } from '../support/baseline.ts'
import { eventually, refusal } from '../support/embedded-host.ts'

/** A run of two steps that has ended, as its first reader saw it. */
async function endedRun(host: Host, request: object = baseline): Promise<readonly SentEvent[]> {
  const seen: SentEvent[] = []
  for await (const sent of await host.startRun(request)) {
    seen.push(sent)
    if (sent.event.type !== 'tool.execution.requested') continue
    const { executionId, runId, call } = sent.event.execution
    await host.completeTool({ executionId, runId, callId: call.id, output: { passages: ['one'] } })
  }
  await host.runs.liveRun(seen[0]!.event.runId)?.done
  return seen
}

/** The numbers of what follows a place. */
async function behind(host: Host, runId: string, lastEventId: string): Promise<number[]> {
  const numbers: number[] = []
  for await (const { event } of await host.followRun(runId, lastEventId)) numbers.push(event.sequence)
  return numbers
}

const conversation = { ...baseline, session: { id: 'talk' } }

describe('a run that has ended', () => {
  test('ends for who has seen its last event, and goes on for all others, wherever it is read', async () => {
    const store = memoryStore()
    const host = baselineHost({ store, parts: mortal() })
    await host.createSession({ provider: 'double', id: 'talk' })
    await endedRun(host, conversation)
    // The second turn of a conversation begins in the middle of its log, and others come behind it.
    const seen = await endedRun(host, conversation)
    await endedRun(host, conversation)
    const numbers = seen.map(({ event }) => event.sequence)
    const { runId } = seen[0]!.event
    for (const reader of [host, baselineHost({ store, parts: mortal() })])
      for (const [at, { id }] of seen.entries())
        expect(await behind(reader, runId, id)).toEqual(numbers.slice(at + 1))
  })

  test('of which a replay was read ends for who has seen the end of that', async () => {
    const host = baselineHost()
    const request = { ...baseline, idempotencyKey: 'order-1' }
    await endedRun(host, request)
    const replayed = await endedRun(host, request)
    const { runId } = replayed[0]!.event
    for (const [at, { id }] of replayed.entries())
      expect(await behind(host, runId, id)).toHaveLength(replayed.length - at - 1 + unreplayed(replayed, at))
  })

  test('has no places but its own', async () => {
    const host = baselineHost()
    await host.createSession({ provider: 'double', id: 'talk' })
    const before = await endedRun(host, conversation)
    const seen = await endedRun(host, conversation)
    const after = await endedRun(host, conversation)
    const { runId } = seen[0]!.event
    const logs = seen.map(({ id }) => Number(id.split('.')[1]))
    const [first, last] = [Math.min(...logs), Math.max(...logs)]
    const foreign = [
      ...[...before, ...after].map(({ id }) => id),
      ...[`99.${first}.0`, `2.0.0`, `1.${first - 1}.0`, `99.${last + 1}.0`, `99.${last}.1`, `0.${last}.0`],
    ]
    for (const id of foreign)
      expect([id, await refusal(behind(host, runId, id))]).toEqual([id, 'INVALID_REQUEST'])
  })

  test('ends or refuses whatever place is named', async () => {
    const host = baselineHost()
    const seen = await endedRun(host)
    const ids = seen.map(({ id }) => id)
    const { runId } = seen[0]!.event
    const numbers = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((parts) => parts.join('.'))
    await fc.assert(
      fc.asyncProperty(fc.oneof(numbers, fc.string(), fc.constantFrom(...ids)), async (id) => {
        const rest = await behind(host, runId, id).catch((error: { code: string }) => error.code)
        if (ids.includes(id)) expect(rest).toHaveLength(ids.length - ids.indexOf(id) - 1)
        else if (typeof rest === 'string') expect(rest).toBe('INVALID_REQUEST')
      }),
    )
  })
})

/** A replay leaves out what only the first reader may act on; who follows is told of it. */
function unreplayed(replayed: readonly SentEvent[], at: number): number {
  const called = replayed.findIndex(({ event }) => event.type === 'tool.called')
  return at <= called ? 1 : 0
}

describe('a run that goes on', () => {
  test('has no places behind its log, and none of asks that were never there', async () => {
    const host = baselineHost({ applicationTools: { enabled: true }, approvals: { interactive: true } })
    const asking = { ...baseline, approvals: { mode: 'interactive', idlePolicy: 'pause' } }
    const seen: SentEvent[] = []
    for await (const sent of await host.startRun({ ...asking, onDisconnect: 'keep' })) {
      seen.push(sent)
      if (sent.event.type === 'approval.requested') break
    }
    const { event, id } = seen.at(-1)!
    const [sequence, log, beyond] = id.split('.').map(Number) as [number, number, number]
    expect(beyond).toBe(1)
    for (const wrong of [`${sequence}.${log}.2`, `${sequence}.${log + 50}.0`, '5.1.0'])
      expect([wrong, await refusal(host.followRun(event.runId, wrong))]).toEqual([wrong, 'INVALID_REQUEST'])
    expect(host.runs.liveRun(event.runId)?.isRead).toBe(false)
    const rest = await host.followRun(event.runId, id)
    await host.cancelRun(event.runId)
    const types: string[] = []
    for await (const { event } of rest) types.push(event.type)
    expect(types.at(-1)).toBe('run.cancelled')
  })

  test('ends when whoever started it leaves, whoever else looks on', async () => {
    const host = baselineHost()
    const stream = await host.startRun(baseline)
    const followers: string[][] = []
    for await (const { event } of stream) {
      if (event.type !== 'tool.execution.requested') continue
      const follower = await host.followRun(event.runId, undefined)
      const types: string[] = []
      followers.push(types)
      const read = (async () => {
        for await (const one of follower) types.push(one.event.type)
      })()
      await eventually(() => (types.includes('tool.execution.requested') ? true : undefined))
      stream.close()
      await read
    }
    expect(followers[0]?.at(-1)).toBe('run.cancelled')
    expect(await host.runStatus(stream.runId)).toMatchObject({ status: 'cancelled' })
  })

  test('does not end when somebody who only looked on leaves, and is kept when it said so', async () => {
    for (const onDisconnect of ['cancel', 'keep'] as const) {
      const host = createHost({
        providers: { double: { models: { small: scriptedModel([{ calls: oneLookup }, 'finished']) } } },
        applicationTools: { enabled: true, requireApproval: false },
      })
      const stream = await host.startRun({ ...baseline, onDisconnect })
      for await (const { event } of stream) {
        if (event.type !== 'tool.execution.requested') continue
        const follower = await host.followRun(event.runId, undefined)
        follower.close()
        if (onDisconnect === 'keep') stream.close()
        const { executionId, runId, call } = event.execution
        await host.completeTool({ executionId, runId, callId: call.id, output: { passages: ['one'] } })
      }
      await host.runs.liveRun(stream.runId)?.done
      expect(await host.runStatus(stream.runId)).toMatchObject({ status: 'completed' })
    }
  })
})
