import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../../../src/index.ts'
import type { AuditRecord } from '../../../src/server/audit.ts'
import { createHost } from '../../../src/server/host.ts'
import { baseline, baselineHost, oneLookup, typesOf } from '../support/baseline.ts'

const reviewed = {
  ...baseline,
  approvals: { mode: 'interactive', idlePolicy: 'pause' },
  onToolFailure: 'fail',
} as const
const reviewing = { applicationTools: { enabled: true }, approvals: { interactive: true } } as const

describe('what is noted down', () => {
  test('is every review and every execution, what did not count too [application/E5] [application-tools/execution-audit]', async () => {
    const records: AuditRecord[] = []
    const host = baselineHost({ ...reviewing, onAudit: (record) => void records.push(record) })
    for await (const event of host.stream(reviewed, { subject: 'anna' })) {
      if (event.type === 'approval.requested') {
        const { approvalId, runId, call } = event.approval
        const decision = { approvalId, runId, call, decision: 'approve' }
        const wrong = [
          [{ ...decision, decision: 'maybe' }, 'anna'],
          [decision, 'berta'],
          [{ ...decision, runId: 'run_other' }, 'anna'],
          [{ ...decision, call: { ...call, arguments: { query: 'lunar' } } }, 'anna'],
          [{ ...decision, approvalId: 'ask_none' }, 'anna'],
        ] as const
        for (const [body, subject] of wrong)
          await expect(host.decideApproval(body, { subject })).rejects.toThrow()
        await host.decideApproval(decision, { subject: 'anna' })
        await expect(host.decideApproval(decision, { subject: 'anna' })).rejects.toThrow()
      }
      if (event.type === 'tool.execution.requested') {
        const { executionId, runId, call } = event.execution
        await host.completeTool(
          { executionId, runId, callId: call.id, output: { passages: [] } },
          { subject: 'anna' },
        )
      }
    }
    const count = (kind: string) => records.filter((record) => record.kind === kind).length
    expect(count('approval.requested')).toBe(1)
    expect(count('approval.resolved')).toBe(1)
    expect(count('approval.rejected')).toBe(6)
    expect(count('execution.requested')).toBe(1)
    expect(count('execution.resolved')).toBe(1)
    expect(records.find(({ kind }) => kind === 'approval.requested')).toMatchObject({
      subject: 'anna',
      callId: 'lookup-one',
      tool: 'lookup',
      digest: expect.stringMatching(/^sha256:/),
    })
    expect(records.filter(({ kind }) => kind === 'approval.rejected').map(({ code }) => code)).toEqual([
      'INVALID_APPROVAL',
      'APPROVAL_NOT_FOUND',
      'APPROVAL_MISMATCH',
      'APPROVAL_MISMATCH',
      'APPROVAL_NOT_FOUND',
      'APPROVAL_NOT_FOUND',
    ])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('the disk of the auditor is full')
      },
    ],
    ['answers later', async () => undefined],
  ])(
    'holds back what it cannot be noted by: a sink that %s lets nobody be asked [application/E19]',
    async (_what, onAudit) => {
      const host = baselineHost({ ...reviewing, onAudit: onAudit as never })
      const events = []
      for await (const event of host.stream(reviewed)) events.push(event)
      expect(typesOf(events)).not.toContain('approval.requested')
      expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'APPROVAL_AUDIT_FAILED' } })
      expect(JSON.stringify(events)).not.toContain('auditor')
    },
  )

  test('before an approval holds: when the sink fails then, nothing is allowed', async () => {
    let fails = false
    const host = baselineHost({
      ...reviewing,
      onAudit: () => {
        if (fails) throw new Error('full')
      },
    })
    const events = []
    for await (const event of host.stream(reviewed)) {
      events.push(event)
      if (event.type !== 'approval.requested') continue
      fails = true
      const { approvalId, runId, call } = event.approval
      await expect(
        host.decideApproval({ approvalId, runId, call, decision: 'approve' }),
      ).rejects.toMatchObject({
        code: 'APPROVAL_AUDIT_FAILED',
        status: 503,
      })
      fails = false
      await host.decideApproval({ approvalId, runId, call, decision: 'deny' })
    }
    expect(typesOf(events)).not.toContain('tool.execution.requested')
  })
})

test('what is noted of an execution is a fact: rejected results too, and a sink that fails holds none back [application-tools/execution-audit]', async () => {
  const kinds: string[] = []
  let fails = true
  const host = baselineHost({
    onAudit: ({ kind, code }) => {
      kinds.push(code === undefined ? kind : `${kind} ${code}`)
      if (fails) throw new Error('the disk of the auditor is full')
    },
  })
  const events = []
  for await (const event of host.stream(baseline)) {
    events.push(event)
    if (event.type !== 'tool.execution.requested') continue
    const { executionId, runId, call } = event.execution
    const result = { executionId, runId, callId: call.id, output: { passages: [] } }
    await expect(host.completeTool({ ...result, callId: 'other' })).rejects.toThrow()
    fails = false
    await host.completeTool(result)
  }
  expect(kinds).toEqual([
    ...['execution.requested', 'execution.rejected TOOL_EXECUTION_MISMATCH', 'execution.resolved'],
  ])
  expect(events.at(-1)?.type).toBe('run.completed')
})

describe('the tokens of a run', () => {
  const using = (totals: readonly number[]) => {
    let asked = 0
    return scriptedModel((request) => {
      const outputTokens = totals[asked] ?? 0
      asked += 1
      const usage = { inputTokens: 0, outputTokens }
      const isTold = request.messages.some(({ role }) => role === 'tool')
      return isTold ? { text: 'finished', usage } : { calls: oneLookup, usage }
    })
  }
  const host = (totals: readonly number[]) =>
    createHost({
      providers: { double: { models: { small: using(totals) } } },
      applicationTools: { enabled: true, requireApproval: false },
      limits: { runTokensMax: 100 },
    })

  test('end it before a tool when they are used up; a last answer may use the rest [application/B12]', async () => {
    for (const totals of [[100], [120]]) {
      const events = []
      for await (const event of host(totals).stream(baseline)) events.push(event)
      expect(typesOf(events)).not.toContain('tool.called')
      expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'RESOURCE_LIMIT' } })
    }
    const exact = host([60, 40])
    const events = []
    for await (const event of exact.stream(baseline)) {
      events.push(event)
      if (event.type !== 'tool.execution.requested') continue
      const { executionId, runId, call } = event.execution
      await exact.completeTool({ executionId, runId, callId: call.id, output: { passages: [] } })
    }
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', result: { usage: { outputTokens: 100 } } })
  })
})
