import { describe, expect, test } from 'vitest'
import { listRuns } from '../../../src/server/discovery/list-runs.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { executionStatus } from '../../../src/server/tickets/execution-status.ts'
import { reconcileCall } from '../../../src/server/tickets/reconcile-call.ts'
import { reportToolProgress } from '../../../src/server/tickets/report-tool-progress.ts'
import type { Who } from '../../../src/server/who.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  granted,
  lookup,
  refusal,
  request,
  worker,
} from '../support/embedded-host.ts'

const owner = { subject: 'owner' }

async function out(host: EmbeddedHost, over: object = {}, who: Who = owner) {
  const run = await host.start({ ...request, ...over }, who)
  const { execution } = await run.first('tool.execution.requested')
  const { executionId, runId, call } = execution
  return { run, identity: { executionId, runId, callId: call.id } }
}

const found = { passages: ['The sun is a star.'], more: null }

describe.each(places)('a submission, in %s', (_name, makePlace) => {
  test('of progress and of a result is acknowledged, and the stream has exactly the output [application/C1]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { run, identity } = await out(host)
    expect(await reportToolProgress(host, identity, owner)).toEqual({ ...identity, status: 'progress' })
    expect(await completeTool(host, { ...identity, output: found }, owner)).toEqual({
      ...identity,
      status: 'accepted',
    })
    await run.done
    expect((await run.first('tool.completed')).output).toEqual(found)
    expect(run.last).toMatchObject({ type: 'run.completed', result: { text: 'finished' } })
  })

  test('finds no ticket after the result, whichever it is [application/C2] [application/C21]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { run, identity } = await out(host)
    const result = { ...identity, output: found }
    await completeTool(host, result, owner)
    expect(await refusal(completeTool(host, result, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await refusal(reportToolProgress(host, identity, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    await run.done
    expect(await refusal(completeTool(host, result, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await refusal(reportToolProgress(host, identity, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
  })

  test('is taken in another process, once of many', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const other = beside(host, place.open())
    const { run, identity } = await out(host)
    const answers = await Promise.allSettled(
      [host, other, host, other].map((each, output) => completeTool(each, { ...identity, output }, owner)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await run.done
    const output = answers.findIndex(({ status }) => status === 'fulfilled')
    expect((await run.first('tool.completed')).output).toBe(output)
  })

  test('that is sent again under its key gets the same answer again, in any process [application-tools/receipt-lost]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { run, identity } = await out(host)
    const result = { ...identity, output: found, resultKey: 'job-7' }
    const receipt = await completeTool(host, result, owner)
    await run.done
    const other = beside(host, place.open())
    expect(
      await completeTool(other, { ...result, output: { more: null, passages: found.passages } }, owner),
    ).toEqual(receipt)
    expect(await refusal(completeTool(other, { ...result, output: 1 }, owner))).toBe('TOOL_RESULT_CONFLICT')
    expect(await refusal(completeTool(other, { ...result, resultKey: 'job-8' }, owner))).toBe(
      'TOOL_EXECUTION_NOT_FOUND',
    )
    expect(await executionStatus(other, identity.executionId, owner)).toMatchObject({
      ...identity,
      name: 'lookup',
      status: 'completed',
      resultKey: 'job-7',
      resultDigest: expect.stringMatching(/^sha256:/),
    })
  })
})

describe('a submission', () => {
  test.each([
    ['a field too many [application/C7]', { output: 1, subject: 'owner' }],
    ['output and error [application/C8]', { output: 1, error: 'APPLICATION_TOOL_FAILED' }],
    ['neither output nor error', {}],
    ['a call that is no text', { output: 1, callId: 7 }],
  ])('with %s is invalid, and the ticket is kept', async (_what, over) => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    expect(await refusal(completeTool(host, { ...identity, ...over }, owner))).toBe('INVALID_TOOL_EXECUTION')
    await completeTool(host, { ...identity, output: found }, owner)
    await run.done
    expect(run.last?.type).toBe('run.completed')
  })

  test('with an error in free text is invalid, and the text appears nowhere [application/C9]', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    const secret = 'password hunter2'
    const error = await completeTool(host, { ...identity, error: secret }, owner).catch(
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({ code: 'INVALID_TOOL_EXECUTION' })
    expect((error as Error).message).not.toContain('hunter2')
    await completeTool(host, { ...identity, error: 'APPLICATION_TOOL_FAILED' }, owner)
    await run.done
    const { session } = await host.runs.find(run.runId, owner)
    expect(JSON.stringify([run.events, await session.events()])).not.toContain('hunter2')
  })

  test('may be null, and has to be something [application/C11]', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    expect(await refusal(completeTool(host, identity, owner))).toBe('INVALID_TOOL_EXECUTION')
    await completeTool(host, { ...identity, output: null }, owner)
    await run.done
    expect((await run.first('tool.completed')).output).toBeNull()
  })

  test('without the grant for provider or function is forbidden, and the ticket stays usable [application/C4]', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    const result = { ...identity, output: found }
    for (const who of [worker('owner', { providers: [] }), worker('owner', { applicationTools: [] })]) {
      expect(await refusal(completeTool(host, result, who))).toBe('FORBIDDEN')
      expect(await refusal(reportToolProgress(host, identity, who))).toBe('FORBIDDEN')
    }
    const own = worker('owner', { providers: ['double'], applicationTools: [{ name: 'lookup' }] })
    await completeTool(host, result, own)
    await run.done
    expect(run.last?.type).toBe('run.completed')
    expect(await refusal(completeTool(host, result, granted('owner')))).toBe('TOOL_EXECUTION_NOT_FOUND')
  })

  test("of another subject finds nothing, an administrator's either; another run or call does not match [application-tools/mismatch]", async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    const result = { ...identity, output: found }
    for (const who of [worker('other'), granted('other'), worker('root', { administration: true })])
      expect(await refusal(completeTool(host, result, who))).toBe('TOOL_EXECUTION_NOT_FOUND')
    for (const over of [{ runId: 'run_other' }, { callId: 'call_other' }]) {
      expect(await refusal(completeTool(host, { ...result, ...over }, owner))).toBe('TOOL_EXECUTION_MISMATCH')
      expect(await refusal(reportToolProgress(host, { ...identity, ...over }, owner))).toBe(
        'TOOL_EXECUTION_MISMATCH',
      )
    }
    await completeTool(host, result, owner)
    await run.done
  })

  test('over the limit uses the ticket up and leaves the run uncertain [application/C13]', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host, { onToolFailure: 'fail' })
    const result = { ...identity, output: 'x'.repeat(128_000), resultKey: 'large' }
    const error = await completeTool(host, result, owner).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'TOOL_OUTPUT_LIMIT', status: 400, outcome: 'uncertain' })
    expect(await refusal(completeTool(host, { ...identity, output: 1 }, owner))).toBe(
      'TOOL_EXECUTION_NOT_FOUND',
    )
    expect(await refusal(completeTool(host, result, owner))).toBe('TOOL_OUTPUT_LIMIT')
    await run.done
    expect(run.last).toMatchObject({
      type: 'run.failed',
      error: { code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' },
    })
    expect(await executionStatus(host, identity.executionId, owner)).toMatchObject({
      status: 'refused',
      error: { code: 'TOOL_OUTPUT_LIMIT', outcome: 'uncertain' },
    })
  })

  test('that breaks the schema uses the ticket up; its size is looked at first [application-tools/schema-consumes] [application-tools/no-amendment]', async () => {
    const outputSchema = {
      type: 'object',
      properties: { passages: { type: 'array' } },
      required: ['passages'],
    }
    const over = { onToolFailure: 'fail', applicationTools: [{ ...lookup, outputSchema }] }
    const host = embeddedHost()
    const wrong = await out(host, over)
    await expect(completeTool(host, { ...wrong.identity, output: {} }, owner)).rejects.toMatchObject({
      ...{ code: 'INVALID_TOOL_OUTPUT', outcome: 'uncertain', message: expect.stringContaining('/passages') },
    })
    const corrected = { ...wrong.identity, output: { passages: [] } }
    expect(await refusal(completeTool(host, corrected, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    await wrong.run.done
    expect(wrong.run.last).toMatchObject({ error: { code: 'TOOL_OUTCOME_UNCERTAIN', outcome: 'uncertain' } })
    expect(await refusal(completeTool(host, corrected, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await executionStatus(host, wrong.identity.executionId, owner)).toMatchObject({
      ...{ status: 'refused', error: { code: 'INVALID_TOOL_OUTPUT', outcome: 'uncertain' } },
    })
    const large = await out(host, over)
    const output = { other: 'x'.repeat(128_000) }
    expect(await refusal(completeTool(host, { ...large.identity, output }, owner))).toBe('TOOL_OUTPUT_LIMIT')
    await large.run.done
  })

  test('that says that the function failed is accepted, and nobody knows what was done', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host, { onToolFailure: 'fail' })
    const failed = { ...identity, error: 'APPLICATION_TOOL_FAILED' }
    expect(await completeTool(host, failed, owner)).toEqual({ ...identity, status: 'accepted' })
    await run.done
    expect(run.last).toMatchObject({ type: 'run.failed', error: { code: 'TOOL_OUTCOME_UNCERTAIN' } })
    expect(await executionStatus(host, identity.executionId, owner)).toMatchObject({
      status: 'failed',
      error: { code: 'APPLICATION_TOOL_FAILED' },
    })
  })

  test('for a run that was stopped finds nothing, and what it says is kept', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    run.close()
    expect(await refusal(reportToolProgress(host, identity, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    const found_ = await host.runs.find(run.runId, owner)
    await found_.live?.done
    expect(await executionStatus(host, identity.executionId, owner)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED', outcome: 'uncertain' },
    })
    const late = { ...identity, output: found }
    await expect(completeTool(host, late, owner)).rejects.toMatchObject({
      code: 'TOOL_EXECUTION_NOT_FOUND',
      message: expect.stringMatching(/came too late.*was recorded/),
    })
    // It is known now what was done; what the run has said stands.
    expect(await executionStatus(host, identity.executionId, owner)).not.toHaveProperty('error.outcome')
    expect(await runStatus(host, run.runId, owner)).toMatchObject({
      uncertainCalls: [],
      error: { code: 'CANCELLED', outcome: 'uncertain' },
    })
    const finding = { runId: run.runId, callId: identity.callId, found: 'completed' }
    expect(await refusal(reconcileCall(host, finding, owner))).toBe('CALL_NOT_UNCERTAIN')
    const stranger = completeTool(host, late, worker('other'))
    await expect(stranger).rejects.toMatchObject({
      message: 'No execution of this id waits for a result from the caller.',
    })
  })

  test.each([
    ['says that the function failed', { error: 'APPLICATION_TOOL_FAILED' }],
    ['breaks the schema', { output: 7 }],
    ['is too large', { output: 'x'.repeat(128_001) }],
  ])('for a run that was stopped leaves its call uncertain if it %s, and is kept', async (_, given) => {
    const host = embeddedHost()
    const strict = { ...lookup, outputSchema: { type: 'object' } }
    const { run, identity } = await out(host, { ...request, applicationTools: [strict] })
    run.close()
    // It comes while the run is being stopped, and after that.
    for (const says of [/Nobody knows yet.*was recorded/, /waits for a result/])
      await expect(completeTool(host, { ...identity, ...given }, owner)).rejects.toMatchObject({
        code: 'TOOL_EXECUTION_NOT_FOUND',
        message: expect.stringMatching(says),
      })
    const { session } = await host.runs.find(run.runId, owner)
    const late = (await session.events()).filter(({ event }) => event.type === 'call.late')
    expect(late).toMatchObject([{ event: { outcome: { status: 'failed', effect: 'uncertain' } } }])
    const status = await runStatus(host, run.runId, owner)
    expect(status.uncertainCalls).toMatchObject([{ id: identity.callId }])
    expect((await listRuns(host, { uncertain: true }, owner)).runs).toHaveLength(1)
    expect(await executionStatus(host, identity.executionId, owner)).toMatchObject({
      error: { outcome: 'uncertain' },
    })
    const finding = { runId: run.runId, callId: identity.callId, found: 'failed' }
    expect(await reconcileCall(host, finding, owner)).toMatchObject({ status: 'reconciled' })
    expect((await runStatus(host, run.runId, owner)).uncertainCalls).toEqual([])
  })

  test('of progress reaches the stream, and one that says nothing keeps the run from being idle', async () => {
    const host = embeddedHost({ options: { limits: { idleTimeoutMs: 50 } } })
    const { run, identity } = await out(host)
    for (let count = 0; count < 5; count += 1) {
      await host.clock.advance(40)
      await reportToolProgress(host, identity, owner)
    }
    await host.clock.advance(1_000 - 40)
    await run.done
    expect(run.last).toMatchObject({
      type: 'run.cancelled',
      error: { code: 'IDLE_TIMEOUT', outcome: 'uncertain' },
    })
    const second = await out(host)
    const said = { message: 'half', fraction: 0.5, output: { passages: [] } }
    await reportToolProgress(host, { ...second.identity, ...said }, owner)
    expect(await second.run.first('run.progress')).toMatchObject({
      phase: 'tool',
      callId: 'lookup-one',
      ...said,
    })
    for (const over of [{ fraction: 2 }, { text: 'half' }, { output: 'x'.repeat(128_001) }])
      expect(await refusal(reportToolProgress(host, { ...second.identity, ...over }, owner))).toBe(
        'INVALID_TOOL_EXECUTION',
      )
    second.run.close()
  })

  test('can be asked about by its subject and by administrators who may serve it', async () => {
    const host = embeddedHost()
    const { run, identity } = await out(host)
    const id = identity.executionId
    expect(await executionStatus(host, id, owner)).toEqual({
      ...identity,
      name: 'lookup',
      status: 'pending',
      requestedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(await executionStatus(host, id, worker('root', { administration: true }))).toMatchObject({
      status: 'pending',
    })
    expect(await refusal(executionStatus(host, id, worker('other')))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await refusal(executionStatus(host, 'execution_unknown', owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await refusal(executionStatus(host, id, granted('owner')))).toBe('FORBIDDEN')
    run.close()
  })
})
