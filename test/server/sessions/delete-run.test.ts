import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/index.ts'
import { listRuns } from '../../../src/server/discovery/list-runs.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { createSession } from '../../../src/server/sessions/create-session.ts'
import { deleteRun } from '../../../src/server/sessions/delete-run.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { places } from '../../support/places.ts'
import { beside, embeddedHost, patient, ReadRun, refusal, request, worker } from '../support/embedded-host.ts'

const owner = { subject: 'owner' }
const plain = { provider: 'double', model: 'small', input: 'Hello' }

describe.each(places)('a run that is deleted, in %s', (_name, makePlace) => {
  test('is gone with all that it recorded, and its key stands for nothing', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), steps: [] })
    const keyed = { ...plain, idempotencyKey: 'order-1' }
    const run = await host.start(keyed, owner)
    await run.done
    expect(await deleteRun(host, run.runId, owner)).toEqual({ runId: run.runId, deleted: true })
    expect(await refusal(runStatus(host, run.runId, owner))).toBe('RUN_NOT_FOUND')
    expect(await refusal(deleteRun(host, run.runId, owner))).toBe('RUN_NOT_FOUND')
    expect(await host.parts.store.list({ kind: 'session' })).toEqual([])
    const again = await host.start({ ...keyed, input: 'Something else' }, owner)
    await again.done
    expect(again.last).toMatchObject({ type: 'run.completed' })
    expect(host.asked.count).toBe(2)
  })

  test('ends first, and its executions take nothing any more', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const run = await host.start(request, owner)
    const { execution } = await run.first('tool.execution.requested')
    expect(await deleteRun(host, run.runId, owner)).toEqual({ runId: run.runId, deleted: true })
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'CANCELLED' } })
    const { executionId, runId, call } = execution
    const result = { executionId, runId, callId: call.id, output: 1 }
    expect(await refusal(completeTool(host, result, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect((await listRuns(host, {}, owner)).runs).toEqual([])
    expect(host.runs.executions.size).toBe(0)
  })
})

test('who follows a deleted run in another process is told, and waits for nothing', async () => {
  const store = memoryStore()
  const host = embeddedHost({ store })
  const run = await host.start(request, owner)
  await run.first('tool.execution.requested')
  const other = beside(host, store, patient)
  const stream = await other.runs.follow(await other.runs.find(run.runId, owner), undefined)
  const followed = new ReadRun(stream)
  await followed.first('tool.execution.requested')
  await deleteRun(host, run.runId, owner)
  const how = await followed.done.then(
    () => followed.last?.type,
    (error: { readonly code?: string }) => error.code,
  )
  expect(['run.cancelled', 'RUN_NOT_FOUND']).toContain(how)
  expect(await refusal(other.runs.find(run.runId, owner))).toBe('RUN_NOT_FOUND')
})

test('only who started a run deletes it, and administration', async () => {
  const host = embeddedHost({ steps: [] })
  const run = await host.start(plain, owner)
  await run.done
  expect(await refusal(deleteRun(host, run.runId, worker('other')))).toBe('RUN_NOT_FOUND')
  expect(await refusal(deleteRun(host, 'run_none', owner))).toBe('RUN_NOT_FOUND')
  const root = worker('root', { administration: true })
  expect(await deleteRun(host, run.runId, root)).toMatchObject({ deleted: true })
})

test('a turn of a conversation is not deleted alone: the refusal names the session', async () => {
  const host = embeddedHost({ steps: [] })
  const { id } = await createSession(host, { provider: 'double' }, owner)
  const run = await host.start({ ...plain, session: { id } }, owner)
  await run.done
  await expect(deleteRun(host, run.runId, owner)).rejects.toMatchObject({
    code: 'RUN_IN_SESSION',
    status: 409,
    message: `The run is a turn of the session "${id}"; delete the session.`,
  })
  expect(await runStatus(host, run.runId, owner)).toMatchObject({ status: 'completed' })
})
