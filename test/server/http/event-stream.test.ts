import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { heartbeatMs } from '../../../src/server/http/event-stream.ts'
import { createHostApp } from '../../../src/server/http/host-app.ts'
import { manualClock } from '../../../src/testing/manual-clock.ts'
import { MemoryHost } from './memory-host.ts'
import { appToken, codeOf, Frames, poorToken, runRequest, served, tokens, until } from './served.ts'

const sse = { accept: 'text/event-stream' }

test('a run streams its events with ids, and nothing after its end [application-tools/wire-terminal]', async () => {
  await using host = await served()
  const frames = await host.stream()
  const { headers } = frames.response
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('cache-control')).toBe('no-store')
  const run = host.host.runs.get('run-1')!
  expect(await frames.next()).toMatchObject({ type: 'run.started', runId: 'run-1', id: '1.1.0' })
  run.say({ type: 'text.delta', text: 'A line\nbreak' })
  expect(await frames.next()).toMatchObject({ type: 'text.delta', text: 'A line\nbreak' })
  run.complete()
  run.say({ type: 'text.delta', text: 'too late' })
  expect(await frames.rest()).toEqual(['run.completed'])
  expect(run.isClosed).toBe(true)
})

test('what is refused before the first event is a plain answer [application/H7] [application-tools/wire-stream-start]', async () => {
  await using host = await served()
  const answer = await host.ask('/v1/runs', { json: { ...runRequest, input: 'too much' }, headers: sse })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([429, 'application/json'])
  expect([await codeOf(answer), answer.headers.get('retry-after')]).toEqual(['BUSY', '1'])
})

test('without text/event-stream a run answers its result', async () => {
  await using host = await served()
  for (const accept of ['application/json', '*/*']) {
    const answer = await host.ask('/v1/runs', { json: runRequest, headers: { accept } })
    expect(await answer.json()).toMatchObject({ text: 'Done.' })
  }
})

test('application tools have to be streamed [application/A8]', async () => {
  await using host = await served()
  const tool = { name: 'lookup', description: 'Looks it up', inputSchema: { type: 'object' } }
  const request = { ...runRequest, tools: ['lookup'], applicationTools: [tool] }
  const answer = await host.ask('/v1/runs', { json: request })
  expect([answer.status, await codeOf(answer)]).toEqual([400, 'TOOL_STREAM_REQUIRED'])
  expect(host.host.runs.size).toBe(0)
})

test('a caller that hangs up while it waits for a result cancels its run', async () => {
  await using host = await served()
  const stop = new AbortController()
  const answer = host.ask('/v1/runs', { json: { ...runRequest, input: 'wait' }, signal: stop.signal })
  await until(() => host.host.runs.size === 1)
  stop.abort()
  await expect(answer).rejects.toThrow()
  await until(() => host.host.asked.some(({ what }) => what === 'aborted'))
})

test('a reader that leaves closes its run, which another does not notice', async () => {
  await using host = await served()
  const [first, second] = [await host.stream(), await host.stream()]
  await first.next()
  await second.next()
  first.leave()
  await until(() => host.host.runs.get('run-1')!.isClosed)
  host.host.runs.get('run-2')!.complete()
  expect(await second.rest()).toEqual(['run.completed'])
})

test('a stream that goes on begins at once, and says from where [application-tools/wire-resume]', async () => {
  await using host = await served()
  await (await host.stream()).next()
  const run = host.host.runs.get('run-1')!
  run.taken = 1
  const headers = { 'last-event-id': '1.1.0' }
  const frames = new Frames(await host.ask('/v1/runs/run-1/events', { headers }))
  expect(frames.response.status).toBe(200)
  expect(host.host.asked.at(-1)).toMatchObject({ what: 'followRun', given: '1.1.0' })
  run.complete()
  const foreign = await host.ask('/v1/runs/run-1/events', { token: poorToken })
  expect([foreign.status, await codeOf(foreign)]).toEqual([404, 'RUN_NOT_FOUND'])
})

test('a silent stream has a heartbeat every 15 seconds, which is no event [application-tools/wire-heartbeat]', async () => {
  const clock = manualClock()
  await using host = await served({ clock })
  const frames = await host.stream()
  await frames.next()
  const next = frames.next()
  await clock.advance(heartbeatMs - 1)
  expect(frames.text).not.toContain('heartbeat')
  await clock.advance(1)
  await clock.advance(heartbeatMs)
  await until(() => frames.text.split(': heartbeat\n\n').length === 3)
  host.host.runs.get('run-1')!.complete()
  expect(await next).toMatchObject({ type: 'run.completed' })
  expect(await frames.rest()).toEqual([])
  await until(() => clock.sleeping === 0)
})

test('a reader that does not read slows the run down and gets no heartbeats [application-tools/wire-heartbeat]', async () => {
  const clock = manualClock()
  const host = new MemoryHost()
  const app = createHostApp(host, { tokens, clock })
  const headers = { ...sse, authorization: `Bearer ${appToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify(runRequest)
  const answer = await app.request('/v1/runs', { method: 'POST', headers, body })
  const run = host.runs.get('run-1')!
  for (let count = 0; count < 100; count += 1) run.say({ type: 'text.delta', text: 'word' })
  await clock.advance(10 * heartbeatMs)
  expect(run.taken).toBeLessThan(4)
  run.complete()
  const frames = new Frames(answer)
  expect(await frames.rest()).toHaveLength(102)
  expect(frames.text).not.toContain('heartbeat')
})

test('over a connection too, a reader that does not read holds only its own run', async () => {
  await using host = await served()
  const socket = await rawStream(host.running.port)
  await until(() => host.host.runs.size === 1)
  const run = host.host.runs.get('run-1')!
  for (let count = 0; count < 2_000; count += 1) run.say({ type: 'text.delta', text: 'x'.repeat(10_000) })
  const other = await host.stream()
  host.host.runs.get('run-2')!.complete()
  expect(await other.rest()).toEqual(['run.started', 'run.completed'])
  expect(run.taken).toBeLessThan(2_001)
  socket.destroy()
  await until(() => run.isClosed)
})

async function rawStream(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const body = JSON.stringify(runRequest)
  const head = ['POST /v1/runs HTTP/1.1', 'host: localhost', `authorization: Bearer ${appToken}`]
  const about = [
    'content-type: application/json',
    'accept: text/event-stream',
    `content-length: ${body.length}`,
  ]
  socket.write(`${[...head, ...about].join('\r\n')}\r\n\r\n${body}`)
  return socket.pause()
}

test('a stream that fails in the host breaks off, so that nobody takes it for whole', async () => {
  await using host = await served()
  const frames = await host.stream()
  await frames.next()
  const run = host.host.runs.get('run-1')!
  const fault = new Error('the disk is gone')
  run.fail(fault)
  await expect(frames.rest()).rejects.toThrow()
  expect(host.faults).toEqual([fault])
  expect(frames.text).not.toContain('disk')
  expect(run.isClosed).toBe(true)
})

test('a worker is told of the work of all its runs, and refused before the stream without a grant', async () => {
  await using host = await served()
  const call = { id: 'call-1', name: 'lookup', arguments: {} }
  const execution = { executionId: 'execution-1', runId: 'run-1', call }
  host.host.work.push({ type: 'execution.requested', timestamp: '2026-01-01T00:00:00Z', execution })
  const stop = new AbortController()
  const frames = new Frames(await host.ask('/v1/tool-executions/stream', { signal: stop.signal }), stop)
  expect(await frames.next()).toMatchObject({ type: 'execution.requested', execution })
  frames.leave()
  const refused = await host.ask('/v1/tool-executions/stream', { token: poorToken })
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'FORBIDDEN'])
})
