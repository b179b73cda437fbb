import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { serve } from '../../../src/server/http/serve.ts'
import { manualClock } from '../../../src/testing.ts'
import { mortal } from '../../support/places.ts'
import { baseline, baselineHost, oneLookup, proposing, typesOf } from '../support/baseline.ts'

const token = 'a-token-of-at-least-thirty-two-characters'
const approvals = { mode: 'interactive', idlePolicy: 'pause' } as const
const reviewed = { ...baseline, approvals, onToolFailure: 'fail' } as const
const reviewing = { applicationTools: { enabled: true }, approvals: { interactive: true } } as const
const grants = { providers: ['*'], applicationTools: [{ name: '*' }], approveTools: ['*'] }

async function serving(over: Parameters<typeof baselineHost>[0] = {}) {
  const host = baselineHost({ ...reviewing, ...over })
  const running = await serve(host, { port: 0, tokens: [{ token, subject: 'anna', ...grants }] })
  const client = createClient({ baseUrl: running.url, token })
  return { host, client, running, [Symbol.asyncDispose]: () => running.close() }
}

type Asked = Extract<RunEvent, { type: 'approval.requested' }>['approval']

/** Reads until a person is asked. */
async function untilAsked(events: AsyncIterator<RunEvent>): Promise<Asked> {
  for (;;) {
    const { value, done } = await events.next()
    if (done === true) throw new Error('Nobody was asked.')
    if (value.type === 'approval.requested') return value.approval
  }
}

const decided = ({ approvalId, runId, call }: Asked, decision: 'approve' | 'deny' | 'cancel') => ({
  ...{ approvalId, runId, call, decision },
})

describe('over HTTP', () => {
  test.each([
    ['approve', 'run.completed', 'approved', undefined],
    ['deny', 'run.failed', 'denied', 'APPROVAL_DENIED'],
    ['cancel', 'run.cancelled', 'cancelled', 'CANCELLED'],
  ] as const)(
    '%s has its end and its outcome, and only an approval completes the tool [application/E22]',
    async (decision, end, outcome, code) => {
      await using host = await serving()
      const events: RunEvent[] = []
      for await (const event of host.client.stream(reviewed)) {
        events.push(event)
        if (event.type === 'approval.requested')
          expect(await host.client.decideApproval(decided(event.approval, decision))).toMatchObject({
            outcome,
          })
        if (event.type === 'tool.execution.requested') {
          const { executionId, runId, call } = event.execution
          await host.client.completeTool({ executionId, runId, callId: call.id, output: { passages: [] } })
        }
      }
      expect(events.at(-1)).toMatchObject(code === undefined ? { type: end } : { type: end, error: { code } })
      expect(events.find(({ type }) => type === 'approval.resolved')).toMatchObject({
        resolution: { outcome },
      })
      expect(typesOf(events).includes('tool.completed')).toBe(decision === 'approve')
    },
  )

  test('a disconnect and a shutdown cancel a review that is open, and its decision finds nothing [application/E16]', async () => {
    await using host = await serving()
    const stop = new AbortController()
    const left = host.client.stream(reviewed, { signal: stop.signal })
    const asked = await untilAsked(left)
    stop.abort()
    await expect(left.next()).rejects.toMatchObject({ name: 'AbortError' })
    await host.host.runs.liveRun(asked.runId)?.done
    await expect(host.client.decideApproval(decided(asked, 'approve'))).rejects.toMatchObject({
      code: 'APPROVAL_NOT_FOUND',
      status: 404,
    })
    const other = host.client.stream(reviewed)
    const again = await untilAsked(other)
    const ended = other.next()
    await host.running.close()
    await ended.catch(() => undefined)
    const { session } = await host.host.runs.find(again.runId, { subject: 'anna' })
    expect(session.state.tickets.get(again.approvalId)?.decided).toMatchObject({
      approved: false,
      category: 'cancelled',
    })
    expect(host.host.runs.approvals.size).toBe(0)
  })

  test('a read that waits ends at once when its stream is closed [application/E17]', async () => {
    await using host = await serving()
    const stop = new AbortController()
    const remote = host.client.stream(reviewed, { signal: stop.signal })
    await untilAsked(remote)
    const waiting = remote.next()
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    const embedded = host.host.stream(reviewed)
    await untilAsked(embedded)
    const pending = embedded.next()
    await embedded.return()
    expect(await pending).toMatchObject({ done: true })
  })
})

test('an approval that runs out ends a strict run, and its decision finds nothing', async () => {
  const clock = manualClock()
  const host = baselineHost({ ...reviewing, parts: { clock, ...mortal() } })
  const stream = host.stream({ ...reviewed, approvals: { ...approvals, expiresAfterMs: 1_000 } })
  const asked = await untilAsked(stream)
  expect(asked.expiresAt).toBeDefined()
  const rest = (async () => {
    const events: RunEvent[] = []
    for await (const event of stream) events.push(event)
    return events
  })()
  await clock.advance(1_000)
  const events = await rest
  expect(events.find(({ type }) => type === 'approval.resolved')).toMatchObject({
    resolution: { outcome: 'expired' },
  })
  expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'APPROVAL_EXPIRED' } })
  await expect(host.decideApproval(decided(asked, 'approve'))).rejects.toMatchObject({
    code: 'APPROVAL_NOT_FOUND',
  })
})

test('what a stream sends to keep itself open is no sign of life [application/F9]', async () => {
  const clock = manualClock()
  const host = baselineHost({
    applicationTools: { enabled: true, requireApproval: false },
    limits: { idleTimeoutMs: 20_000 },
    parts: { clock, ...mortal() },
  })
  await using running = await serve(host, {
    port: 0,
    clock,
    tokens: [
      { token, subject: 'anna', ...grants, applicationTools: [{ name: '*', requiresApproval: false }] },
    ],
  } as never)
  const client = createClient({ baseUrl: running.url, token })
  const stream = client.stream(baseline)
  for (let type = ''; type !== 'tool.execution.requested'; )
    type = (await stream.next()).value?.type ?? 'over'
  const events: RunEvent[] = []
  const rest = (async () => {
    for await (const event of stream) events.push(event)
  })()
  await clock.advance(15_000)
  await clock.advance(5_000)
  await rest
  expect(events.at(-1)).toMatchObject({ type: 'run.cancelled', error: { code: 'IDLE_TIMEOUT' } })
})

describe('a session', () => {
  test('goes on with tools, and refuses what is stale, at work or broken off [application/J1]', async () => {
    const host = baselineHost()
    const { id } = await host.createSession({ provider: 'double' })
    const said = async (request: object) => {
      const events: RunEvent[] = []
      for await (const event of host.stream(request)) {
        events.push(event)
        if (event.type !== 'tool.execution.requested') continue
        const { executionId, runId, call } = event.execution
        await host.completeTool({ executionId, runId, callId: call.id, output: { passages: [] } })
      }
      return events.at(-1)
    }
    expect(await said({ ...baseline, session: { id, revision: 0 } })).toMatchObject({
      type: 'run.completed',
      result: { session: { id, revision: 1 } },
    })
    await expect(said({ ...baseline, session: { id, revision: 0 } })).rejects.toMatchObject({
      code: 'SESSION_REVISION_CONFLICT',
    })
    const first = host.stream({ ...baseline, input: 'More.', session: { id, revision: 1 } })
    await first.next()
    await expect(said({ ...baseline, session: { id } })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    const { runId } = (await first.next()).value as RunEvent
    await first.return()
    await host.runs.liveRun(runId)?.done
    await expect(said({ ...baseline, session: { id } })).rejects.toMatchObject({
      code: 'SESSION_INTERRUPTED',
    })
  })

  test('that belongs to another, was made for another provider, or to nobody, is not gone on with', async () => {
    const host = baselineHost({
      providers: {
        double: { models: { small: proposing(oneLookup) } },
        other: { models: {} },
      },
    })
    const { id } = await host.createSession({ provider: 'double' }, { subject: 'anna' })
    const plain = { provider: 'double', model: 'small', input: 'x' }
    await expect(host.run({ ...plain, session: { id } }, { subject: 'berta' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    const { id: others } = await host.createSession({ provider: 'other' }, { subject: 'anna' })
    await expect(host.run({ ...plain, session: { id: others } }, { subject: 'anna' })).rejects.toMatchObject({
      code: 'SESSION_PROVIDER_MISMATCH',
    })
    const stream = host.stream(plain)
    const { runId } = (await stream.next()).value as RunEvent
    const { session } = await host.runs.find(runId, {})
    await expect(host.run({ ...plain, session: { id: session.id } })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })
})
