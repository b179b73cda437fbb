import { describe, expect, test } from 'vitest'
import type { ExecutionEvent } from '../../../src/protocol/tool-executions/execution-event.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { executionEvents } from '../../../src/server/tickets/execution-events.ts'
import { pendingExecutions } from '../../../src/server/tickets/pending-executions.ts'
import type { Who } from '../../../src/server/who.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  eventually,
  granted,
  refusal,
  request,
  worker,
} from '../support/embedded-host.ts'

const owner = { subject: 'owner' }
const many = { limits: { concurrentRunsPerSubject: 9 } }

async function out(host: EmbeddedHost, who: Who = owner) {
  const run = await host.start(request, who)
  const { execution } = await run.first('tool.execution.requested')
  const { executionId, runId, call } = execution
  await host.clock.advance(1_000)
  return { run, execution, result: { executionId, runId, callId: call.id, output: 1 } }
}

/** A worker that reads the stream into a list. */
function reading(host: EmbeddedHost, who: Who = owner) {
  const stop = new AbortController()
  const events: ExecutionEvent[] = []
  const done = (async () => {
    for await (const event of executionEvents(host, who, stop.signal)) events.push(event)
  })()
  const length = (count: number) => eventually(() => (events.length >= count ? events : undefined))
  const end = async () => {
    stop.abort()
    await done
  }
  return { events, length, end }
}

describe.each(places)('open executions, in %s', (_name, makePlace) => {
  test('are listed for their subject, the oldest first, page by page, in any process', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: many })
    const all = [await out(host), await out(host), await out(host)]
    const others = await out(host, { subject: 'other' })
    const elsewhere = beside(host, place.open())
    const first = await pendingExecutions(elsewhere, { limit: 2 }, owner)
    const facts = { requestedAt: '2026-01-01T00:00:00.000Z', provider: 'double', model: 'small' }
    expect(first.executions[0]).toEqual({ execution: all[0]?.execution, ...facts })
    const second = await pendingExecutions(elsewhere, { limit: 2, cursor: first.nextCursor as string }, owner)
    const ids = [...first.executions, ...second.executions].map(({ execution }) => execution.executionId)
    expect(ids).toEqual(all.map(({ execution }) => execution.executionId))
    expect(second.nextCursor).toBeUndefined()
    await completeTool(elsewhere, all[0]?.result, owner)
    const { executions } = await pendingExecutions(host, {}, owner)
    expect(executions.map(({ execution }) => execution.executionId)).toEqual(ids.slice(1))
    for (const { run } of [...all, others]) run.close()
  })

  test('come to a worker: those that wait, then those that come, and when they are over, each once', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: many })
    const earlier = await out(host)
    const here = reading(host)
    const there = reading(beside(host, place.open()))
    for (const each of [here, there]) await each.length(1)
    const later = await out(host)
    await out(host, { subject: 'other' })
    for (const each of [here, there]) await each.length(2)
    await completeTool(host, earlier.result, owner)
    for (const each of [here, there]) await each.length(3)
    later.run.close()
    for (const each of [here, there]) await each.length(4)
    await Promise.all([here.end(), there.end()])
    const short = (events: readonly ExecutionEvent[]) =>
      events.map((event) => [
        event.type,
        event.execution.executionId,
        'status' in event ? event.status : undefined,
      ])
    const expected = [
      ['execution.requested', earlier.execution.executionId, undefined],
      ['execution.requested', later.execution.executionId, undefined],
      ['execution.closed', earlier.execution.executionId, 'completed'],
      ['execution.closed', later.execution.executionId, 'cancelled'],
    ]
    expect(short(here.events)).toEqual(expected)
    expect(short(there.events)).toEqual(expected)
    expect(here.events[0]).toMatchObject({ execution: earlier.execution })
  })
})

describe('open executions', () => {
  test('are those that the caller may carry', async () => {
    const host = embeddedHost()
    const { run, execution } = await out(host)
    const idsOf = async (who: Who, filters = {}) =>
      (await pendingExecutions(host, filters, who)).executions.map((each) => each.execution.executionId)
    expect(await idsOf(worker('owner'))).toEqual([execution.executionId])
    expect(await idsOf(worker('owner', { applicationTools: [{ name: 'other' }] }))).toEqual([])
    expect(await idsOf(worker('owner', { providers: ['other'] }))).toEqual([])
    expect(await idsOf(owner, { runId: run.runId, tool: 'lookup' })).toEqual([execution.executionId])
    expect(await idsOf(owner, { runId: 'run_other' })).toEqual([])
    expect(await idsOf(owner, { tool: 'other' })).toEqual([])
    expect(await refusal(pendingExecutions(host, {}, granted('owner')))).toBe('FORBIDDEN')
    const stream = executionEvents(host, granted('owner'), new AbortController().signal)
    expect(await refusal(stream.next())).toBe('FORBIDDEN')
    run.close()
  })

  test('are followed until the worker leaves, also while nothing happens', async () => {
    const host = embeddedHost()
    const idle = reading(host)
    await idle.end()
    expect(idle.events).toEqual([])
    const gone = executionEvents(host, owner, AbortSignal.abort())
    expect(await gone.next()).toEqual({ done: true, value: undefined })
  })
})
