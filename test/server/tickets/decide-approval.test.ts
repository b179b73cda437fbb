import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/index.ts'
import { runStatus } from '../../../src/server/discovery/run-status.ts'
import { completeTool } from '../../../src/server/tickets/complete-tool.ts'
import { decideApproval } from '../../../src/server/tickets/decide-approval.ts'
import type { Who } from '../../../src/server/who.ts'
import { places } from '../../support/places.ts'
import {
  beside,
  type EmbeddedHost,
  embeddedHost,
  granted,
  patient,
  ReadRun,
  refusal,
  request,
  reviewed,
  slowAndLookingUp,
  slowTool,
  worker,
} from '../support/embedded-host.ts'

const needsReview = { applicationTools: { enabled: true, requireApproval: true } }

async function asking(host: EmbeddedHost, given: object = reviewed, who: Who = { subject: 'owner' }) {
  const run = await host.start(given, who)
  const { approval } = await run.first('approval.requested')
  const { approvalId, runId, call } = approval
  return { run, approval, decision: { approvalId, runId, call, decision: 'approve' as const } }
}

async function finish(host: EmbeddedHost, run: ReadRun, who: Who = { subject: 'owner' }) {
  const { execution } = await run.first('tool.execution.requested')
  const { executionId, runId, call } = execution
  await completeTool(host, { executionId, runId, callId: call.id, output: 'found' }, who)
  await run.done
}

const owner = { subject: 'owner' }

/** Resolves when the claims of a run are in the store, those that protect no effect too. */
async function isStored(host: EmbeddedHost, runId: string): Promise<void> {
  await host.runs.liveRun(runId)?.session.events()
}

describe.each(places)('a decision, in %s', (_name, makePlace) => {
  test('is taken once: the receipt comes before the effect, and a second one finds nothing [application/E3]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const { run, decision } = await asking(host)
    const receipt = await decideApproval(host, decision, owner)
    expect(run.types).not.toContain('tool.completed')
    expect(receipt).toMatchObject({ outcome: 'approved', decidedBy: 'owner', callId: 'lookup-one' })
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
    await finish(host, run)
    expect((await run.first('approval.resolved')).resolution).toEqual(receipt)
    expect(run.types.filter((type) => type === 'tool.execution.requested')).toHaveLength(1)
    expect(run.last).toMatchObject({ type: 'run.completed', result: { text: 'finished' } })
  })

  test('comes from another process, whoever drives the run', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const other = beside(host, place.open())
    const { run, decision } = await asking(host)
    expect(await decideApproval(other, decision, owner)).toMatchObject({ outcome: 'approved' })
    await finish(other, run)
    expect(run.last?.type).toBe('run.completed')
  })

  test('is one of many that come at once, of whatever kind', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const other = beside(host, place.open())
    const { run, decision } = await asking(host)
    const kinds = ['cancel', 'approve', 'deny', 'cancel', 'approve', 'deny'] as const
    const answers = await Promise.allSettled(
      kinds.map((kind, place) =>
        decideApproval(place % 2 === 0 ? host : other, { ...decision, decision: kind }, owner),
      ),
    )
    const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    expect(taken).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['APPROVAL_NOT_FOUND']))
    if (taken[0]?.outcome === 'approved') await finish(host, run)
    await run.done
    expect((await run.first('approval.resolved')).resolution).toEqual(taken[0])
  })

  test('that denies or cancels ends the run without an effect and without doubt [application/E6] [application/D7]', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const strict = { ...reviewed, onToolFailure: 'fail' }
    const denied = await asking(host, strict)
    const no = await decideApproval(
      host,
      { ...denied.decision, decision: 'deny', reason: 'Not today.' },
      owner,
    )
    expect(no).toMatchObject({ outcome: 'denied', reason: 'Not today.' })
    await denied.run.done
    expect(denied.run.last).toMatchObject({ type: 'run.failed', error: { code: 'APPROVAL_DENIED' } })
    const cancelled = await asking(host, strict)
    const end = await decideApproval(host, { ...cancelled.decision, decision: 'cancel' }, owner)
    expect(end).toMatchObject({ outcome: 'cancelled', decidedBy: 'owner' })
    await cancelled.run.done
    expect(cancelled.run.types.slice(-2)).toEqual(['approval.resolved', 'run.cancelled'])
    expect(cancelled.run.last).toMatchObject({ error: { code: 'CANCELLED' } })
    for (const { run } of [denied, cancelled]) {
      expect(run.last).not.toHaveProperty('error.outcome')
      expect(run.types).not.toContain('tool.execution.requested')
    }
    expect(host.asked.count).toBe(2)
  })

  test('that cancels ends a run that another process drives, and asks no model on the way', async () => {
    await using place = makePlace()
    const host = embeddedHost({ store: place.open(), options: needsReview })
    const { run, decision } = await asking(host)
    await decideApproval(beside(host, place.open()), { ...decision, decision: 'cancel' }, owner)
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'CANCELLED' } })
    expect(host.asked.count).toBe(1)
  })

  test('that cancels in another process ends a run in which a call is at work, once that is done', async () => {
    await using place = makePlace()
    const { tool: slow, started, mayEnd } = slowTool()
    const options = { ...needsReview, tools: [slow] }
    const host = embeddedHost({ store: place.open(), options, steps: [slowAndLookingUp] })
    const { run, decision } = await asking(host, { ...reviewed, tools: ['lookup', 'slow'] })
    await started
    await isStored(host, run.runId)
    const other = beside(host, place.open(), patient)
    const receipt = await decideApproval(other, { ...decision, decision: 'cancel' }, owner)
    expect(receipt).toMatchObject({ outcome: 'cancelled' })
    mayEnd('done')
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'CANCELLED' } })
    expect(host.asked.count).toBe(1)
  })

  test('that cancels ends a run that a dead process left in the middle of a call', async () => {
    await using place = makePlace()
    const { tool: slow, started } = slowTool()
    const options = { ...needsReview, tools: [slow] }
    const dead = embeddedHost({ store: place.open(), options, steps: [slowAndLookingUp] })
    const { decision } = await asking(dead, { ...reviewed, tools: ['lookup', 'slow'] })
    await started
    await isStored(dead, decision.runId)
    const host = beside(dead, place.open())
    await decideApproval(host, { ...decision, decision: 'cancel' }, owner)
    expect(await runStatus(host, decision.runId, owner)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED' },
      pendingApprovals: [],
    })
  })
})

describe('a decision', () => {
  test('is about exactly the call that was shown, whatever the order of its members [application-tools/review-exact-call]', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    const { call } = decision
    const others = [
      { ...decision, runId: 'run_other' },
      { ...decision, call: { ...call, id: 'lookup-two' } },
      { ...decision, call: { ...call, name: 'look_up' } },
      { ...decision, call: { ...call, arguments: { ...call.arguments, query: 'lunar' } } },
      { ...decision, call: { ...call, arguments: { ...call.arguments, more: null } } },
    ]
    for (const other of others)
      expect(await refusal(decideApproval(host, other, owner))).toBe('APPROVAL_MISMATCH')
    const turned = { limits: { min: 1, max: 3 }, query: 'solar' }
    await decideApproval(
      host,
      { ...decision, call: { arguments: turned, name: call.name, id: call.id } },
      owner,
    )
    await finish(host, run)
    expect(run.last?.type).toBe('run.completed')
  })

  test('of another subject finds no approval, and his grants do not matter [application/E1]', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    for (const who of [{ subject: 'other' }, worker('other'), granted('other')])
      expect(await refusal(decideApproval(host, decision, who))).toBe('APPROVAL_NOT_FOUND')
    expect(await refusal(decideApproval(host, { ...decision, approvalId: 'ask_unknown' }, owner))).toBe(
      'APPROVAL_NOT_FOUND',
    )
    await decideApproval(host, decision, owner)
    await finish(host, run)
  })

  test('needs the tool and the provider among the grants, and is not used up without them', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    for (const access of [
      { approveTools: [] },
      { providers: [] },
      { approveTools: ['other'], providers: ['double'] },
    ])
      expect(await refusal(decideApproval(host, decision, worker('owner', access)))).toBe('FORBIDDEN')
    const mine = worker('owner', { approveTools: ['lookup'], providers: ['double'] })
    expect(await decideApproval(host, decision, mine)).toMatchObject({ outcome: 'approved' })
    await finish(host, run)
  })

  test("can be a reviewer's of the group of the run, and an administrator's", async () => {
    const host = embeddedHost({ options: needsReview })
    const first = await asking(host, reviewed, { subject: 'owner', group: 'sales' })
    const elsewhere = worker('reviewer', { reviewerGroups: ['support'] })
    expect(await refusal(decideApproval(host, first.decision, elsewhere))).toBe('APPROVAL_NOT_FOUND')
    const reviewer = worker('reviewer', { reviewerGroups: ['sales'] })
    expect(await decideApproval(host, first.decision, reviewer)).toMatchObject({ decidedBy: 'reviewer' })
    const second = await asking(host)
    const root = worker('root', { administration: true })
    expect(await decideApproval(host, second.decision, root)).toMatchObject({ decidedBy: 'root' })
    for (const { run } of [first, second]) run.close()
  })

  test.each([
    ['a key too many', { subject: 'owner' }],
    ['no decision of ours', { decision: 'approved' }],
    ['edited arguments beside a no', { decision: 'deny', editedArguments: {} }],
    ['edited arguments that do not pass', { editedArguments: { query: 7 } }],
  ])('with %s is invalid, and the approval still waits', async (_what, over) => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    expect(await refusal(decideApproval(host, { ...decision, ...over }, owner))).toBe('INVALID_APPROVAL')
    await decideApproval(host, decision, owner)
    await finish(host, run)
  })

  test('may change the arguments, and the receipt and the execution say so', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    const receipt = await decideApproval(
      host,
      { ...decision, editedArguments: { query: 'lunar' }, reason: 'Not the sun.' },
      owner,
    )
    expect(receipt).toMatchObject({ editedArguments: { query: 'lunar' }, reason: 'Not the sun.' })
    const { execution } = await run.first('tool.execution.requested')
    expect(execution.call.arguments).toEqual({ query: 'lunar' })
    run.close()
  })

  test('comes too late once its time is over by the clock, whether or not a timer was due [application-tools/review-expired-by-clock]', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host, {
      ...reviewed,
      approvals: { ...reviewed.approvals, expiresAfterMs: 50 },
      onToolFailure: 'fail',
    })
    await host.clock.advance(50)
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
    await run.done
    expect(run.types.slice(-2)).toEqual(['approval.resolved', 'run.failed'])
    expect(run.last).toMatchObject({ error: { code: 'APPROVAL_EXPIRED' } })
  })

  test('waits for thirty days where a review stops the idle clock, and no process has to be up [application/E8]', async () => {
    const store = memoryStore()
    const options = { ...needsReview, limits: { idleTimeoutMs: 50 } }
    const first = embeddedHost({ store, options })
    const { run, approval, decision } = await asking(first, { ...reviewed, onDisconnect: 'keep' })
    expect(approval).not.toHaveProperty('expiresAt')
    await first.clock.advance(60_000)
    await first.runs.close(0)
    await first.clock.advance(30 * 24 * 60 * 60 * 1_000)
    const host = beside(first, store)
    expect(await decideApproval(host, decision, owner)).toMatchObject({ outcome: 'approved' })
    await host.runs.recover()
    const followed = new ReadRun(await host.runs.follow(await host.runs.find(run.runId, owner), undefined))
    await finish(host, followed)
    expect(followed.last).toMatchObject({ type: 'run.completed', result: { text: 'finished' } })
  })

  test.each(['pause', 'continue'] as const)(
    'that approves begins the whole idle interval anew, with the policy %s [application-tools/idle-restarts]',
    async (idlePolicy) => {
      const host = embeddedHost({ options: needsReview })
      const approvals = { mode: 'interactive', idlePolicy }
      const { run, decision } = await asking(host, { ...reviewed, approvals, idleTimeoutMs: 50 })
      await host.clock.advance(40)
      await decideApproval(host, decision, owner)
      await run.first('tool.execution.requested')
      await host.clock.advance(49)
      expect(host.runs.liveRun(run.runId)?.isOver).toBe(false)
      await host.clock.advance(1)
      await run.done
      expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'IDLE_TIMEOUT' } })
    },
  )

  test('is asked for only where there is room for the execution, which nobody else gets meanwhile [application-tools/review-capacity-first]', async () => {
    const store = memoryStore()
    const application = { enabled: true, requireApproval: true, maxPending: 1 }
    const host = embeddedHost({ store, options: { applicationTools: application } })
    const strict = { ...reviewed, onToolFailure: 'fail' }
    const { run, decision } = await asking(host, { ...strict, onDisconnect: 'keep' })
    const refused = async (at: EmbeddedHost) => {
      const second = await at.start(strict, owner)
      await second.done
      expect(second.types).not.toContain('approval.requested')
      expect(second.last).toMatchObject({ error: { code: 'TOOL_EXECUTOR_CAPACITY', retryable: true } })
    }
    await refused(host)
    await host.runs.close(0)
    const again = beside(host, store)
    await again.runs.recover()
    await refused(again)
    const followed = new ReadRun(await again.runs.follow(await again.runs.find(run.runId, owner), undefined))
    await followed.first('approval.requested')
    await decideApproval(again, decision, owner)
    await finish(again, followed)
    expect(followed.last?.type).toBe('run.completed')
    expect(again.runs.executions.size).toBe(0)
  })

  test('finds nothing once the idle clock has ended the run [application/E9]', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host, {
      ...reviewed,
      approvals: { mode: 'interactive', idlePolicy: 'continue' },
      idleTimeoutMs: 50,
    })
    await host.clock.advance(51)
    await run.done
    expect(run.last).toMatchObject({ type: 'run.cancelled', error: { code: 'IDLE_TIMEOUT' } })
    expect(run.types).not.toContain('run.progress')
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
  })

  test('that comes too late is told nothing of grants, also where nobody has looked at the time [application-tools/review-expired-by-clock]', async () => {
    const store = memoryStore()
    const first = embeddedHost({ store, options: needsReview })
    const approvals = { ...reviewed.approvals, expiresAfterMs: 50 }
    const { decision } = await asking(first, { ...reviewed, approvals, onDisconnect: 'keep' })
    await first.runs.close(0)
    await first.clock.advance(50)
    const host = beside(first, store)
    expect(await refusal(decideApproval(host, decision, granted('owner')))).toBe('APPROVAL_NOT_FOUND')
    const { session } = await host.runs.find(decision.runId, owner)
    expect(session.state.tickets.get(decision.approvalId)?.decided).toMatchObject({ category: 'expired' })
  })

  test('finds nothing once the run is being stopped, whatever of it is still at work', async () => {
    const { tool: slow, started, mayEnd } = slowTool()
    const options = { ...needsReview, tools: [slow] }
    const host = embeddedHost({ options, steps: [slowAndLookingUp] })
    const { run, decision } = await asking(host, { ...reviewed, tools: ['lookup', 'slow'] })
    await started
    run.close()
    for (const kind of ['approve', 'deny', 'cancel'])
      expect(await refusal(decideApproval(host, { ...decision, decision: kind }, owner))).toBe(
        'APPROVAL_NOT_FOUND',
      )
    mayEnd('done')
  })

  test('finds nothing once the reader has left', async () => {
    const host = embeddedHost({ options: needsReview })
    const { run, decision } = await asking(host)
    run.close()
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
  })

  test("of a person cannot come before that of the host's own callback", async () => {
    const callback = Promise.withResolvers<boolean>()
    const called = Promise.withResolvers<void>()
    const approve = () => {
      called.resolve()
      return callback.promise
    }
    const host = embeddedHost({ options: { ...needsReview, approve } })
    const run = await host.start(reviewed, owner)
    await called.promise
    const [row] = await host.parts.store.list({ kind: 'ticket', status: 'open' })
    const call = {
      id: 'lookup-one',
      name: 'lookup',
      arguments: { query: 'solar', limits: { max: 3, min: 1 } },
    }
    const decision = { approvalId: String(row?.id), runId: run.runId, call, decision: 'approve' }
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
    expect((await runStatus(host, run.runId, owner)).pendingApprovals).toEqual([])
    callback.resolve(true)
    await run.first('approval.requested')
    await decideApproval(host, decision, owner)
    await finish(host, run)
  })

  test('about a run that takes no reviews finds nothing', async () => {
    const host = embeddedHost()
    const run = await host.start(request, owner)
    const { execution } = await run.first('tool.execution.requested')
    const decision = {
      approvalId: execution.executionId,
      runId: run.runId,
      call: execution.call,
      decision: 'approve',
    }
    expect(await refusal(decideApproval(host, decision, owner))).toBe('APPROVAL_NOT_FOUND')
    run.close()
  })
})
