import { describe, expect, test } from 'vitest'
import { listRuns } from '../../../src/server/discovery/list-runs.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { decideApproval } from '../../../src/server/tickets/decide-approval.ts'
import { places } from '../../support/places.ts'
import { beside, embeddedHost, refusal, request, reviewed, worker } from '../support/embedded-host.ts'

const owner = { subject: 'owner' }
const needsReview = { applicationTools: { enabled: true, requireApproval: true } }

describe.each(places)('the status of a run, in %s', (_name, makePlace) => {
  test('says what it waits for, and at last its result as the stream has it', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const elsewhere = beside(host, place.open())
    const run = await host.start(reviewed, owner)
    const { approval } = await run.first('approval.requested')
    const facts = {
      runId: run.runId,
      provider: 'double',
      model: 'small',
      startedAt: '2026-01-01T00:00:00.000Z',
    }
    const nothing = { pendingApprovals: [], pendingExecutions: [], uncertainCalls: [] }
    for (const each of [host, elsewhere])
      expect(await runStatus(each, run.runId, owner)).toEqual({
        ...{ ...facts, ...nothing, status: 'waiting', pendingApprovals: [approval] },
      })
    const { approvalId, runId, call } = approval
    await decideApproval(elsewhere, { approvalId, runId, call, decision: 'approve' }, owner)
    const { execution } = await run.first('tool.execution.requested')
    expect(await runStatus(host, runId, owner)).toEqual({
      ...{ ...facts, ...nothing, status: 'waiting', pendingExecutions: [execution] },
    })
    await host.clock.advance(1_000)
    await completeTool(
      elsewhere,
      { executionId: execution.executionId, runId, callId: call.id, output: 1 },
      owner,
    )
    await run.done
    const { result } = await run.first('run.completed')
    expect(await runStatus(elsewhere, runId, owner)).toEqual({
      ...{ ...facts, ...nothing, status: 'completed', endedAt: '2026-01-01T00:00:01.000Z', result },
    })
  })
})

describe('runs', () => {
  test('are listed the newest first, by how they stand, each to its subject', async () => {
    const host = embeddedHost({ steps: [] })
    const ids = []
    for (let count = 0; count < 3; count += 1) {
      const run = await host.start({ ...request, input: `${count}` }, owner)
      await run.done
      ids.unshift(run.runId)
      await host.clock.advance(1_000)
    }
    const idsOf = async (filters = {}, who: object = owner) =>
      (await listRuns(host, filters, who)).runs.map(({ runId }) => runId)
    expect(await idsOf()).toEqual(ids)
    const first = await listRuns(host, { limit: 2 }, owner)
    expect(await idsOf({ limit: 2, cursor: first.nextCursor })).toEqual(ids.slice(2))
    expect(await idsOf({ status: 'completed' })).toEqual(ids)
    expect(await idsOf({ status: 'failed' })).toEqual([])
    expect(await idsOf({ uncertain: true })).toEqual([])
    expect(await idsOf({}, worker('other'))).toEqual([])
    expect(await idsOf({}, worker('root', { administration: true }))).toEqual(ids)
    expect(await refusal(listRuns(host, { status: 'open' } as never, owner))).toBe('INVALID_REQUEST')
    expect(await refusal(runStatus(host, ids[0] as string, worker('other')))).toBe('RUN_NOT_FOUND')
    expect(await refusal(runStatus(host, 'run_x', owner))).toBe('RUN_NOT_FOUND')
  })

  test('that were stopped say why', async () => {
    const host = embeddedHost()
    const run = await host.start(request, owner)
    await run.first('tool.execution.requested')
    run.close()
    await host.runs.liveRun(run.runId)?.done
    expect(await runStatus(host, run.runId, owner)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED', outcome: 'uncertain' },
      uncertainCalls: [{ id: 'lookup-one' }],
    })
  })
})
