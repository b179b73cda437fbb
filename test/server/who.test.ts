import { describe, expect, test } from 'vitest'
import { tool } from '../../src/index.ts'
import { decideApproval } from '../../src/server/tickets/decide-approval.ts'
import type { Who } from '../../src/server/who.ts'
import { embeddedHost, granted, refusal, request, reviewed } from './support/embedded-host.ts'

const own = tool({ name: 'own', description: 'Looks at the host', toolClass: 'read', execute: () => 'seen' })
const providers = ['double']
const strict = { ...request, onToolFailure: 'fail' }

test('what one list grants no other one does: functions, tools of the host, and reviews [application-tools/grants-independent]', async () => {
  const host = embeddedHost({ options: { tools: [own], applicationTools: { enabled: true } } })
  const hosts = { provider: 'double', model: 'small', input: 'x', tools: ['own'] }
  const owns = (access: object) => granted('ann', { providers, ...access })
  const all = { tools: ['*'], applicationTools: [{ name: '*' }], approveTools: ['*'] }
  for (const [given, asked] of [
    ['tools', hosts],
    ['applicationTools', reviewed],
  ] as const) {
    const { [given]: needed, ...others } = all
    expect(await refusal(host.start(asked, owns(others)))).toBe('FORBIDDEN')
    const run = await host.start(asked, owns({ [given]: needed }))
    await run.first('step.started')
    run.close()
  }
  const run = await host.start(reviewed, owns({ applicationTools: all.applicationTools }))
  const { approvalId, runId, call } = (await run.first('approval.requested')).approval
  const decision = { approvalId, runId, call, decision: 'approve' }
  const { approveTools, ...others } = all
  expect(await refusal(decideApproval(host, decision, owns(others)))).toBe('FORBIDDEN')
  expect(await decideApproval(host, decision, owns({ approveTools }))).toMatchObject({ outcome: 'approved' })
  run.close()
})

describe('a review is needed', () => {
  const asked = async (requireApproval: boolean | undefined, who: Who) => {
    const application = { enabled: true, ...(requireApproval === undefined ? {} : { requireApproval }) }
    const run = await embeddedHost({ options: { applicationTools: application } }).start(strict, who)
    const execution = run.first('tool.execution.requested').then(() => 'executed')
    const end = await Promise.race([execution, run.done.then(() => run.last)])
    run.close()
    return end
  }
  const grants = [undefined, true, false].map((requiresApproval) => [
    { name: 'lookup', ...(requiresApproval === undefined ? {} : { requiresApproval }) },
  ])
  const matrix = [undefined, true, false].flatMap((hosts) => grants.map((grant) => [hosts, grant] as const))

  test.each(matrix)(
    'unless host (%j) and grant (%j) both say that it is not [application-tools/automatic-needs-both] [application-tools/grant-review-default]',
    async (requireApproval, applicationTools) => {
      const isAutomatic = requireApproval === false && applicationTools[0]?.requiresApproval === false
      expect(await asked(requireApproval, granted('ann', { providers, applicationTools }))).toEqual(
        isAutomatic ? 'executed' : expect.objectContaining({ type: 'run.failed' }),
      )
    },
  )

  test('as the grant of the function itself says, whatever that of all functions says and wherever it stands', async () => {
    const all = (requiresApproval: boolean) => ({ name: '*', requiresApproval })
    for (const isNeeded of [true, false]) {
      const grants = [all(!isNeeded), { name: 'lookup', requiresApproval: isNeeded }]
      for (const applicationTools of [grants, grants.toReversed()])
        expect(await asked(false, granted('ann', { providers, applicationTools }))).toEqual(
          isNeeded ? expect.objectContaining({ type: 'run.failed' }) : 'executed',
        )
    }
  })
})

test('an embedded caller is who he says, and the local subject when he says nothing [application-tools/embedded-subject]', async () => {
  const host = embeddedHost({ steps: [] })
  const subjectOf = async (who?: Who) => {
    const run = await host.start({ provider: 'double', model: 'small', input: 'x' }, who)
    await run.done
    return (await host.runs.lookUp(run.runId))?.subject
  }
  expect(await subjectOf()).toBe('local')
  expect(await subjectOf({ subject: 'ann' })).toBe('ann')
})
