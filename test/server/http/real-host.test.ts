import { describe, expect, test } from 'vitest'
import { tool } from '../../../src/executors/function/tool.ts'
import { scriptedModel } from '../../../src/models/scripted.ts'
import { createHost } from '../../../src/server/host.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import { type RunningHost, serve } from '../../../src/server/http/serve.ts'
import { appToken, codeOf, expectDocumented, Frames, runRequest, tokens } from './served.ts'

const lookup = { name: 'lookup', description: 'Looks it up', inputSchema: { type: 'object' } }
const declaring = (...definitions: readonly object[]) => ({
  ...runRequest,
  tools: ['lookup'],
  applicationTools: definitions,
})

function scripted() {
  return scriptedModel([
    { calls: [{ id: 'lookup-one', name: 'lookup', args: { query: 'solar' } }] },
    'finished',
  ])
}

async function serving(options: Partial<HostOptions> = {}) {
  const model = scripted()
  const small = { docs: { models: { small: model } } }
  const host = createHost({
    providers: small,
    applicationTools: { enabled: true, requireApproval: false },
    ...options,
  })
  const app = { token: appToken, subject: 'app', providers: ['docs'], tools: ['*'] }
  const applicationTools = [{ name: '*', requiresApproval: false }]
  const running = await serve(host, { port: 0, tokens: [{ ...app, applicationTools }, tokens[1]!] })
  return { running, model, [Symbol.asyncDispose]: () => running.close() }
}

async function post(running: RunningHost, path: string, body: object, accept = 'text/event-stream') {
  const headers = { authorization: `Bearer ${appToken}`, 'content-type': 'application/json', accept }
  return await fetch(`${running.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

describe('what is wrong with definitions is a plain answer, before any model is asked', () => {
  const external = { ...lookup, outputSchema: { $ref: 'https://example.com/schema.json' } }
  test.each([
    ['not selected [application/A1]', { ...declaring(lookup), tools: [] }, 400, 'INVALID_REQUEST'],
    ['one name twice [application/A2]', declaring(lookup, lookup), 409, 'TOOL_DEFINITION_CONFLICT'],
    [
      'a schema with $async [application/A4]',
      declaring({ ...lookup, inputSchema: { $async: true, type: 'object' } }),
      400,
      'INVALID_SCHEMA',
    ],
    ['a schema elsewhere [application/A5]', declaring(external), 400, 'INVALID_SCHEMA'],
    ['an extra key [application/A6]', declaring({ ...lookup, command: 'rm' }), 400, 'INVALID_REQUEST'],
  ])('%s', async (_, request, status, code) => {
    await using host = await serving()
    const answer = await post(host.running, '/v1/runs', request)
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
    expect(host.model.remaining()).toBe(2)
  })

  test('a name of a tool of the host [application/A3]', async () => {
    const own = tool({
      name: 'lookup',
      description: 'Looks',
      schema: { type: 'object' },
      execute: () => 'found',
    })
    await using host = await serving({ tools: [own] })
    const answer = await post(host.running, '/v1/runs', declaring(lookup))
    expect([answer.status, await codeOf(answer)]).toEqual([409, 'TOOL_DEFINITION_CONFLICT'])
  })

  test('a host that takes none says so, here and where it says what it does [application/A7]', async () => {
    await using host = await serving({ applicationTools: { enabled: false } })
    const answer = await post(host.running, '/v1/runs', declaring(lookup))
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'APPLICATION_TOOLS_UNAVAILABLE'])
    const headers = { authorization: `Bearer ${appToken}` }
    const info = await (await fetch(`${host.running.url}/v1/protocol`, { headers })).json()
    expect((info as { features: string[] }).features).not.toContain('application-tools')
  })

  test('a run that is not streamed [application/A8]', async () => {
    await using host = await serving()
    const answer = await post(host.running, '/v1/runs', declaring(lookup), 'application/json')
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'TOOL_STREAM_REQUIRED'])
    expect(host.model.remaining()).toBe(2)
  })
})

describe('what ends a run is the answer where nobody streams it, with a status that the document lists', () => {
  const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'nothing' })
  const silent = { name: 'silent', propose: () => ({ [Symbol.asyncIterator]: () => ({ next: unending }) }) }
  const unending = () => new Promise<never>(() => {})
  const broken = scriptedModel(() => {
    throw new Error('The provider is down.')
  })
  const again = scriptedModel(({ messages }) => ({
    calls: [{ id: `call-${messages.length}`, name: 'look', args: { n: messages.length } }],
  }))
  test.each([
    ['a model without an answer', again, { tools: ['look'], maxSteps: 1 }, 422, 'STEP_LIMIT'],
    ['a provider that broke off', broken, {}, 502, 'PROVIDER_ERROR'],
    ['silence', silent as never, { idleTimeoutMs: 20 }, 504, 'IDLE_TIMEOUT'],
  ])('%s', async (_, model, more, status, code) => {
    await using host = await serving({ providers: { docs: { models: { small: model } } }, tools: [look] })
    const answer = await post(host.running, '/v1/runs', { ...runRequest, ...more }, 'application/json')
    expect([answer.status, await codeOf(answer)]).toEqual([status, code])
    expectDocumented('/v1/runs', 'POST', status)
  })
})

describe('over HTTP', () => {
  const ask = async (running: RunningHost, path: string, more: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${appToken}`, ...(more.headers as object) }
    return await fetch(`${running.url}${path}`, { ...more, headers })
  }
  const started = async (running: RunningHost, more: object = {}) => {
    const stop = new AbortController()
    const headers = {
      authorization: `Bearer ${appToken}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    }
    const body = JSON.stringify({ ...declaring(lookup), ...more })
    const answer = await fetch(`${running.url}/v1/runs`, {
      method: 'POST',
      headers,
      body,
      signal: stop.signal,
    })
    const frames = new Frames(answer, stop)
    for (;;) {
      const event = (await frames.next()) as unknown as { type: string; execution: ToolExecution }
      if (event.type === 'tool.execution.requested') return { frames, execution: event.execution }
    }
  }
  type ToolExecution = { executionId: string; runId: string; call: { id: string } }

  test('a run that has ended ends at once for who has seen its end, and refuses places that it has not', async () => {
    await using host = await serving()
    const { frames, execution } = await started(host.running)
    const { executionId, runId, call } = execution
    await post(host.running, '/v1/tool-executions/results', {
      executionId,
      runId,
      callId: call.id,
      output: 1,
    })
    let last: string | undefined
    for (let event = await frames.next(); event !== undefined; event = await frames.next()) last = event.id
    const follow = async (id: string) =>
      await ask(host.running, `/v1/runs/${runId}/events`, { headers: { 'last-event-id': id } })
    const answer = await follow(last!)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    for (const id of ['99.2.0', '2.0.0', '4.99.0', `${last}1`, 'x']) {
      const refused = await follow(id)
      expect([id, refused.status, await codeOf(refused)]).toEqual([id, 400, 'INVALID_REQUEST'])
    }
  })

  test('a late failure is told so and leaves its call uncertain; a run is cancelled without a body', async () => {
    await using host = await serving()
    const { execution } = await started(host.running, { onDisconnect: 'keep' })
    const { executionId, runId, call } = execution
    const cancelled = await ask(host.running, `/v1/runs/${runId}/cancel`, { method: 'POST' })
    expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { status: 'cancelled' }])
    const failed = { executionId, runId, callId: call.id, error: 'APPLICATION_TOOL_FAILED' }
    const late = await post(host.running, '/v1/tool-executions/results', failed)
    expect([late.status, await late.json()]).toMatchObject([
      404,
      { error: { code: 'TOOL_EXECUTION_NOT_FOUND', message: expect.stringMatching(/too late.*recorded/) } },
    ])
    const status = (await (await ask(host.running, `/v1/runs/${runId}`)).json()) as {
      uncertainCalls: object[]
    }
    expect(status.uncertainCalls).toHaveLength(1)
    const found = { runId, callId: call.id, found: 'not_run' }
    expect((await post(host.running, '/v1/calls/reconcile', found)).status).toBe(200)
  })

  test('a run whose starter has left ends, though another reader follows it', async () => {
    await using host = await serving()
    const { frames, execution } = await started(host.running)
    const follower = new Frames(await ask(host.running, `/v1/runs/${execution.runId}/events`))
    await follower.next()
    frames.leave()
    expect((await follower.rest()).at(-1)).toBe('run.cancelled')
  })
})

test('an application executes a call over HTTP, and a second result is refused [application/C21]', async () => {
  await using host = await serving()
  const frames = new Frames(await post(host.running, '/v1/runs', declaring(lookup)))
  const types: string[] = []
  for (let event = await frames.next(); event !== undefined; event = await frames.next()) {
    types.push(event.type)
    if (event.type !== 'tool.execution.requested') continue
    const { execution } = event as unknown as {
      execution: { executionId: string; runId: string; call: { id: string; arguments: object } }
    }
    expect(execution.call.arguments).toEqual({ query: 'solar' })
    const { executionId, runId, call } = execution
    const result = { executionId, runId, callId: call.id, output: { passages: ['Sun'] } }
    const receipt = await post(host.running, '/v1/tool-executions/results', result)
    expect(await receipt.json()).toMatchObject({ executionId, status: 'accepted' })
    const again = await post(host.running, '/v1/tool-executions/results', result)
    expect([again.status, await codeOf(again)]).toEqual([404, 'TOOL_EXECUTION_NOT_FOUND'])
  }
  expect(types).toContain('tool.completed')
  expect(types.at(-1)).toBe('run.completed')
})
