import { expect, test } from 'vitest'
import { createHost, createHostApp } from '../../../src/host.ts'
import { scriptedModel, tool } from '../../../src/index.ts'
import { fullAccess } from '../../../src/server/access/full-access.ts'

const clock = tool({ name: 'clock', description: 'Tells the time', toolClass: 'read', execute: () => 'noon' })
const find = { name: 'find', description: 'Finds', inputSchema: { type: 'object' } }
const make = () =>
  createHost({
    providers: { docs: { models: { small: scriptedModel([{ calls: [{ name: 'find' }] }, 'Done.']) } } },
    tools: [clock],
    applicationTools: { enabled: true },
    approvals: { interactive: true },
  })
const request = { provider: 'docs', model: 'small', input: 'Hi.' }
const nobody = { subject: 'ann', access: fullAccess({}) }

test('a refusal names everything that was asked for and is not granted, by the list that would grant it', async () => {
  const host = make()
  const asked = { ...request, tools: ['clock', 'find'], applicationTools: [find], session: { id: 'any' } }
  await expect(host.startRun(asked, nobody)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message:
      'The caller is not granted: providers "docs"; tools "clock"; applicationTools "find"; sessions "continue".',
  })
  await expect(host.createSession({ provider: 'docs' }, nobody)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'The caller is not granted: providers "docs"; sessions "create".',
  })
  await expect(host.pendingExecutions({}, nobody)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'The caller is not granted: applicationTools of any function.',
  })
  await host.close()
})

test('a refusal says nothing but what the request itself says: no name of a tool or a provider behind an id', async () => {
  const host = make()
  const stream = host.stream(
    {
      ...request,
      tools: ['find'],
      applicationTools: [find],
      approvals: { mode: 'interactive', idlePolicy: 'pause' },
    },
    { subject: 'ann' },
  )
  for await (const event of stream) {
    if (event.type === 'approval.requested') {
      const { approvalId, runId, call } = event.approval
      const decision = { approvalId, runId, call, decision: 'approve' }
      const secret = { ...decision, call: { ...call, name: 'other' } }
      const told = { provider: 'for the provider of its run', tool: 'for the tool of this call' }
      await expect(host.decideApproval(decision, nobody)).rejects.toMatchObject({
        message: `The caller is not granted: providers ${told.provider}; approveTools "find".`,
      })
      await expect(host.decideApproval(secret, nobody)).rejects.toMatchObject({
        message: `The caller is not granted: providers ${told.provider}; approveTools ${told.tool}.`,
      })
      await host.decideApproval(decision, { subject: 'ann' })
    }
    if (event.type !== 'tool.execution.requested') continue
    const { executionId, runId, call } = event.execution
    const result = { executionId, runId, callId: call.id, output: 1 }
    const none = {
      code: 'FORBIDDEN',
      message: expect.stringMatching(/for the function of this execution\.$/),
    }
    await expect(host.completeTool(result, nobody)).rejects.toMatchObject(none)
    await expect(host.executionStatus(executionId, nobody)).rejects.toMatchObject(none)
    await host.completeTool(result, { subject: 'ann' })
  }
  await host.close()
})

test('a token that grants a provider or a tool that the host does not have is told of at the start', async () => {
  const host = make()
  const told: string[] = []
  const onWarning = (sentence: string) => told.push(sentence)
  const token = { token: 'a'.repeat(32), subject: 'ann' }
  createHostApp(host, {
    tokens: [
      { ...token, providers: ['dox', 'docs'], tools: ['clok', '*'], approveTools: ['later'] },
      { ...token, token: 'b'.repeat(32), providers: ['*'], applicationTools: [{ name: 'later' }] },
    ],
    onWarning,
  })
  expect(told).toEqual([
    'A token of "ann" grants what this host does not have: providers "dox"; tools "clok".',
  ])
  await host.close()
})

test('an option of createHostApp that is not known is refused', () => {
  const options = { tokens: [], cor: [] } as never
  expect(() => createHostApp(make(), options)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('"cor"') }),
  )
})
