import { afterEach, expect, test } from 'vitest'
import { createHost, type Host } from '../../src/host.ts'
import { scriptedModel } from '../../src/index.ts'
import type { Who } from '../../src/server/who.ts'

const request = { provider: 'docs', model: 'small', input: 'Hi.' }
const hosts: Host[] = []

function host(): Host {
  const made = createHost({ providers: { docs: { models: { small: scriptedModel(() => 'Hello.') } } } })
  hosts.push(made)
  return made
}

afterEach(async () => {
  for (const made of hosts.splice(0)) await made.close()
})

/** How a host that is asked says no: by throwing at once, or by its promise. */
async function refusal(ask: () => unknown): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    return error
  }
}

test('every method of a host refuses a caller with a key that is not known: it would grant everything', async () => {
  const typo = { subject: 'ann', acess: { providers: [] } } as Who
  const ours = host()
  const asked: Record<string, () => unknown> = {
    startRun: () => ours.startRun(request, typo),
    stream: () => ours.stream(request, typo).next(),
    run: () => ours.run(request, typo),
    followRun: () => ours.followRun('run', undefined, typo),
    cancelRun: () => ours.cancelRun('run', typo),
    deleteRun: () => ours.deleteRun('run', typo),
    runStatus: () => ours.runStatus('run', typo),
    listRuns: () => ours.listRuns({}, typo),
    decideApproval: () => ours.decideApproval({}, typo),
    approvals: () => ours.approvals({}, typo),
    reportToolProgress: () => ours.reportToolProgress({}, typo),
    completeTool: () => ours.completeTool({}, typo),
    executionStatus: () => ours.executionStatus('execution', typo),
    pendingExecutions: () => ours.pendingExecutions({}, typo),
    executionEvents: () => ours.executionEvents(typo, new AbortController().signal),
    reconcile: () => ours.reconcile({}, typo),
    createSession: () => ours.createSession({}, typo),
    readSession: () => ours.readSession({}, typo),
    deleteSession: () => ours.deleteSession({}, typo),
    protocolInfo: () => ours.protocolInfo(typo),
    providers: () => ours.providers(typo),
    takeStream: () => ours.takeStream(typo),
  }
  for (const [name, ask] of Object.entries(asked)) {
    const { code, message } = (await refusal(ask)) as { code?: string; message?: string }
    expect([name, code, message]).toEqual([
      name,
      'INVALID_REQUEST',
      expect.stringMatching(/^The caller has no "acess"; there are subject, group, access, askAgain/),
    ])
  }
})

test('a caller whose name, access or signal is none is refused, with the keys that there are', async () => {
  const wrong: readonly [unknown, string][] = [
    [{ subject: 5 }, '/subject must be a string'],
    [{ subject: '' }, '/subject must have at least 1 character'],
    [{ access: null }, '/access must be an object'],
    [{ access: { provider: ['docs'] } }, '/access/provider is not allowed (there are providers,'],
    [{ access: { applicationTools: [{ name: 'a' }, { name: 'a' }] } }, '/name is granted twice'],
    [{ signal: 5 }, '"signal" has to be an AbortSignal'],
    [{ askAgain: 5 }, '"askAgain" has to be a function'],
    [null, 'The caller takes an object'],
    ['ann', 'The caller takes an object'],
  ]
  for (const [who, told] of wrong)
    await expect(host().run(request, who as Who)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(told),
    })
})

test('what an access leaves out is not granted, and what it names is', async () => {
  const access = { providers: ['docs'] } as unknown as Who['access']
  const who = { subject: 'ann', ...(access && { access }) }
  expect((await host().run(request, who)).text).toBe('Hello.')
  await expect(host().createSession({ provider: 'docs' }, who)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('no id is the id of no run: another one is neither shown nor stopped', async () => {
  const ours = host()
  await ours.run(request)
  const none = undefined as never
  for (const ask of [() => ours.runStatus(none), () => ours.cancelRun(none), () => ours.deleteRun(none)])
    await expect(ask()).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  const execution = ours.executionStatus(none)
  await expect(execution).rejects.toMatchObject({ code: 'TOOL_EXECUTION_NOT_FOUND' })
})

test('a misspelt option of close is refused, and so is a reason that is no text', async () => {
  const invalid = { code: 'INVALID_REQUEST' }
  await expect(host().close({ grace: 1 } as never)).rejects.toMatchObject(invalid)
  await expect(host().close({ graceMs: -1 })).rejects.toMatchObject(invalid)
  await expect(host().cancelRun('run', {}, 5 as never)).rejects.toMatchObject(invalid)
})
