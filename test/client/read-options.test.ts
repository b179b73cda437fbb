import { expect, test } from 'vitest'
import { type ClientOptions, createClient, defineTool } from '../../src/client.ts'

const request = { provider: 'docs', model: 'small', input: 'Hi.' }
const sent: string[] = []
const options: ClientOptions = {
  baseUrl: 'http://127.0.0.1:9',
  token: 'a'.repeat(32),
  fetch: (url) => {
    sent.push(url)
    return Promise.reject(new TypeError('nothing is reached'))
  },
}
const client = createClient(options)
const find = defineTool({ description: 'Finds', inputSchema: { type: 'object' }, execute: () => null })

async function refusal(ask: () => unknown): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    return error
  }
}

const typo = { foo: 1 } as never
const asked: Record<string, (options: never) => unknown> = {
  'client.stream()': (given) => client.stream(request, given).next(),
  'client.follow()': (given) => client.follow('run', given).next(),
  'client.run()': (given) => client.run(request, given),
  'client.runStatus()': (given) => client.runStatus('run', given),
  'client.listRuns()': (given) => client.listRuns({}, given),
  'client.cancelRun()': (given) => client.cancelRun('run', given),
  'client.deleteRun()': (given) => client.deleteRun('run', given),
  'client.reconcile()': (given) => client.reconcile({ runId: 'r', callId: 'c', found: 'failed' }, given),
  'client.decideApproval()': (given) => client.decideApproval({} as never, given),
  'client.approvals()': (given) => client.approvals({}, given),
  'client.reportToolProgress()': (given) => client.reportToolProgress({} as never, given),
  'client.completeTool()': (given) => client.completeTool({} as never, given),
  'client.executionStatus()': (given) => client.executionStatus('execution', given),
  'client.pendingExecutions()': (given) => client.pendingExecutions({}, given),
  'client.executionEvents()': (given) => client.executionEvents(given).next(),
  'client.sessions.create()': (given) => client.sessions.create({ provider: 'docs' }, given),
  'client.sessions.read()': (given) => client.sessions.read({ id: 's' }, given),
  'client.sessions.delete()': (given) => client.sessions.delete({ id: 's' }, given),
  'client.protocol()': (given) => client.protocol(given),
  'client.providers()': (given) => client.providers(given),
  'client.serveTools()': (given) => client.serveTools(request, { find }, given).next(),
  'client.workTools()': (given) => client.workTools({ find }, given),
}

test('every method of a client refuses an option that it does not know, a wrong signal, and null, and sends nothing', async () => {
  for (const [name, ask] of Object.entries(asked)) {
    const unknown = await refusal(() => ask(typo))
    expect(unknown).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(`${name} has no "foo"`),
    })
    for (const wrong of [{ signal: 5 }, null] as never[])
      expect(await refusal(() => ask(wrong))).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(name),
      })
  }
  expect(sent).toEqual([])
})

test('createClient and defineTool refuse what they do not know', () => {
  const invalid = expect.objectContaining({ code: 'INVALID_REQUEST' })
  expect(() => createClient({ ...options, foo: 1 } as never)).toThrow(invalid)
  expect(() => createClient(undefined as never)).toThrow(invalid)
  const config = { description: 'x', inputSchema: {}, execute: () => null }
  expect(() => defineTool({ ...config, outputShema: {} } as never)).toThrow(invalid)
  expect(() => defineTool({ ...config, execute: undefined } as never)).toThrow(invalid)
})

test('a tool that is none is named before anything is sent', async () => {
  for (const ask of [
    () => client.serveTools(request, { find, look: 5 as never }),
    () => client.workTools({ look: {} as never }),
    () => client.serveTools(request, null as never),
  ])
    expect(await refusal(ask)).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/tool/),
    })
  expect(sent).toEqual([])
})
