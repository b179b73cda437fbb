import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/client/client.ts'
import { defineTool, type ServedTools } from '../../src/client/served-tool.ts'
import { isHostError } from '../../src/protocol/host-error.ts'
import type { RunRequest } from '../../src/protocol/run/run-request.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import { baseline } from '../server/support/baseline.ts'
import { plainServer } from './support/free-server.ts'
import { drained, gate, plainRequest, servedApp } from './support/served-app.ts'
import { eventsOf, template, vectors } from './support/vectors.ts'

const query = z.object({ query: z.string().trim(), most: z.number().default(3) })
const passages = z.object({ passages: z.array(z.string()) })

describe('definitions', () => {
  test('come from the schemas of the functions, and arguments are as the schema makes them', async () => {
    await using app = await servedApp()
    const given: unknown[] = []
    const lookup = defineTool({
      description: 'Looks something up',
      inputSchema: query,
      outputSchema: passages,
      execute: ({ query: about, most }, { callId, name }) => {
        given.push([about, most, callId, name])
        return { passages: [about] }
      },
    })
    const run = app.client().serveTools(plainRequest, { lookup })
    const events = await drained(run)
    expect(given).toEqual([['solar', 3, 'lookup-one', 'lookup']])
    expect(events.find(({ type }) => type === 'tool.completed')).toMatchObject({
      output: { passages: ['solar'] },
    })
    expect(await run.result()).toMatchObject({ text: 'finished' })
  })

  test('are there for each function and have each a function, or nothing is sent', async () => {
    await using app = await servedApp()
    const client = app.client()
    const lookup = defineTool({ description: 'Looks', inputSchema: query, execute: () => null })
    const wrong: readonly (readonly [object, ServedTools])[] = [
      [baseline, {}],
      [plainRequest, { lookup: () => null }],
      [baseline, { lookup }],
      [baseline, { lookup: () => null, other: () => null }],
    ]
    for (const [request, tools] of wrong) {
      expect(() => client.serveTools(request as typeof baseline, tools)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST' }),
      )
    }
    expect(app.asked.count).toBe(0)
  })
})

describe('a function', () => {
  const failing: readonly (readonly [string, ServedTools[string]])[] = [
    [
      'throws',
      () => {
        throw new Error('the password is swordfish')
      },
    ],
    ['gives what is no JSON', () => ({ passages: [Number.NaN] })],
    ['gives more than a request holds', () => 'x'.repeat(1_000_000)],
    [
      'is given what its own schema refuses',
      defineTool({
        description: 'Looks',
        inputSchema: z.object({
          query: z.string().refine((text) => text !== 'solar', 'the password is swordfish'),
        }),
        execute: () => null,
      }),
    ],
  ]
  test.each(failing)('that %s has failed, and why stays in the application', async (_, lookup) => {
    await using app = await servedApp()
    const sent: string[] = []
    const client = app.client({
      fetch: (url, init) => {
        sent.push(String(init.body))
        return fetch(url, init)
      },
    })
    const faults: unknown[] = []
    const request = typeof lookup === 'function' ? baseline : plainRequest
    const run = client.serveTools(request, { lookup }, { onFailure: (fault) => faults.push(fault) })
    const events = await drained(run)
    expect(faults).toHaveLength(1)
    expect(sent.at(-1)).toContain('"error":"APPLICATION_TOOL_FAILED"')
    expect(JSON.stringify([sent, events])).not.toContain('swordfish')
    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({ callId: 'lookup-one' })
    expect(await run.result()).toMatchObject({ text: 'finished' })
  })

  test('that gives nothing has given null, and one may report its progress', async () => {
    await using app = await servedApp()
    const keys: string[] = []
    const request = {
      ...baseline,
      applicationTools: [{ ...baseline.applicationTools![0]!, outputSchema: {} }],
    }
    const run = app.client().serveTools(request, {
      lookup: async (_, { progress, idempotencyKey, runId, callId }) => {
        keys.push(idempotencyKey, `${runId}:${callId}`)
        await progress({ message: 'half', fraction: 0.5, output: [1] })
      },
    })
    const events = await drained(run)
    expect(events.find(({ type }) => type === 'tool.completed')).toMatchObject({ output: null })
    expect(events.filter(({ type }) => type === 'run.progress')).toContainEqual(
      expect.objectContaining({ callId: 'lookup-one', message: 'half', fraction: 0.5 }),
    )
    expect(keys[0]).toBe(keys[1])
  })

  test('is told when its signal aborts, and then no result is sent', async () => {
    await using app = await servedApp()
    const stop = new AbortController()
    const stopped = gate()
    const sent: string[] = []
    const client = app.client({
      fetch: (url, init) => {
        sent.push(new URL(url).pathname)
        return fetch(url, init)
      },
    })
    const tools: ServedTools = {
      lookup: (_, { signal }) => {
        signal.addEventListener('abort', () => stopped.resolve())
        setImmediate(() => stop.abort())
        return stopped.promise.then(() => ({ passages: [] }))
      },
    }
    const run = client.serveTools(baseline, tools, { signal: stop.signal })
    await expect(run.result()).rejects.toMatchObject({ name: 'AbortError' })
    await stopped.promise
    expect(sent).toEqual(['/v1/runs'])
  })

  test('is told when its run was cancelled by somebody else', async () => {
    await using app = await servedApp()
    const client = app.client()
    const stopped = gate()
    const run = client.serveTools(baseline, {
      lookup: async (_, { signal, runId }) => {
        signal.addEventListener('abort', () => stopped.resolve())
        await client.cancelRun(runId)
        await stopped.promise
        return { passages: [] }
      },
    })
    // The application need not have read on behind the end.
    for await (const event of run) if (event.type === 'run.cancelled') await stopped.promise
    await expect(run.result()).rejects.toMatchObject({ code: 'CANCELLED', outcome: 'uncertain' })
  })

  test.each([
    ['its call has an outcome already', 'returned'],
    ['its run has ended', 'cancelled'],
  ])('is told that %s, by the stream', async (_, use) => {
    await using peer = await plainServer((request, response) => {
      if (request.url !== '/v1/runs') throw new Error('Nothing more was to be sent.')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = eventsOf([{ use: 'started' }, { use: 'requested' }, { use }])
      response.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    })
    const client = createClient({ baseUrl: `http://127.0.0.1:${peer.port}`, token: vectors.token })
    const stopped = gate()
    const tools: ServedTools = {
      lookup: async (_arguments, { signal }) => {
        signal.addEventListener('abort', () => stopped.resolve())
        await stopped.promise
      },
    }
    const run = client.serveTools(template('requests', 'tools') as RunRequest, tools)
    for (let read = 0; read < 3; read += 1) await run.next()
    // The iteration stands still, and is not closed.
    await stopped.promise
    await run.return()
  })

  test('is executed once, and its result sent again under the same key, while it does not arrive [application-tools/no-retry]', async () => {
    await using app = await servedApp()
    const clock = manualClock()
    const results: string[] = []
    let executed = 0
    const client = app.client({
      clock,
      fetch: async (url, init) => {
        if (!url.endsWith('/results')) return await fetch(url, init)
        results.push(String(init.body))
        if (results.length < 4) throw new TypeError('The network is gone.')
        return await fetch(url, init)
      },
    })
    const run = client.serveTools(baseline, {
      lookup: () => {
        executed += 1
        return { passages: ['Sun'] }
      },
    })
    const ended = run.result()
    while (results.length < 4) await clock.advance(1_000)
    expect(await ended).toMatchObject({ text: 'finished' })
    expect(executed).toBe(1)
    expect(new Set(results).size).toBe(1)
    expect(JSON.parse(results[0]!).resultKey).toMatch(/^[0-9a-f]{32}$/)
  })

  test('whose receipt is lost is not sent again once the stream has told its end', async () => {
    await using app = await servedApp()
    const clock = manualClock()
    let results = 0
    const client = app.client({
      clock,
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (!url.endsWith('/results')) return answer
        results += 1
        await answer.arrayBuffer()
        throw new TypeError('The connection broke off.')
      },
    })
    const run = client.serveTools(baseline, { lookup: () => ({ passages: ['Sun'] }) })
    expect(await run.result()).toMatchObject({ text: 'finished' })
    await clock.advance(60_000)
    expect([results, clock.sleeping]).toEqual([1, 0])
  })

  test('whose result the host refuses lets the stream tell the end', async () => {
    await using app = await servedApp()
    const faults: unknown[] = []
    const request = { ...baseline, onToolFailure: 'fail' } as const
    const tools = { lookup: () => ({ wrong: true }) }
    const run = app.client().serveTools(request, tools, { onFailure: (fault) => faults.push(fault) })
    await expect(run.result()).rejects.toMatchObject({ code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' })
    expect(faults).toMatchObject([{ code: 'INVALID_TOOL_OUTPUT' }])
  })

  test('whose output is refused is told so, also when the stream has told the failure first', async () => {
    await using app = await servedApp()
    const told = Promise.withResolvers<void>()
    const faults: unknown[] = []
    const client = app.client({
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        if (url.endsWith('/results')) await told.promise
        return answer
      },
    })
    const tools = { lookup: () => ({ wrong: true }) }
    const run = client.serveTools(baseline, tools, { onFailure: (fault) => faults.push(fault) })
    for await (const { type } of run) if (type === 'tool.failed') told.resolve()
    expect(faults).toMatchObject([{ code: 'INVALID_TOOL_OUTPUT' }])
  })
})

test('a result that is not taken ends the run with its reason', async () => {
  await using app = await servedApp()
  const client = app.client({
    fetch: async (url, init) => {
      if (!url.endsWith('/results')) return await fetch(url, init)
      const error = { code: 'FORBIDDEN', message: 'The grant was taken back.', retryable: false }
      return Response.json({ error }, { status: 403 })
    },
  })
  const run = client.serveTools(baseline, { lookup: () => ({ passages: [] }) })
  await expect(run.result()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

describe('a review', () => {
  const reviewed = { ...baseline, approvals: { mode: 'interactive', idlePolicy: 'pause' } } as const
  const needsReview = { applicationTools: { enabled: true } } as const

  test('is decided before the function runs, with arguments that the person changed', async () => {
    await using app = await servedApp(needsReview)
    const order: unknown[] = []
    const tools: ServedTools = {
      lookup: (args) => {
        order.push(args)
        return { passages: [] }
      },
    }
    const run = app.client().serveTools(reviewed, tools, {
      decideTool: ({ call }) => {
        order.push(call.name)
        return { decision: 'approve', editedArguments: { query: 'lunar' } }
      },
    })
    expect(await run.result()).toMatchObject({ text: 'finished' })
    expect(order).toEqual(['lookup', { query: 'lunar' }])
  })

  test('that is denied runs nothing, and its reason is told to the model', async () => {
    await using app = await servedApp(needsReview)
    let executed = 0
    const run = app.client().serveTools(
      reviewed,
      {
        lookup: () => {
          executed += 1
        },
      },
      { decideTool: async () => ({ decision: 'deny', reason: 'too dear' }) },
    )
    const events = await drained(run)
    expect(executed).toBe(0)
    expect(events.find(({ type }) => type === 'approval.resolved')).toMatchObject({
      resolution: { outcome: 'denied', reason: 'too dear' },
    })
  })

  test('that somebody else has decided goes on as decided', async () => {
    await using app = await servedApp(needsReview)
    const client = app.client()
    const run = client.serveTools(
      reviewed,
      { lookup: () => ({ passages: [] }) },
      {
        decideTool: async ({ approvalId, runId, call }) => {
          await client.decideApproval({ approvalId, runId, call, decision: 'approve' })
          return { decision: 'deny' }
        },
      },
    )
    expect(await run.result()).toMatchObject({ text: 'finished' })
  })

  test('that cannot be asked ends the run with what was thrown', async () => {
    await using app = await servedApp(needsReview)
    const client = app.client()
    const run = client.serveTools(
      reviewed,
      { lookup: () => null },
      {
        decideTool: () => {
          throw new RangeError('Nobody is there.')
        },
      },
    )
    const fault = await run.result().catch((thrown: unknown) => thrown)
    expect(fault).toBeInstanceOf(RangeError)
    expect(isHostError(fault)).toBe(false)
    const status = async () => (await client.listRuns()).runs[0]?.status
    while ((await status()) !== 'cancelled') await new Promise((resolve) => setImmediate(resolve))
  })
})
