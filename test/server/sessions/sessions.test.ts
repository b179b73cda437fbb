import { describe, expect, test } from 'vitest'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { createSession } from '../../../src/server/sessions/create-session.ts'
import { deleteSession } from '../../../src/server/sessions/delete-session.ts'
import { readSession } from '../../../src/server/sessions/read-session.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  patient,
  refusal,
  request,
  worker,
} from '../support/embedded-host.ts'

const owner = { subject: 'owner' }
const plain = { provider: 'double', model: 'small', input: 'Hello' }

async function turn(host: EmbeddedHost, session: { id: string; revision?: number }) {
  const run = await host.start({ ...plain, session }, owner)
  await run.done
  return run
}

describe.each(places)('a session, in %s', (_name, makePlace) => {
  test('is made, goes on from turn to turn, and is read in any process', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), steps: ['One', 'Two'] })
    const made = await createSession(host, { provider: 'double', model: 'small' }, owner)
    const facts = { id: made.id, provider: 'double', model: 'small', createdAt: '2026-01-01T00:00:00.000Z' }
    expect(made).toEqual({ ...facts, revision: 0, status: 'idle', messages: [] })
    await turn(host, { id: made.id, revision: 0 })
    await turn(host, { id: made.id, revision: 1 })
    const messages = ['Hello', 'One', 'Hello', 'Two'].map((content, index) => ({
      ...{ role: index % 2 === 0 ? 'user' : 'assistant', content },
    }))
    expect(await readSession(beside(host, place.open()), { id: made.id }, owner)).toEqual({
      ...{ ...facts, revision: 2, status: 'idle', messages },
    })
    expect(await refusal(turn(host, { id: made.id, revision: 1 }))).toBe('SESSION_REVISION_CONFLICT')
  })

  test('that is deleted during a run ends it for good [application/J2]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { id } = await createSession(host, { provider: 'double' }, owner)
    const run = await host.start({ ...request, session: { id } }, owner)
    const { execution } = await run.first('tool.execution.requested')
    expect(await readSession(host, { id }, owner)).toMatchObject({ status: 'busy' })
    expect(await deleteSession(host, { id }, owner)).toEqual({ id, deleted: true })
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'SESSION_DELETED' } })
    const { executionId, runId, call } = execution
    const result = { executionId, runId, callId: call.id, output: 1 }
    expect(await refusal(completeTool(host, result, owner))).toBe('TOOL_EXECUTION_NOT_FOUND')
    expect(await refusal(readSession(host, { id }, owner))).toBe('SESSION_NOT_FOUND')
    expect(await refusal(turn(host, { id }))).toBe('SESSION_NOT_FOUND')
    expect(await refusal(runStatus(host, runId, owner))).toBe('RUN_NOT_FOUND')
    expect(await refusal(deleteSession(host, { id }, owner))).toBe('SESSION_NOT_FOUND')
    expect(await host.parts.store.list({ kind: 'session' })).toEqual([])
  })

  test('that another process drives ends there, and is gone', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open() })
    const { id } = await createSession(host, { provider: 'double' }, owner)
    const run = await host.start({ ...request, session: { id } }, owner)
    await run.first('tool.execution.requested')
    const other = beside(host, place.open(), patient)
    expect(await deleteSession(other, { id }, owner)).toEqual({ id, deleted: true })
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'SESSION_DELETED' } })
    expect(await refusal(readSession(host, { id }, owner))).toBe('SESSION_NOT_FOUND')
  })
})

describe('a session', () => {
  test('is there for its subject and for administrators, and for nobody else', async () => {
    const host = embeddedHost()
    const { id } = await createSession(host, { provider: 'double', id: 'mine' }, owner)
    expect(id).toBe('mine')
    const root = worker('root', { administration: true })
    expect(await readSession(host, { id }, root)).toMatchObject({ id })
    for (const act of [readSession, deleteSession]) {
      expect(await refusal(act(host, { id }, worker('other')))).toBe('SESSION_NOT_FOUND')
      expect(await refusal(act(host, { id: 'unknown' }, owner))).toBe('SESSION_NOT_FOUND')
      expect(await refusal(act(host, {}, owner))).toBe('INVALID_SESSION')
    }
    expect(await refusal(createSession(host, { provider: 'double', id }, owner))).toBe('INVALID_SESSION')
    expect(await deleteSession(host, { id, revision: 0 }, root)).toEqual({ id, deleted: true })
  })

  test('needs the verb among the grants, and the provider to be made for', async () => {
    const host = embeddedHost()
    const { id } = await createSession(host, { provider: 'double' }, owner)
    const reader = worker('owner', { sessions: ['read'] })
    expect(await readSession(host, { id }, reader)).toMatchObject({ id })
    expect(await refusal(createSession(host, { provider: 'double' }, reader))).toBe('FORBIDDEN')
    expect(await refusal(deleteSession(host, { id }, reader))).toBe('FORBIDDEN')
    expect(await refusal(readSession(host, { id }, worker('owner', { sessions: [] })))).toBe('FORBIDDEN')
    expect(
      await refusal(createSession(host, { provider: 'double' }, worker('owner', { providers: [] }))),
    ).toBe('FORBIDDEN')
    expect(await refusal(createSession(host, { provider: 'other' }, owner))).toBe('UNKNOWN_PROVIDER')
    expect(await refusal(createSession(host, { provider: 'double', title: 'x' }, owner))).toBe(
      'INVALID_SESSION',
    )
  })

  test('that is deleted takes the records of its keys along; what named no session stays [application-tools/key-expiry]', async () => {
    const host = embeddedHost({ steps: [] })
    const keyed = async (session?: { id: string }) => {
      const named = session === undefined ? {} : { session }
      const run = await host.start({ ...plain, ...named, idempotencyKey: 'order-1' }, owner)
      await run.done
      return run
    }
    const { id } = await createSession(host, { provider: 'double' }, owner)
    const first = await keyed({ id })
    expect(await refusal(keyed())).toBe('IDEMPOTENCY_CONFLICT')
    await deleteSession(host, { id }, owner)
    expect(await refusal(runStatus(host, first.runId, owner))).toBe('RUN_NOT_FOUND')
    const second = await keyed()
    expect(second.last).toMatchObject({ type: 'run.completed' })
    await host.clock.advance(10 * 365 * 86_400_000)
    expect((await keyed()).last).toEqual(second.last)
    const kept = (await host.runs.find(second.runId, owner)).session.id
    expect(await refusal(deleteSession(host, { id: kept }, owner))).toBe('SESSION_NOT_FOUND')
  })

  test('is not to be had at a host without sessions', async () => {
    const host = embeddedHost({ options: { sessions: false } })
    for (const act of [createSession, readSession, deleteSession])
      expect(await refusal(act(host, { id: 'a', provider: 'double' }, owner))).toBe('SESSIONS_UNAVAILABLE')
  })

  test('is deleted at the revision that was read, if one is named', async () => {
    const host = embeddedHost({ steps: [] })
    const { id } = await createSession(host, { provider: 'double' }, owner)
    await turn(host, { id })
    expect(await refusal(deleteSession(host, { id, revision: 0 }, owner))).toBe('SESSION_REVISION_CONFLICT')
    expect(await deleteSession(host, { id, revision: 1 }, owner)).toEqual({ id, deleted: true })
  })

  test('whose newest turn failed is interrupted', async () => {
    const host = embeddedHost({ steps: [{ error: 'overloaded' }] })
    const { id } = await createSession(host, { provider: 'double' }, owner)
    await turn(host, { id })
    expect(await readSession(host, { id }, owner)).toMatchObject({ status: 'interrupted', revision: 1 })
  })

  test('shows what was said, and not what the host told the model', async () => {
    const host = embeddedHost({ steps: ['perhaps', '{"sure":true}'] })
    const { id } = await createSession(host, { provider: 'double' }, owner)
    const outputSchema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] }
    const run = await host.start({ ...plain, outputSchema, session: { id } }, owner)
    await run.done
    const { messages } = await readSession(host, { id }, owner)
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'perhaps', '{"sure":true}'])
  })

  test('is not what a run keeps that named none', async () => {
    const host = embeddedHost({ steps: [] })
    const run = await host.start(plain, owner)
    await run.done
    const { session } = await host.runs.find(run.runId, owner)
    for (const act of [readSession, deleteSession])
      expect(await refusal(act(host, { id: session.id }, owner))).toBe('SESSION_NOT_FOUND')
  })
})
