import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OpenStreams } from '../../../src/server/runs/open-streams.ts'
import { MemoryHost } from './memory-host.ts'
import { codeOf, Frames, poorToken, runRequest, served, until } from './served.ts'

const sse = { accept: 'text/event-stream' }

function bounded(limits: ConstructorParameters<typeof OpenStreams>[0]): MemoryHost {
  const host = new MemoryHost()
  host.streams = new OpenStreams(limits)
  return host
}

test('a subject has so many streams open, of runs that he starts, of those that he follows and of his work', async () => {
  await using host = await served({}, bounded({ streamsPerSubject: 3 }))
  const started = await host.stream()
  await started.next()
  const followed = new Frames(await host.ask('/v1/runs/run-1/events'))
  const stop = new AbortController()
  const work = await host.ask('/v1/tool-executions/stream', { signal: stop.signal })
  expect([followed.response.status, work.status]).toEqual([200, 200])
  const openings = [
    () => host.ask('/v1/runs', { json: runRequest, headers: sse }),
    () => host.ask('/v1/runs/run-1/events'),
    () => host.ask('/v1/tool-executions/stream'),
  ]
  for (const open of openings) {
    const answer = await open()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await codeOf(answer)).toBe('CONNECTION_CAPACITY')
  }
  expect(host.host.runs.size).toBe(1)
  // What is no stream needs no place.
  expect((await host.ask('/v1/runs', { json: runRequest })).status).toBe(200)
  expect((await host.ask('/v1/runs/run-1/events', { method: 'HEAD' })).status).toBe(200)
  stop.abort()
  let answer = await openings[0]!()
  while (answer.status === 429) {
    await answer.text()
    answer = await openings[0]!()
  }
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  for (const frames of [started, followed]) frames.leave()
})

test('a stream that ended, that was refused or that broke has given its place back', async () => {
  await using host = await served({}, bounded({ streams: 1 }))
  for (const input of ['too much', 'x']) {
    const refused = await host.ask('/v1/runs', {
      json: { ...runRequest, input },
      token: poorToken,
      headers: sse,
    })
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
  }
  const busy = await host.ask('/v1/runs', { json: { ...runRequest, input: 'too much' }, headers: sse })
  expect(await codeOf(busy)).toBe('BUSY')
  expect(await codeOf(await host.ask('/v1/runs/nowhere/events'))).toBe('RUN_NOT_FOUND')
  const first = await host.stream()
  host.host.runs.get('run-1')!.complete()
  expect(await first.rest()).toEqual(['run.started', 'run.completed'])
  const second = await host.stream()
  await second.next()
  const broken = host.host.runs.get('run-2')!
  broken.fail(new Error('the disk is gone'))
  await expect(second.rest()).rejects.toThrow()
  await until(() => broken.isClosed)
  const third = await host.stream()
  expect(third.response.status).toBe(200)
})

test('in whatever order streams come and go, no more are open than the bounds say, and none is refused below them', () => {
  const move = fc.record({
    subject: fc.constantFrom('ann', 'bob', 'cyd'),
    goes: fc.boolean(),
    at: fc.nat(50),
  })
  const property = fc.property(
    fc.array(move, { maxLength: 80 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 8 }),
    (moves, streams, streamsPerSubject) => {
      const all = new OpenStreams({ streams, streamsPerSubject })
      const open: { readonly subject: string; readonly giveBack: () => void }[] = []
      const gone: (() => void)[] = []
      for (const { subject, goes, at } of moves) {
        if (goes) {
          const [left] = open.splice(at % Math.max(1, open.length), 1)
          left?.giveBack()
          if (left !== undefined) gone.push(left.giveBack)
          // Who has gone goes no second time.
          gone[at % Math.max(1, gone.length)]?.()
          continue
        }
        const own = open.filter((each) => each.subject === subject).length
        const isFree = open.length < streams && own < streamsPerSubject
        try {
          open.push({ subject, giveBack: all.take({ subject }) })
          expect(isFree).toBe(true)
        } catch (error) {
          expect([isFree, (error as { code?: string }).code]).toEqual([false, 'CONNECTION_CAPACITY'])
        }
      }
    },
  )
  fc.assert(property)
})
