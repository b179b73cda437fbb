import { expect, test } from 'vitest'
import type { ServedTools } from '../../src/client/served-tool.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { until } from '../server/http/served.ts'
import { baseline } from '../server/support/baseline.ts'
import { drained, gate, servedApp } from './support/served-app.ts'

test('a worker executes the functions of runs that others started, until it is told to stop', async () => {
  await using app = await servedApp()
  const stop = new AbortController()
  const callers: string[] = []
  const tools: ServedTools = {
    lookup: (args, { runId }) => {
      callers.push(runId)
      return { passages: [String(args.query)] }
    },
  }
  const working = app.client().workTools(tools, { signal: stop.signal })
  const runs = await Promise.all([1, 2].map(() => drained(app.client().stream(baseline))))
  expect(runs.map((events) => events.at(-1)?.type)).toEqual(['run.completed', 'run.completed'])
  expect(new Set(callers)).toEqual(new Set(runs.map(([first]) => first!.runId)))
  stop.abort()
  await working
})

test('a worker stops a function that nobody waits for, and leaves names that it does not know', async () => {
  await using app = await servedApp()
  const client = app.client()
  const stop = new AbortController()
  const [begun, stopped] = [gate(), gate()]
  const tools: ServedTools = {
    lookup: async (_, { signal }) => {
      signal.addEventListener('abort', () => stopped.resolve())
      begun.resolve()
      await stopped.promise
    },
  }
  const working = client.workTools(tools, { signal: stop.signal })
  const idle = client.workTools(
    {
      other: () => {
        throw new Error('It was not asked for.')
      },
    },
    { signal: stop.signal },
  )
  const run = client.stream(baseline)
  const ended = drained(run)
  await begun.promise
  const [running] = (await client.listRuns()).runs
  await client.cancelRun(running!.runId)
  await stopped.promise
  expect((await ended).at(-1)?.type).toBe('run.cancelled')
  stop.abort()
  await Promise.all([working, idle])
})

test('a worker connects again when its stream breaks off, and executes nothing twice', async () => {
  await using app = await servedApp()
  const clock = manualClock()
  const stop = new AbortController()
  const finish = gate()
  let connections = 0
  let executed = 0
  const fetchOnce = async (url: string, init: RequestInit) => {
    if (!url.endsWith('/stream')) return await fetch(url, init)
    connections += 1
    if (connections === 1) throw new TypeError('The network is not there yet.')
    const answer = await fetch(url, init)
    return connections > 2 ? answer : cutAfterFirstChunk(answer)
  }
  const tools: ServedTools = {
    lookup: async () => {
      executed += 1
      await finish.promise
      return { passages: [] }
    },
  }
  const working = app.client({ clock, fetch: fetchOnce }).workTools(tools, { signal: stop.signal })
  const ended = drained(app.client().stream(baseline))
  while (connections < 3) await clock.advance(60_000)
  await until(() => executed > 0)
  finish.resolve()
  expect((await ended).at(-1)?.type).toBe('run.completed')
  expect(executed).toBe(1)
  stop.abort()
  await working
})

test('a worker without the grant says so', async () => {
  await using app = await servedApp()
  const client = app.client({ token: 'a-token-that-nobody-knows-of-at-all' })
  await expect(client.workTools({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

/** The connection ends cleanly behind the first piece. */
function cutAfterFirstChunk(answer: Response): Response {
  const reader = answer.body!.getReader()
  let hasGiven = false
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = hasGiven ? { value: undefined, done: true } : await reader.read()
      hasGiven = true
      if (!done) return controller.enqueue(value!)
      controller.close()
      await reader.cancel()
    },
  })
  return new Response(body, { headers: answer.headers })
}
