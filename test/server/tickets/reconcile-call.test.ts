import { describe, expect, test } from 'vitest'
import { listRuns } from '../../../src/server/discovery/list-runs.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { reconcileCall } from '../../../src/server/tickets/reconcile-call.ts'
import { places } from '../../support/places.ts'
import { beside, embeddedHost, refusal, request, worker } from '../support/embedded-host.ts'

const owner = { subject: 'owner' }

async function uncertainRun(host: ReturnType<typeof embeddedHost>) {
  const run = await host.start({ ...request, onToolFailure: 'fail' }, owner)
  const { execution } = await run.first('tool.execution.requested')
  const { executionId, runId, call } = execution
  await completeTool(host, { executionId, runId, callId: call.id, error: 'APPLICATION_TOOL_FAILED' }, owner)
  await run.done
  return { runId, call }
}

describe.each(places)('a call whose outcome nobody saw, in %s', (_name, makePlace) => {
  test('is listed with its run until somebody says what he found', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { runId, call } = await uncertainRun(host)
    const elsewhere = beside(host, place.open())
    const { runs } = await listRuns(elsewhere, { uncertain: true }, owner)
    expect(runs).toMatchObject([{ runId, status: 'failed', uncertainCalls: [call] }])
    const finding = { runId, callId: call.id, found: 'not_run', note: 'The log of the shop has no entry.' }
    expect(await reconcileCall(elsewhere, finding, owner)).toEqual({
      ...{ runId, callId: call.id, found: 'not_run', status: 'reconciled' },
    })
    expect((await listRuns(host, { uncertain: true }, owner)).runs).toEqual([])
    expect((await runStatus(host, runId, owner)).uncertainCalls).toEqual([])
    expect(await refusal(reconcileCall(host, finding, owner))).toBe('CALL_NOT_UNCERTAIN')
    const { session } = await host.runs.find(runId, owner)
    const log = (await session.events()).map(({ event }) => event)
    expect(log.at(-1)).toMatchObject({ type: 'call.reconciled', by: { id: 'owner', method: 'wire' } })
  })
})

test('what nobody may see, what is not there and what is known cannot be reconciled', async () => {
  const host = embeddedHost()
  const { runId, call } = await uncertainRun(host)
  const finding = { runId, callId: call.id, found: 'completed' }
  expect(await refusal(reconcileCall(host, finding, worker('other')))).toBe('RUN_NOT_FOUND')
  expect(await refusal(reconcileCall(host, { ...finding, runId: 'run_x' }, owner))).toBe('RUN_NOT_FOUND')
  expect(await refusal(reconcileCall(host, { ...finding, callId: 'x' }, owner))).toBe('CALL_NOT_FOUND')
  expect(await refusal(reconcileCall(host, { ...finding, found: 'perhaps' }, owner))).toBe('INVALID_REQUEST')
  const root = worker('root', { administration: true })
  expect(await reconcileCall(host, finding, root)).toMatchObject({ found: 'completed' })
})
