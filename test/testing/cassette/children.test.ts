import { describe, expect, test } from 'vitest'
import { type AgentConfig, agent, agentTool, scriptedModel, type Tool, tool } from '../../../src/index.ts'
import { exportCassette, formatReplay, parseCassette, replay } from '../../../src/testing.ts'
import { places } from '../../support/places.ts'
import { calling } from '../../support/play.ts'

const approvals = () => ({ approved: true }) as const

function paying(paid: unknown[]): Tool {
  return tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    execute: (args) => {
      paid.push(args)
      return 'paid'
    },
  })
}

/** An editor whose writer pays, two levels down. */
function office(paid: unknown[] = [], over: Partial<AgentConfig> = {}) {
  const model = (steps: Parameters<typeof scriptedModel>[0]) => scriptedModel(steps, { fromHistory: true })
  const clerk = agent({ name: 'clerk', model: model([calling('pay'), 'It is paid.']), tools: [paying(paid)] })
  const writer = agent({
    name: 'writer',
    model: model([calling('clerk', { input: 'pay' }), 'written']),
    tools: [agentTool(clerk, { name: 'clerk', description: 'Pays' })],
  })
  return agent({
    name: 'editor',
    model: model([calling('write', { input: 'owls' }), 'done']),
    tools: [agentTool(writer, { name: 'write', description: 'Writes' })],
    approvals,
    ...over,
  })
}

const closed = [{ id: 'closed', tool: 'pay', verdict: 'deny', reason: 'Payments are closed.' }] as const

describe.each(places)('the cassette of a session with child runs, over %s', (_kind, place) => {
  test('has them, and plays them all the way down without an effect', async () => {
    await using where = place()
    const paid: unknown[] = []
    const session = await office(paid, { store: where.open() }).startSession()
    await session.run('go')
    const cassette = parseCassette(JSON.parse(JSON.stringify(await exportCassette(session))))
    const report = await replay(office(paid), cassette)
    expect(report).toMatchObject({ same: true, differences: [], unplayed: [], runs: 3, calls: 3 })
    expect(paid).toHaveLength(1)
  })

  test('shows what a rule of the agent at the top denies two levels down', async () => {
    await using where = place()
    const store = where.open()
    const session = await office([], { store }).startSession()
    await session.run('go')
    const cassette = await exportCassette(await session.events(), { store })
    const report = await replay(office([], { rules: closed }), cassette)
    expect(report.same).toBe(false)
    expect(report.differences).toContainEqual(
      expect.objectContaining({
        tool: 'pay',
        at: 'decision',
        inside: [
          { run: 1, step: 1, call: 1, agent: 'writer' },
          { run: 1, step: 1, call: 1, agent: 'clerk' },
        ],
      }),
    )
    expect(formatReplay(report)).toContain(
      'run 1, step 1, call 1 > writer: run 1, step 1, call 1 > clerk: run 1, step 1, call 1 (pay), decision:',
    )
  })
})

test('child runs whose logs are not there are named as not played', async () => {
  const session = await office().startSession()
  await session.run('go')
  const report = await replay(office(), await exportCassette(await session.events()))
  expect(report).toMatchObject({
    same: true,
    unplayed: [{ run: 1, step: 1, call: 1, tool: 'write', agent: 'writer' }],
  })
  expect(formatReplay(report)).toContain('its child run was not played')
})

test('an agent that only a function names is named as not played where it was not started', async () => {
  const make = () => {
    const kid = agent({ name: 'kid', model: scriptedModel(['done'], { fromHistory: true }) })
    const go = tool({
      name: 'go',
      description: 'Goes',
      toolClass: 'read',
      execute: async (_args, context) => (await context.run(kid, { input: 'x' })).text,
    })
    return agent({
      name: 'boss',
      model: scriptedModel([calling('go'), 'ok'], { fromHistory: true }),
      tools: [go],
    })
  }
  const boss = make()
  const session = await boss.startSession()
  await session.run('go')
  const cassette = await exportCassette(session)
  expect((await replay(boss, cassette)).unplayed).toEqual([])
  expect((await replay(make(), cassette)).unplayed).toMatchObject([{ tool: 'go', agent: 'kid' }])
})

test('a cassette of the first form is read and played, and a child in it that is none is refused with its place', async () => {
  const session = await office().startSession()
  await session.run('go')
  const cassette = JSON.parse(JSON.stringify(await exportCassette(session)))
  const first = structuredClone(cassette)
  first.format = 'toolpost.cassette/1'
  delete first.runs[0].steps[0].calls[0].children
  expect(await replay(office(), parseCassette(first))).toMatchObject({ same: true, runs: 1 })
  cassette.runs[0].steps[0].calls[0].children[0].cassette.order.push('run 7')
  expect(() => parseCassette(cassette)).toThrow('/runs/0/steps/0/calls/0/children/0/cassette/order')
})
