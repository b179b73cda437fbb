import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  memoryStore,
  type Store,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { finish } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'anna', method: 'test' }

function asking(description = 'Asks') {
  return tool({ name: 'ask', description, toolClass: 'read', yieldSchema: z.object({ v: z.number() }) })
}

function make(name: string, script: Parameters<typeof scriptedModel>[0], over: Partial<AgentConfig>): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), ...over })
}

/** What one process has: an agent whose tool starts another one. */
function office(
  store: Store,
  {
    kid = {},
    boss = {},
    by: how = 'run',
  }: { kid?: Partial<AgentConfig>; boss?: Partial<AgentConfig>; by?: 'run' | 'tool' } = {},
): { readonly boss: Agent; readonly child: Agent } {
  const child = make('kid', [calling('ask'), 'kid ok'], { tools: [asking()], ...kid })
  const run = tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    execute: async (_args, context) => (await context.run(child, { input: 'go' })).text,
  })
  const work = how === 'run' ? run : agentTool(child, { name: 'work', description: 'Works' })
  const args = how === 'run' ? {} : { input: 'go' }
  const script = [calling('work', args), 'boss ok']
  return { child, boss: make('boss', script, { tools: [work], store, approvals: () => suspend(), ...boss }) }
}

async function rested(store: Store, how: 'run' | 'tool' = 'run') {
  const session = await office(store, { by: how }).boss.startSession()
  const { status, tickets } = await session.run('go')
  expect(status).toBe('waiting')
  return { session, ticket: tickets[0] as string }
}

describe('a question of a child that a tool started', () => {
  test('is answered in another process that names the child in "agents"', async () => {
    const store = memoryStore()
    const { session, ticket } = await rested(store)
    const { boss, child } = office(store)
    const knowing = office(store, { boss: { agents: [child] } }).boss
    await knowing.answer(ticket, { v: 1 }, by)
    expect(await finish((await boss.openSession(session.id)).resume())).toMatchObject({ text: 'boss ok' })
  })

  test('is not answered where the child is unknown, and the sentence says what to add', async () => {
    const store = memoryStore()
    const { ticket } = await rested(store)
    const { boss } = office(store)
    await expect(boss.answer(ticket, { v: 1 }, by)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/agent "kid" is not known here; .*"agents" of "boss"/),
    })
    await boss.decide(ticket, { approved: false }, by)
  })

  test.each([[{ agents: 'kid' }], [{ agents: [{}] }]])('%j is no list of agents', (wrong) => {
    expect(() => make('boss', [], wrong as never)).toThrow(/"agents" must be a list of agents and flows/)
  })

  test('two agents of one name are refused', () => {
    const { child } = office(memoryStore())
    expect(() => make('boss', [], { agents: [child, child] })).toThrow(/Two of "agents" are called "kid"/)
  })
})

const changed = { kid: { tools: [asking('Asks otherwise')] } }

describe('a child that is another one than it was', () => {
  test.each(['tool', 'named'] as const)(
    'keeps the run above from being taken up by "refuse" of the top, and nothing is written (%s)',
    async (how) => {
      const store = memoryStore()
      const kind = how === 'tool' ? 'tool' : 'run'
      const { session, ticket } = await rested(store, kind)
      const { child } = office(store, changed)
      const agents = how === 'named' ? { agents: [child] } : {}
      const { boss } = office(store, { ...changed, by: kind, boss: { onChange: 'refuse', ...agents } })
      const taken = await boss.openSession(session.id)
      const before = await taken.events()
      await expect(finish(taken.resume())).rejects.toMatchObject({
        code: 'DEFINITION_CHANGED',
        message: expect.stringMatching(
          /^The agent "kid" is not what it was .* of the tool "ask" changed: description/,
        ),
      })
      expect(await taken.events()).toEqual(before)
      // The agents as they were go on.
      const old = office(store, { by: kind })
      await old.boss.decide(ticket, { approved: false }, by)
      expect(await finish((await old.boss.openSession(session.id)).resume())).toMatchObject({
        text: 'boss ok',
      })
    },
  )

  test('and that nothing names ends the drive with the error, and the run stays open', async () => {
    const store = memoryStore()
    const { session, ticket } = await rested(store)
    const { boss } = office(store, { ...changed, boss: { onChange: 'refuse' } })
    await boss.decide(ticket, { approved: false }, by)
    const taken = await boss.openSession(session.id)
    await expect(finish(taken.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
    expect(taken.state.openRun).toBeDefined()
    expect([...taken.state.calls.values()][0]).toMatchObject({ status: 'resting' })
    expect(await finish((await office(store).boss.openSession(session.id)).resume())).toMatchObject({
      status: 'completed',
      text: 'boss ok',
    })
  })

  test('goes on by a rule of its own, whatever the top says', async () => {
    const store = memoryStore()
    const { session } = await rested(store, 'tool')
    const kid = { ...changed.kid, onChange: 'ask again' as const }
    const { boss } = office(store, { kid, by: 'tool', boss: { onChange: 'refuse' } })
    const taken = await boss.openSession(session.id)
    expect((await finish(taken.resume())).status).toBe('completed')
  })
})
