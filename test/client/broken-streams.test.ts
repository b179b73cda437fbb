import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { RunRequest } from '../../src/protocol/run/run-request.ts'
import type { RunEvent } from '../../src/protocol/stream/run-event.ts'
import type { ToolExecution } from '../../src/protocol/tool-executions/tool-execution.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { until } from '../server/http/served.ts'
import { baseline } from '../server/support/baseline.ts'
import { plainServer } from './support/free-server.ts'
import { proxyTo } from './support/proxy.ts'
import { drained, servedApp } from './support/served-app.ts'
import { eventsOf, template, vectors } from './support/vectors.ts'

function framesOf(events: readonly Record<string, unknown>[]): string {
  return events.map((event) => `id: ${event.sequence}.0.0\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** One turn of the event loop. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Reads on to the first execution, and leaves. */
async function firstExecution(events: AsyncIterable<RunEvent>): Promise<ToolExecution> {
  for await (const event of events) if (event.type === 'tool.execution.requested') return event.execution
  throw new Error('Nothing was to be executed.')
}

/** Reads on to the first execution, and begins the read behind it, which waits. */
async function readOnToExecution(events: AsyncGenerator<RunEvent, void>) {
  for (let step = await events.next(); step.done !== true; step = await events.next()) {
    if (step.value.type === 'tool.execution.requested') return { waiting: events.next() }
  }
  throw new Error('Nothing was to be executed.')
}

describe('a client that leaves', () => {
  test('ends its run, and a late result finds no ticket [application/F7]', async () => {
    await using app = await servedApp()
    const client = app.client()
    const { executionId, runId, call } = await firstExecution(client.stream(baseline))
    while ((await client.runStatus(runId)).status !== 'cancelled') await turn()
    const late = { executionId, runId, callId: call.id, output: { passages: [] } }
    await expect(client.completeTool(late)).rejects.toMatchObject({
      code: 'TOOL_EXECUTION_NOT_FOUND',
      status: 404,
    })
    expect(app.asked.count).toBe(1)
  })

  test('with a read that waits gets an AbortError there, by whichever way it leaves', async () => {
    await using app = await servedApp()
    for (const way of ['return', 'signal'] as const) {
      const stop = new AbortController()
      const stream = app.client().stream(baseline, { signal: stop.signal })
      const { waiting } = await readOnToExecution(stream)
      const rejected = expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
      if (way === 'signal') stop.abort()
      else expect(await stream.return()).toEqual({ value: undefined, done: true })
      await rejected
      expect(await stream.next()).toEqual({ value: undefined, done: true })
    }
  })

  test('is given nothing more, also of what has come already, and by a fetch that knows no signals', async () => {
    await using peer = await plainServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(framesOf(eventsOf([{ use: 'started' }, { use: 'delta' }])))
    })
    const baseUrl = `http://127.0.0.1:${peer.port}`
    const deaf = (url: string, { signal: _, ...init }: RequestInit) => fetch(url, init)
    for (const reads of [1, 2]) {
      const stop = new AbortController()
      const client = createClient({ baseUrl, token: vectors.token, fetch: deaf })
      const stream = client.stream(template('requests', 'plain') as RunRequest, { signal: stop.signal })
      for (let read = 0; read < reads; read += 1) await stream.next()
      const next = reads === 2 ? stream.next() : undefined
      stop.abort()
      await expect(next ?? stream.next()).rejects.toMatchObject({ name: 'AbortError' })
    }
  })

  test('before it began has sent nothing', async () => {
    await using app = await servedApp()
    const client = app.client()
    await client.stream(baseline).return()
    const gone = client.stream(baseline, { signal: AbortSignal.abort() })
    await expect(gone.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect((await client.listRuns()).runs).toEqual([])
  })
})

describe('a stream behind a proxy', () => {
  test('that cuts it off cleanly is incomplete, and uncertain when a call was out [application/F12]', async () => {
    await using app = await servedApp()
    // As much as comes before the execution has a result.
    await using proxy = await proxyTo(app.running.port, {
      until: 'tool.execution.requested',
      ending: 'proper',
    })
    const client = app.client({ baseUrl: proxy.url })
    const seen: RunEvent[] = []
    const reading = (async () => {
      for await (const event of client.stream(baseline)) seen.push(event)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'INCOMPLETE_STREAM', outcome: 'uncertain' })
    expect(seen.map(({ type }) => type)).toContain('tool.execution.requested')
    expect(seen.map(({ type }) => type)).not.toContain('run.completed')
  })

  test('that breaks it is incomplete too, and has no outcome when nothing was out', async () => {
    await using app = await servedApp()
    await using proxy = await proxyTo(app.running.port, { until: 'run.started', ending: 'closed' })
    const client = app.client({ baseUrl: proxy.url })
    await expect(drained(client.stream(baseline))).rejects.toMatchObject({
      code: 'INCOMPLETE_STREAM',
      outcome: undefined,
    })
  })

  test('that holds it back is left at once, and the model was asked once [application/F11]', async () => {
    await using app = await servedApp()
    await using proxy = await proxyTo(app.running.port, { until: 'run.started', ending: 'stalled' })
    const stop = new AbortController()
    const stream = app.client({ baseUrl: proxy.url }).stream(baseline, { signal: stop.signal })
    const { value: started } = await stream.next()
    // Nobody reads any more.
    const client = app.client()
    const runId = started!.runId
    while ((await client.runStatus(runId)).status !== 'waiting') await turn()
    stop.abort()
    while ((await client.runStatus(runId)).status !== 'cancelled') await turn()
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' })
    expect(app.asked.count).toBe(1)
  })

  test('that cuts it goes on behind the last event when the run is kept, and nothing comes twice [application-tools/wire-resume]', async () => {
    await using app = await servedApp()
    const clock = manualClock()
    // Every connection of a stream brings a little more than an event.
    const bytesMax = (connection: number) => 500 + 100 * connection
    await using proxy = await proxyTo(app.running.port, { bytesMax, ending: 'closed' })
    const streaming = app.client({ baseUrl: proxy.url, clock, random: () => 0 })
    let executed = 0
    const seen: RunEvent[] = []
    const reading = (async () => {
      for await (const event of streaming.stream(
        { ...baseline, onDisconnect: 'keep' },
        { reconnect: true },
      )) {
        seen.push(event)
        if (event.type !== 'tool.execution.requested') continue
        executed += 1
        const { executionId, runId, call } = event.execution
        await app.client().completeTool({ executionId, runId, callId: call.id, output: { passages: [] } })
      }
    })()
    let isRead = false
    const ended = reading.finally(() => {
      isRead = true
    })
    while (!isRead) await clock.advance(15_000)
    await ended
    expect(executed).toBe(1)
    expect(seen.at(-1)?.type).toBe('run.completed')
    const sequences = seen.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(new Set(sequences).size).toBe(sequences.length)
  })

  test('may come back behind events that the host does not keep', async () => {
    const clock = manualClock()
    const asked: unknown[] = []
    await using peer = await plainServer(({ url, headers }, response) => {
      asked.push([url, headers['last-event-id']])
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const [first, later] = [eventsOf([{ use: 'started' }]), eventsOf([{ use: 'failed' }], 9)]
      response.end(framesOf(asked.length === 1 ? first : later))
    })
    const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: vectors.token, clock })
    const request = template('requests', 'plain') as RunRequest
    const ended = drained(client.stream(request, { reconnect: true }))
    await until(() => clock.sleeping === 1)
    await clock.advance(250)
    expect((await ended).map(({ sequence }) => sequence)).toEqual([1, 9])
    expect(asked).toEqual([
      ['/v1/runs', undefined],
      ['/v1/runs/run-1/events', '1.0.0'],
    ])
  })

  test('is given up after so many connections that bring nothing, with growing pauses', async () => {
    await using app = await servedApp()
    const clock = manualClock()
    const times: number[] = []
    await using proxy = await proxyTo(app.running.port, { until: 'run.started', ending: 'closed' })
    const cut = app.client({
      baseUrl: proxy.url,
      clock,
      random: () => 1,
      fetch: async (url, init) => {
        if (!url.endsWith('/events')) return await fetch(url, init)
        times.push(clock.now())
        throw new TypeError('The network is gone.')
      },
    })
    const ended = drained(cut.stream({ ...baseline, onDisconnect: 'keep' }, { reconnect: true }))
    const settled = expect(ended).rejects.toMatchObject({ code: 'HTTP_ERROR', retryable: true })
    let isOver = false
    void ended
      .catch(() => undefined)
      .finally(() => {
        isOver = true
      })
    while (!isOver) await clock.advance(250)
    await settled
    const pauses = times.slice(1).map((time, place) => time - times[place]!)
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
  })
})

test('a place that no host gave is refused before anything is sent', async () => {
  await using app = await servedApp()
  expect(() => app.client().follow('run-1', { lastEventId: 'seven' })).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' }),
  )
})
