import { expect, test } from 'vitest'
import { parseDecision } from '../../src/core/decision.ts'
import {
  type AgentToolOptions,
  ApprovalDecision,
  agent,
  agentTool,
  aiSdkDriver,
  decline,
  lintTools,
  loop,
  memoryStore,
  parallel,
  scriptedModel,
  sequence,
  tool,
  withFiles,
} from '../../src/index.ts'
import { processOwner } from '../../src/process/process-owner.ts'
import { sqlite } from '../../src/sqlite.ts'
import { evaluate, exportCassette, replay, runTest, user } from '../../src/testing.ts'
import { wireServer } from '../../src/testing-wire.ts'

const made = agent({ name: 'a', model: scriptedModel(() => 'fine'), store: memoryStore() })
const model = { specificationVersion: 'v4', provider: 'p', modelId: 'm' }
const by = { id: 'ann', method: 'web' }

async function session() {
  return await made.startSession()
}

/** Whoever takes options, each given one that it does not have. */
const taking: Readonly<Record<string, () => unknown>> = {
  'session.run': async () => (await session()).run('x', { wrong: 1 } as object),
  'session.run, a misspelt signal': async () =>
    (await session()).run('x', { wrong: new AbortController().signal } as object),
  'session.run, idle': async () =>
    (await session()).run('x', { idle: { timeoutMs: 5, wrong: 1 } } as { idle: { timeoutMs: number } }),
  'session.stream': async () => (await session()).stream('x', { wrong: 1 } as object).next(),
  'session.resume': async () => (await session()).resume({ wrong: 1 } as object).next(),
  'session.step': async () => (await session()).step({ calls: [] }, { wrong: 1 } as object),
  'session.step, the step': async () => (await session()).step({ calls: [], wrong: 1 } as never),
  'session.step, a call': async () =>
    (await session()).step({ calls: [{ name: 'x', arguments: {}, wrong: 1 }] } as never),
  'session.updateState': async () => (await session()).updateState({ a: 1 }, { wrong: 'run' } as object),
  'session.reconcile': async () => (await session()).reconcile('call', 'failed', { wrong: 1 } as object),
  'session.decide, by': async () =>
    (await session()).decide('ask', { approved: true }, { ...by, wrong: 1 } as never),
  'session.answer, by': async () => (await session()).answer('ask', 1, { ...by, wrong: 1 } as never),
  'agent.decide, by': () => made.decide('ask', { approved: true }, { ...by, wrong: 1 } as never),
  'agent.answer, by': () => made.answer('ask', 1, { ...by, wrong: 1 } as never),
  'agent.startSession': () => made.startSession({ wrong: 1 } as object),
  'agent.forkSession': async () => made.forkSession(await session(), { wrong: 1 } as object),
  'agent.resumeOpen': () => made.resumeOpen({ wrong: 1 } as object),
  'agent.explain': () => made.explain('read_result', {}, { wrong: 1 } as object),
  'agent.redeem': () => made.redeem('ticket', { output: 1 }, { by, wrong: 1 } as never),
  'session.redeem': async () => (await session()).redeem('ticket', { output: 1 }, { wrong: 1 } as never),
  'session.redeem, the result': async () =>
    (await session()).redeem('ticket', { output: 1, wrong: 1 } as never),
  'lintTools, a tool': () =>
    lintTools([{ name: 'x', description: 'x', jsonSchema: {}, wrong: 1 } as never], 'openai'),
  'ApprovalDecision.approve': () => ApprovalDecision.approve({ wrong: 1 } as object),
  agentTool: () => agentTool(made, { name: 't', description: 'd', wrong: 1 } as AgentToolOptions),
  'agentTool, its own execute': () =>
    agentTool(made, { name: 't', description: 'd', execute: () => 1 } as AgentToolOptions),
  aiSdkDriver: () => aiSdkDriver(model as never, { wrong: 1 } as object),
  scriptedModel: () => scriptedModel([], { wrong: 1 } as object),
  'scriptedModel, a step': () => scriptedModel([{ wrong: 'x' } as object]),
  'scriptedModel, a call': () => scriptedModel([{ calls: [{ name: 'x', wrong: {} }] } as object]),
  sqlite: () => sqlite(':memory:', { wrong: 1 } as object),
  exportCassette: async () => exportCassette(await session(), { wrong: 1 } as object),
  replay: async () => replay(made, await exportCassette(await session()), { wrong: 1 } as object),
  runTest: () => runTest(made, [user('x')], { wrong: 1 } as object),
  evaluate: () => evaluate(made, [{ name: 'x', input: 'x' }], { wrong: 1 } as object),
  wireServer: () => wireServer({ script: [], wrong: 1 } as never),
}

test.each(Object.entries(taking))('%s refuses an option that it does not have', async (_name, take) => {
  const thrown = await (async () => await take())().catch((error: unknown) => error)
  expect(thrown).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/ no (option )?"(wrong|execute)"; /),
  })
})

const more = { wrong: 1 } as never

test.each<[string, () => unknown]>([
  ['agent.openSession', async () => made.openSession((await session()).id, more)],
  ['session.cancel', async () => (await session()).cancel('why', more)],
  ['processOwner', () => processOwner(more)],
  ['memoryStore', () => memoryStore(more)],
  ['withFiles', () => withFiles('x', [], more)],
])('%s takes no options', async (_name, take) => {
  const thrown = await (async () => await take())().catch((error: unknown) => error)
  expect(thrown).toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringMatching(/ takes .*nothing more\.$/),
  })
})

test.each([
  ['an output and a failure', { output: 1, failed: 'x' }],
  ['a failure without words', { failed: ' ' }],
  ['a failure that is no text', { failed: 1 }],
  ['neither', {}],
  ['nothing', undefined],
  ['a list', []],
])('a ticket is not redeemed with %s', async (_what, result) => {
  const refused = { code: 'INVALID_ARGUMENT' }
  await expect(made.redeem('ticket', result as never, { by })).rejects.toMatchObject(refused)
  await expect((await session()).redeem('ticket', result as never)).rejects.toMatchObject(refused)
})

test.each(['', 1, null])('a result is not known by %j', async (resultKey) => {
  const redeemed = (await session()).redeem('ticket', { output: 1 }, { resultKey } as never)
  await expect(redeemed).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test.each<[string, (reason: never) => unknown]>([
  ['decline', decline],
  ['ApprovalDecision.deny', ApprovalDecision.deny],
  ['ApprovalDecision.approve', (reason) => ApprovalDecision.approve({ reason })],
])('%s refuses a reason that is no text', (_name, say) => {
  for (const reason of [{ reason: 'x' }, 1, null])
    expect(() => say(reason as never)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
})

test('a condition with another key is no condition of a rule', () => {
  for (const when of [{ path: '/a', eq: 1, foo: 2 }, { path: 'a', eq: 1 }, { all: [] }, {}, 'x'])
    expect(() =>
      agent({
        name: 'a',
        model: scriptedModel([]),
        rules: [{ id: 'odd', tool: 'x', verdict: 'deny', reason: 'No.', when: when as never }],
      }),
    ).toThrow(expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining('"odd"') }))
})

test('a decision that contradicts itself is none', () => {
  for (const decision of [
    { approved: true, scope: 'once', forSession: true },
    { approved: true, scope: 'session', forSession: false },
  ])
    expect(parseDecision(decision)).toMatchObject({ fault: expect.stringContaining('contrary') })
  expect(parseDecision({ approved: true, scope: 'session', forSession: true })).toMatchObject({
    decision: { scope: 'session' },
  })
})

test.each([
  ['sequence', () => sequence({ name: 's', steps: [made], wrong: 1 } as never)],
  ['parallel', () => parallel({ name: 'p', branches: [made], wrong: 1 } as never)],
  ['loop', () => loop({ name: 'l', body: made, timesMax: 1, wrong: 1 } as never)],
  ['a step', () => sequence({ name: 's', steps: [{ name: 'x', execute: () => 1, wrong: 1 }] } as never)],
])('%s refuses an option that a flow does not have', (_name, make) => {
  expect(make).toThrow(
    expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining('"wrong"') }),
  )
})

test('an agent is handed over to with an input and nothing else', async () => {
  const hand = tool({
    name: 'hand',
    description: 'Hands over',
    toolClass: 'read',
    execute: (_args, context) => context.handOver(made, { inptu: 'x' } as object),
  })
  const chief = agent({
    name: 'b',
    model: scriptedModel([{ calls: [{ name: 'hand' }] }, 'k']),
    tools: [hand],
  })
  const own = await chief.startSession()
  await own.run('go')
  expect([...own.state.calls.values()][0]?.end).toMatchObject({
    message: 'context.handOver() has no "inptu"; there are input.',
  })
})

test.each([undefined, null, 'ann', { id: 'ann' }, { id: '', method: 'web' }, { id: 1, method: 'web' }])(
  'an answer by %j, which says not who gave it, is refused',
  async (who) => {
    await expect(made.decide('ask', { approved: true }, who as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  },
)

test.each([
  ['options of null', async () => (await session()).run('x', null as never)],
  ['an unknown mode to explain', () => made.explain('read_result', {}, { mode: 'wild' as never })],
  ['a provider that lint does not know', () => lintTools([], 'azure' as never)],
  ['no tools to lint', () => lintTools({} as never, 'openai')],
  ['no session to fork', () => made.forkSession(undefined as never)],
])('%s is refused in a sentence', async (_what, take) => {
  const thrown = await (async () => await take())().catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENT' })
})
