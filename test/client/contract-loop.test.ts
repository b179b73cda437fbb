import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/protocol/stream/run-event.ts'
import { baseline } from '../server/support/baseline.ts'
import { servedApp } from './support/served-app.ts'

const reviewed = { ...baseline, approvals: { mode: 'interactive', idlePolicy: 'pause' } } as const

test('an application that follows the events decides, executes, reports, completes and reads the end [application-tools/functions-stay]', async () => {
  await using app = await servedApp({ applicationTools: { enabled: true } })
  const client = app.client()
  const { signal } = new AbortController()
  const seen: RunEvent[] = []
  for await (const event of client.stream(reviewed, { signal })) {
    seen.push(event)
    if (event.type === 'approval.requested') {
      const { approvalId, runId, call } = event.approval
      const receipt = await client.decideApproval(
        { approvalId, runId, call, decision: 'approve' },
        { signal },
      )
      expect(receipt).toMatchObject({ approvalId, runId, callId: call.id, outcome: 'approved' })
    }
    if (event.type === 'tool.execution.requested') {
      const { executionId, runId, call } = event.execution
      const identity = { executionId, runId, callId: call.id }
      expect(call.arguments).toEqual({ query: 'solar' })
      expect(await client.pendingExecutions({ runId })).toMatchObject({
        executions: [{ execution: event.execution }],
      })
      await client.reportToolProgress({ ...identity, message: 'half', fraction: 0.5 }, { signal })
      expect(await client.executionStatus(executionId)).toMatchObject({ ...identity, status: 'pending' })
      const receipt = await client.completeTool({ ...identity, output: { passages: ['Sun'] } }, { signal })
      expect(receipt).toEqual({ ...identity, status: 'accepted' })
      expect(await client.executionStatus(executionId)).toMatchObject({ status: 'completed' })
    }
  }
  const types = seen.map(({ type }) => type)
  const order = ['approval.requested', 'approval.resolved', 'tool.execution.requested', 'tool.completed']
  expect(types.filter((type) => order.includes(type))).toEqual(order)
  expect(types.indexOf('tool.called')).toBeLessThan(types.indexOf('tool.execution.requested'))
  expect(seen.find(({ type }) => type === 'tool.completed')).toMatchObject({ output: { passages: ['Sun'] } })
  expect(seen.at(-1)).toMatchObject({ type: 'run.completed', result: { text: 'finished' } })
})

test('a run is read, listed and followed again after its end', async () => {
  await using app = await servedApp()
  const client = app.client()
  const tools = { lookup: () => ({ passages: [] }) }
  const { runId, text } = await client.serveTools(baseline, tools).result()
  expect(text).toBe('finished')
  expect(await client.runStatus(runId)).toMatchObject({ runId, status: 'completed', uncertainCalls: [] })
  expect((await client.listRuns({ status: 'completed' })).runs.map((run) => run.runId)).toEqual([runId])
  const again = await Array.fromAsync(client.follow(runId, { request: baseline }))
  expect(again[0]).toMatchObject({ type: 'run.started', sequence: 1 })
  expect(again.at(-1)).toMatchObject({ type: 'run.completed', runId })
})

test('a run is deleted over the wire, and a turn of a session with its session only', async () => {
  await using app = await servedApp({ calls: [] })
  const client = app.client()
  const plain = { provider: 'double', model: 'small', input: 'Hello' }
  const { runId } = await client.run(plain)
  expect(await client.deleteRun(runId)).toEqual({ runId, deleted: true })
  for (const gone of [client.runStatus(runId), client.deleteRun(runId)])
    await expect(gone).rejects.toMatchObject({ code: 'RUN_NOT_FOUND', status: 404 })
  const { id } = await client.sessions.create({ provider: 'double' })
  const turn = await client.run({ ...plain, session: { id } })
  await expect(client.deleteRun(turn.runId)).rejects.toMatchObject({ code: 'RUN_IN_SESSION', status: 409 })
  await client.sessions.delete({ id })
  await expect(client.runStatus(turn.runId)).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
})

test('a client that was given no functions runs none: it sends what it is told to and nothing else [application-tools/no-own-callbacks]', async () => {
  await using app = await servedApp()
  const sent: string[] = []
  const client = app.client({
    fetch: (url, init) => {
      sent.push(new URL(url).pathname)
      return fetch(url, init)
    },
  })
  for await (const event of client.stream({ ...baseline, onDisconnect: 'keep' })) {
    if (event.type !== 'tool.execution.requested') continue
    expect(await app.client().pendingExecutions()).toMatchObject({
      executions: [{ execution: event.execution }],
    })
    await app.client().cancelRun(event.runId)
  }
  expect(sent).toEqual(['/v1/runs'])
})

test('a run that is kept goes on without its connection, and is read, followed and cancelled by others [application-tools/jobs]', async () => {
  await using app = await servedApp()
  let runId = ''
  for await (const event of app.client().stream({ ...baseline, onDisconnect: 'keep' })) {
    runId = event.runId
    break
  }
  const client = app.client()
  while ((await client.runStatus(runId)).status !== 'waiting') await new Promise(setImmediate)
  const followed = client.follow(runId, { request: baseline })
  expect((await followed.next()).value).toMatchObject({ type: 'run.started', sequence: 1 })
  expect(await client.cancelRun(runId)).toMatchObject({ status: 'cancelled', error: { code: 'CANCELLED' } })
  expect((await Array.fromAsync(followed)).at(-1)).toMatchObject({ type: 'run.cancelled', runId })
  expect((await client.listRuns({ status: 'cancelled' })).runs.map((run) => run.runId)).toEqual([runId])
})

test('a run without tools gives its result, and a host says what it is', async () => {
  await using app = await servedApp({ calls: [] })
  const client = app.client()
  const { provider, model, input } = baseline
  const result = await client.run({ provider, model, input }).catch((fault: unknown) => fault)
  expect(result).toMatchObject({ provider, model })
  expect((await client.protocol()).features).toContain('application-tools')
  expect((await client.providers()).providers).toMatchObject([{ provider: 'double' }])
})

test('sessions are made, read and deleted', async () => {
  await using app = await servedApp()
  const { sessions } = app.client()
  const made = await sessions.create({ provider: 'double', model: 'small' })
  expect(await sessions.read({ id: made.id })).toEqual(made)
  expect(await sessions.delete({ id: made.id })).toEqual({ id: made.id, deleted: true })
  await expect(sessions.read({ id: made.id })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
    status: 404,
  })
})

test('an id that is only dots, or empty, reads no other address', async () => {
  await using app = await servedApp()
  const client = app.client()
  for (const id of ['', '.', '..']) {
    await expect(client.runStatus(id)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(client.executionStatus(id)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  }
  await expect(client.runStatus('../../health')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
})
