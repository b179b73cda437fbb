import { describe, expect, test } from 'vitest'
import { type Event, memoryStore, type Store } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import type { AuditRecord } from '../../../src/server/audit.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import { decideApproval } from '../../../src/server/tickets/decide-approval.ts'
import { listApprovals } from '../../../src/server/tickets/list-approvals.ts'
import { crashingStore } from '../../support/crashing-store.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  eventually,
  refusal,
  reviewed,
} from '../support/embedded-host.ts'

const kept = { ...reviewed, onDisconnect: 'keep' } as const

/** A host that is asked and told first, and what it was asked and told. */
function auditing(approve?: () => boolean | Promise<boolean>) {
  const told: string[] = []
  const asked: string[] = []
  const options: Partial<HostOptions> = {
    applicationTools: { enabled: true },
    approve: async ({ call }) => {
      asked.push(call.id)
      return approve === undefined ? true : await approve()
    },
    onAudit: ({ kind, ticket }: AuditRecord) => void told.push(`${kind} ${ticket}`),
  }
  return { options, told, asked }
}

/** Begins a reviewed run on a store that dies at an event, and gives the ask that its log has. */
async function killedAt(type: Event['type'], when: 'before' | 'after', options: Partial<HostOptions>) {
  const store = memoryStore()
  const crashing = crashingStore(store, type, when)
  const host = embeddedHost({ store: crashing.store, options })
  await host.start(kept)
  await crashing.crashed
  return { host, store, ticket: await ticketIn(store) }
}

async function ticketIn(store: Store): Promise<string> {
  const [row] = await store.list({ kind: 'ticket', limit: 1 })
  return row?.id ?? ''
}

async function decisionOn(host: EmbeddedHost, store: Store, ticket: string, decision = 'deny') {
  const [row] = await store.list({ kind: 'run', limit: 1 })
  const runId = row?.id ?? ''
  const { state } = (await host.runs.find(runId, {})).session
  const call = state.calls.get(state.tickets.get(ticket)?.call ?? '')
  return {
    approvalId: ticket,
    runId,
    call: { id: call?.modelCallId, name: call?.name, arguments: call?.args },
    decision,
  }
}

async function seenBy(host: EmbeddedHost, store: Store): Promise<readonly number[]> {
  const [row] = await store.list({ kind: 'run', limit: 1 })
  const { approvals } = await listApprovals(host, {}, {})
  const { pendingApprovals } = await runStatus(host, row?.id ?? '', {})
  return [approvals.length, pendingApprovals.length]
}

/** Whether the stream of the run, told from its log by a process that does not drive it, asks. */
async function streamAsks(host: EmbeddedHost, store: Store): Promise<readonly RunEvent['type'][]> {
  const [row] = await store.list({ kind: 'run', limit: 1 })
  const stream = await host.runs.follow(await host.runs.find(row?.id ?? '', {}), undefined)
  const types: RunEvent['type'][] = []
  const reading = (async () => {
    for await (const { event } of stream) types.push(event.type)
  })()
  await eventually(() => (types.includes('tool.called') ? true : undefined))
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  stream.close()
  await reading
  return types
}

describe('a host that is asked and told before people, killed', () => {
  test.each([
    ['before it was asked', 'approval.requested', 'after', 0],
    ['after it was told, before that was recorded', 'state.changed', 'before', 1],
  ] as const)(
    '%s: nobody sees the ask and nobody decides it, until it is told by the next process',
    async (_name, type, when, toldBefore) => {
      const gate = Promise.withResolvers<boolean>()
      const { options, told } = auditing()
      const { host, store, ticket } = await killedAt(type, when, options)
      expect(told.length).toBe(toldBefore)
      const second = auditing(() => gate.promise)
      const next = beside(host, store, { options: second.options })
      expect(await seenBy(next, store)).toEqual([0, 0])
      expect(await streamAsks(next, store)).not.toContain('approval.requested')
      expect(await refusal(decideApproval(next, await decisionOn(next, store, ticket, 'approve'), {}))).toBe(
        'APPROVAL_NOT_FOUND',
      )
      await next.runs.recover()
      await eventually(() => (second.asked.length > 0 ? true : undefined))
      expect(await seenBy(next, store)).toEqual([0, 0])
      expect(await refusal(decideApproval(next, await decisionOn(next, store, ticket, 'approve'), {}))).toBe(
        'APPROVAL_NOT_FOUND',
      )
      expect(second.told).toEqual([])
      gate.resolve(true)
      const { runId } = await decisionOn(next, store, ticket)
      await eventually(() => (next.runs.liveRun(runId)?.isShown(ticket) === true ? true : undefined))
      expect(second.told).toEqual([`approval.requested ${ticket}`])
      expect(await seenBy(next, store)).toEqual([1, 1])
    },
  )

  test('after it was recorded, before anybody was asked: the ask is decided in any process, and told of once', async () => {
    const { options, told, asked } = auditing()
    const { host, store, ticket } = await killedAt('state.changed', 'after', options)
    expect(told).toEqual([`approval.requested ${ticket}`])
    const second = auditing(() => false)
    const next = beside(host, store, { options: second.options })
    expect(await seenBy(next, store)).toEqual([1, 1])
    expect(await streamAsks(next, store)).toContain('approval.requested')
    await next.runs.recover()
    const decision = await decisionOn(next, store, ticket)
    const live = await eventually(() => next.runs.liveRun(decision.runId))
    expect(await seenBy(next, store)).toEqual([1, 1])
    expect(await decideApproval(next, decision, {})).toMatchObject({ outcome: 'denied' })
    await live.done
    expect(second.asked).toEqual([])
    expect(second.told).toEqual([`approval.resolved ${ticket}`])
    expect(asked).toEqual(['lookup-one'])
  })

  test('while people were asked: a decision counts before anybody drives the run, and after', async () => {
    const { options, told } = auditing()
    const store = memoryStore()
    const host = embeddedHost({ store, options })
    const run = await host.start(kept)
    const { approval } = await run.first('approval.requested')
    const second = auditing(() => false)
    const next = beside(host, store, { options: second.options })
    const decision = {
      approvalId: approval.approvalId,
      runId: run.runId,
      call: approval.call,
      decision: 'approve',
    }
    expect(await decideApproval(next, decision, {})).toMatchObject({ outcome: 'approved' })
    expect(told).toEqual([`approval.requested ${approval.approvalId}`])
    expect(second.told).toEqual([`approval.resolved ${approval.approvalId}`])
    await run.first('tool.execution.requested')
  })
})

test('an ask that cannot be recorded as shown is shown to nobody, and its call is refused', async () => {
  const { options, told } = auditing()
  const store = memoryStore()
  const broken = new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'append') return typeof value === 'function' ? value.bind(target) : value
      return async (what: Parameters<Store['append']>[0]) => {
        const isMark = what.streams.some(({ events }) =>
          events.some(({ event }) => event.type === 'state.changed'),
        )
        if (isMark) throw new Error('the disk is full')
        return await store.append(what)
      }
    },
  })
  const host = embeddedHost({ store: broken, options })
  const run = await host.start(kept)
  await run.done
  expect(told.filter((each) => each.startsWith('approval.'))).toHaveLength(1)
  expect(run.types).not.toContain('approval.requested')
  expect(run.types).not.toContain('tool.execution.requested')
  expect(run.events.find(({ type }) => type === 'tool.failed')).toMatchObject({
    code: 'APPROVAL_AUDIT_FAILED',
  })
})

test('asks of one step are each recorded, and each is decided after a restart', async () => {
  const { options } = auditing()
  const store = memoryStore()
  const steps = [{ calls: ['a', 'b', 'c'].map((id) => ({ id, name: 'lookup', args: { query: id } })) }]
  const host = embeddedHost({ store, options, steps })
  const run = await host.start(kept)
  await eventually(() =>
    run.types.filter((type) => type === 'approval.requested').length === 3 ? true : undefined,
  )
  const second = auditing(() => false)
  const next = beside(host, store, { options: second.options, steps })
  await next.runs.recover()
  const live = await eventually(() => next.runs.liveRun(run.runId))
  const { approvals } = await listApprovals(next, {}, {})
  expect(approvals.map(({ approval }) => approval.call.id).sort()).toEqual(['a', 'b', 'c'])
  for (const { approval } of approvals) {
    const { approvalId, runId, call } = approval
    await decideApproval(next, { approvalId, runId, call, decision: 'deny' }, {})
  }
  await live.done
  expect(second.asked).toEqual([])
  expect(second.told.filter((each) => each.startsWith('approval.requested'))).toEqual([])
})
