import { describe, expect, test } from 'vitest'
import type { ApprovalFilters } from '../../../src/protocol/approvals/approval-inbox.ts'
import { decideApproval } from '../../../src/server/tickets/decide-approval.ts'
import { listApprovals } from '../../../src/server/tickets/list-approvals.ts'
import type { Who } from '../../../src/server/who.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  refusal,
  reviewed,
  worker,
} from '../support/embedded-host.ts'

const needsReview = { applicationTools: { enabled: true, requireApproval: true } }

async function asking(host: EmbeddedHost, who: Who, over: object = {}) {
  const run = await host.start({ ...reviewed, ...over }, who)
  const { approval } = await run.first('approval.requested')
  await host.clock.advance(1_000)
  return { run, approval }
}

async function inbox(host: EmbeddedHost, who: Who, filters: ApprovalFilters = {}) {
  const { approvals, nextCursor } = await listApprovals(host, filters, who)
  const ids = approvals.map(({ approval }) => approval.approvalId)
  return { ids, approvals, nextCursor }
}

describe.each(places)('the inbox, in %s', (_name, makePlace) => {
  test('shows what waits, the oldest first, and each to those whom it concerns', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const ann = await asking(host, { subject: 'ann', group: 'sales' })
    const bob = await asking(host, { subject: 'bob' })
    const ids = [ann, bob].map(({ approval }) => approval.approvalId)
    const elsewhere = beside(host, place.open())
    for (const each of [host, elsewhere]) {
      expect((await inbox(each, { subject: 'ann' })).ids).toEqual([ids[0]])
      expect((await inbox(each, { subject: 'bob' })).ids).toEqual([ids[1]])
      expect((await inbox(each, worker('eve'))).ids).toEqual([])
      expect((await inbox(each, worker('eve', { reviewerGroups: ['sales'] }))).ids).toEqual([ids[0]])
      expect((await inbox(each, worker('root', { administration: true }))).ids).toEqual(ids)
    }
    const [item] = (await inbox(host, { subject: 'ann' })).approvals
    expect(item).toEqual({ approval: ann.approval, status: 'pending', subject: 'ann' })
    for (const { run } of [ann, bob]) run.close()
  })

  test('is read page by page, also while something is decided between two pages', async () => {
    await using place = makePlace()
    const host = embeddedHost({
      store: place.open(),
      options: { ...needsReview, limits: { concurrentRunsPerSubject: 9 } },
    })
    const asked = []
    for (let count = 0; count < 5; count += 1) asked.push(await asking(host, { subject: 'ann' }))
    const ids = asked.map(({ approval }) => approval.approvalId)
    const first = await inbox(host, { subject: 'ann' }, { limit: 2 })
    expect(first.ids).toEqual(ids.slice(0, 2))
    const { approvalId, runId, call } = asked[0]?.approval ?? ({} as never)
    await decideApproval(host, { approvalId, runId, call, decision: 'deny' }, { subject: 'ann' })
    const second = await inbox(host, { subject: 'ann' }, { limit: 2, cursor: first.nextCursor as string })
    expect(second.ids).toEqual(ids.slice(2, 4))
    const third = await inbox(host, { subject: 'ann' }, { limit: 2, cursor: second.nextCursor as string })
    expect(third.ids).toEqual(ids.slice(4))
    expect(third.nextCursor).toBeUndefined()
    for (const { run } of asked) run.close()
  })
})

describe('the inbox', () => {
  test('keeps what was decided, under how it ended, with the receipt', async () => {
    const host = embeddedHost({ options: needsReview })
    const who = { subject: 'ann' }
    for (const decision of ['approve', 'deny', 'cancel'] as const) {
      const { approval, run } = await asking(host, who)
      const { approvalId, runId, call } = approval
      const receipt = await decideApproval(host, { approvalId, runId, call, decision }, who)
      const { approvals } = await inbox(host, who, { status: receipt.outcome, runId })
      expect(approvals).toEqual([{ approval, status: receipt.outcome, subject: 'ann', resolution: receipt }])
      run.close()
    }
    const expiring = { approvals: { ...reviewed.approvals, expiresAfterMs: 500 } }
    const { approval, run } = await asking(host, who, expiring)
    await run.done
    expect((await inbox(host, who, { status: 'expired' })).ids).toEqual([approval.approvalId])
    expect((await inbox(host, who)).ids).toEqual([])
  })

  test('restricts by tool, run, session and subject', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, approval } = await asking(host, { subject: 'ann' })
    await asking(host, { subject: 'bob' })
    const root = worker('root', { administration: true })
    const id = [approval.approvalId]
    expect((await inbox(host, root, { runId: run.runId })).ids).toEqual(id)
    expect((await inbox(host, root, { subject: 'ann' })).ids).toEqual(id)
    expect((await inbox(host, root, { tool: 'lookup' })).ids).toHaveLength(2)
    expect((await inbox(host, root, { tool: 'other' })).ids).toEqual([])
    expect((await inbox(host, root, { sessionId: 'other' })).ids).toEqual([])
  })

  test('does not show what the host answers by itself, neither before nor after', async () => {
    const answers = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    const called = Promise.withResolvers<void>()
    let count = 0
    const approve = () => {
      called.resolve()
      return answers[count++]?.promise ?? false
    }
    const host = embeddedHost({ options: { ...needsReview, approve } })
    const who = { subject: 'ann' }
    const run = await host.start(reviewed, who)
    await called.promise
    expect((await inbox(host, who)).ids).toEqual([])
    answers[0]?.resolve(false)
    await run.done
    for (const status of ['pending', 'denied', 'approved'] as const)
      expect((await inbox(host, who, { status })).ids).toEqual([])
  })

  test.each([
    ['a filter that is none', { state: 'pending' }],
    ['a status that is none', { status: 'open' }],
    ['a cursor that is none', { cursor: 'next' }],
    ['a page of nothing', { limit: 0 }],
  ])('refuses %s', async (_what, filters) => {
    expect(await refusal(listApprovals(embeddedHost(), filters as never, {}))).toBe('INVALID_REQUEST')
  })
})
