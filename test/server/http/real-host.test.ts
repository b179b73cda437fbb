import { describe, expect, test } from 'vitest'
import { tool } from '../../../src/executors/function/tool.ts'
import { scriptedModel } from '../../../src/models/scripted.ts'
import { createHost } from '../../../src/server/host.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'
import { type RunningHost, serve } from '../../../src/server/http/serve.ts'
import { appToken, codeOf, Frames, runRequest, tokens } from './served.ts'

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
