import { describe, expect, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  type ApprovalRequest,
  agent,
  agentTool,
  memoryStore,
  type Runnable,
  type Store,
  scriptedModel,
  suspend,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { exportCassette, manualClock, replay } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'anna', method: 'test' }
const approve = { approved: true } as const

function make(
  name: string,
  script: readonly ScriptStep[],
  tools: readonly Tool[] = [],
  over: Partial<AgentConfig> = {},
): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), tools, ...over })
}

/** A tool that changes something, and what it was entered for. */
function saving(name = 'save') {
  const effects: string[] = []
  const made = tool({
    name,
    description: 'Saves',
    toolClass: 'write',
    execute: (_args, { callId }) => {
      effects.push(callId)
      return 'saved'
    },
  })
  return { made, effects }
}

/** A tool that does something with its context. */
function doing(execute: (context: ToolContext) => unknown, over: object = {}): Tool {
  return tool({
    name: 'work',
    description: 'Works',
    toolClass: 'read',
    execute: (_args, context) => execute(context),
    ...over,
  })
}

function helping(agent: Runnable): Tool {
  return agentTool(agent, { name: 'helper', description: 'Helps' })
}

const askHelper = calling('helper', { input: 'do it' })

describe('a child run', () => {
  test('has a session of its own, whose last words are the result', async () => {
    const boss = make('boss', [askHelper, 'all done'], [helping(make('helper', ['it is done']))])
    const session = await boss.startSession()
    const result = await session.run('go')
    expect(result).toMatchObject({ status: 'completed', text: 'all done', tickets: [] })
    const [call] = session.state.calls.values()
    expect(call?.end).toMatchObject({ status: 'completed', text: { inline: 'it is done' } })
    const child = await boss.openSession(`${call?.id}.0`)
    expect(child.state).toMatchObject({ agent: 'helper', subject: 'local' })
    expect(child.state.parent).toMatchObject({
      session: session.id,
      run: result.run,
      call: call?.id,
      path: ['boss'],
      root: session.id,
    })
    expect([...child.state.history][0]).toMatchObject({ role: 'user', text: 'do it' })
  })

  test('that fails is an error to the model above, which goes on', async () => {
    const boss = make(
      'boss',
      [askHelper, 'I give up'],
      [helping(make('helper', [{ error: 'out of order' }], [], { modelAttempts: 1 }))],
    )
    const session = await boss.startSession()
    expect(await session.run('go')).toMatchObject({ status: 'completed', text: 'I give up' })
    const [call] = session.state.calls.values()
    expect(call?.end).toMatchObject({ status: 'failed', code: 'tool_error' })
    expect(JSON.stringify(call?.end)).toContain('The agent \\"helper\\" ended as failed')
  })

  test('gives its output where a tool ended it with one, and the tools after that one do not run [approvals/K3]', async () => {
    const { made, effects } = saving()
    const answering = doing((context) => context.output({ price: 12 }))
    const helper = make('helper', [{ calls: [{ name: 'work' }, { name: 'save' }] }], [answering, made])
    const boss = make('boss', [askHelper, 'done'], [helping(helper)])
    const session = await boss.startSession()
    await session.run('go')
    expect(JSON.stringify([...session.state.calls.values()][0]?.end)).toContain('12')
    expect(effects).toEqual([])
  })

  test('asks the people of the agent above, with the path of names [approvals/K4] [faults/F36]', async () => {
    const seen: ApprovalRequest[] = []
    const { made, effects } = saving()
    const helper = make('helper', [calling('save'), 'saved'], [made])
    const middle = make('middle', [askHelper, 'seen to'], [helping(helper)])
    const boss = make(
      'boss',
      [askHelper, 'done'],
      [agentTool(middle, { name: 'helper', description: 'Helps' })],
      {
        approvals: (request) => {
          seen.push(request)
          return approve
        },
      },
    )
    const session = await boss.startSession()
    expect(await session.run('go')).toMatchObject({ status: 'completed', text: 'done' })
    expect(seen.map(({ path }) => path)).toEqual([['boss', 'middle', 'helper']])
    expect(effects).toHaveLength(1)
  })

  test('asks its own people first', async () => {
    const { made } = saving()
    const asked: string[] = []
    const asking = (name: string) => () => {
      asked.push(name)
      return approve
    }
    const helper = make('helper', [calling('save'), 'saved'], [made], { approvals: asking('helper') })
    const boss = make('boss', [askHelper, 'done'], [helping(helper)], { approvals: asking('boss') })
    await (await boss.startSession()).run('go')
    expect(asked).toEqual(['helper'])
  })

  test('is refused where agents start each other too deep', async () => {
    const registry: { deep?: Agent } = {}
    const again = doing(async (context) => {
      const { status, text } = await context.run(registry.deep as Agent, { input: 'deeper' })
      return `${status}: ${text}`
    })
    registry.deep = agent({
      name: 'deep',
      model: scriptedModel(
        ({ messages }) => {
          const last = messages.at(-1)
          return last?.role === 'tool' ? String(last.results[0]?.text) : calling('work')
        },
        { fromHistory: true },
      ),
      tools: [again],
    })
    const result = await (await registry.deep.startSession()).run('go')
    expect(result.text).toContain('Agents start each other at most 16 deep.')
  })

  test('needs an agent and an input', async () => {
    const helper = make('helper', ['done'])
    for (const [wrong, sentence] of [
      [(context: ToolContext) => context.run({} as never, { input: 'go' }), 'must be an agent or a flow'],
      [(context: ToolContext) => context.run(helper, {} as never), 'needs { input }'],
    ] as const) {
      const session = await make('boss', [calling('work'), 'done'], [doing(wrong)]).startSession()
      await session.run('go')
      expect(JSON.stringify([...session.state.calls.values()][0]?.end)).toContain(sentence)
    }
  })

  test('starts in execute only [tools-in-an-agent/context-outside]', async () => {
    const helper = make('helper', ['done'])
    const checked = doing(() => 'worked', {
      check: (_args: unknown, context: ToolContext) => context.run(helper, { input: 'x' }).then(() => 'run'),
    })
    const session = await make('boss', [calling('work'), 'done'], [checked]).startSession()
    await session.run('go')
    expect(JSON.stringify([...session.state.calls.values()][0]?.end)).toContain('execute of a tool only')
  })
})

describe.each(places)('a child that waits, over %s', (_kind, place) => {
  /** The agents of one process: the children of a hand-written call, the first of which ends at once. */
  function office(store: Store, entered: string[] = []) {
    const { made, effects } = saving()
    const scout = make('scout', ['scouted'])
    const helper = make('helper', [calling('save'), 'helped'], [made])
    const work = doing(async (context) => {
      entered.push('work')
      const first = await context.run(scout, { input: 'look' })
      try {
        const second = await context.run(helper, { input: first.text })
        return `${first.text}, ${second.text}`
      } catch {
        return 'swallowed'
      }
    })
    const boss = make('boss', [calling('work'), 'done'], [work], {
      store,
      approvals: () => suspend(),
      parts: mortal(),
    })
    return { boss, effects, entered }
  }

  test('makes the call give its claim back; another process decides, and a third enters it again [approvals/K4]', async () => {
    await using where = place()
    const first = office(where.open())
    const session = await first.boss.startSession()
    const rested = await session.run('go')
    expect(rested).toMatchObject({ status: 'waiting', text: '' })
    expect(rested.tickets).toHaveLength(1)
    const [call] = session.state.calls.values()
    expect(call).toMatchObject({ status: 'resting', rest: { on: [`${call?.id}.1`] } })
    await office(where.open()).boss.decide(rested.tickets[0] as string, approve, by)
    const third = office(where.open())
    const taken = await third.boss.openSession(session.id)
    const result = await finish(taken.resume())
    expect(result).toMatchObject({ status: 'completed', text: 'done', tickets: [] })
    expect([first.effects, third.effects].map(({ length }) => length)).toEqual([0, 1])
    const ended = taken.state.calls.get(call?.id as string)
    expect(ended).toMatchObject({ attempt: 2, end: { text: { inline: 'scouted, helped' } } })
    const scouted = await third.boss.openSession(`${call?.id}.0`)
    expect(scouted.state.runs.size).toBe(1)
  })

  test('stands in the index with its path and the session at the top', async () => {
    await using where = place()
    const store = where.open()
    const { boss } = office(store)
    const session = await boss.startSession()
    const { tickets } = await session.run('go')
    const rows = await store.list({ kind: 'ticket', status: 'open' })
    expect(rows).toMatchObject([{ id: tickets[0], data: { path: ['boss', 'helper'], root: session.id } }])
  })

  test('is decided through the session above as well, and its refusal reaches its own model', async () => {
    await using where = place()
    const { boss, effects } = office(where.open())
    const session = await boss.startSession()
    const { tickets } = await session.run('go')
    await session.decide(tickets[0] as string, { approved: false, reason: 'Not today.' })
    expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
    expect(effects).toEqual([])
    const [call] = session.state.calls.values()
    const child = await boss.openSession(`${call?.id}.1`)
    expect([...child.state.calls.values()][0]?.end).toMatchObject({ status: 'refused', code: 'declined' })
  })

  test('goes on in a process that waits for something else, once another has decided', async () => {
    await using where = place()
    const { made, effects } = saving()
    const own = saving('keep')
    const helper = make('helper', [calling('save'), 'helped'], [made])
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const boss = make(
      'boss',
      [{ calls: [{ name: 'helper', args: { input: 'do it' } }, { name: 'keep' }] }, 'done'],
      [agentTool(helper, { name: 'helper', description: 'Helps', parallel: true }), parallel(own.made)],
      {
        store: where.open(),
        approvals: async ({ tool: { name } }) => {
          if (name === 'save') return suspend()
          asked.resolve()
          await answer.promise
          return approve
        },
      },
    )
    const session = await boss.startSession()
    const running = session.run('go')
    await asked.promise
    const other = where.open()
    const ticket = await openTicket(other, 'save')
    await make('boss', [], [], { store: other }).decide(ticket, approve, by)
    await until(other, () => effects.length === 1)
    answer.resolve()
    expect(await running).toMatchObject({ status: 'completed', text: 'done' })
    expect([effects.length, own.effects.length]).toEqual([1, 1])
  })

  test('is stopped with the run above: its asks are closed and its run ends, all the way down', async () => {
    await using where = place()
    const { made, effects } = saving()
    const helper = make('helper', [calling('save'), 'helped'], [made])
    const middle = make('middle', [askHelper, 'seen to'], [helping(helper)])
    const boss = make('boss', [askHelper, 'done'], [helping(middle)], {
      store: where.open(),
      approvals: () => suspend(),
    })
    const session = await boss.startSession()
    const { tickets } = await session.run('go')
    expect(tickets).toHaveLength(1)
    const result = await finish(session.resume({ signal: AbortSignal.abort(new Error('enough')) }))
    expect(result).toMatchObject({ status: 'cancelled', tickets: [] })
    const store = where.open()
    expect(await store.list({ kind: 'ticket', status: 'open' })).toEqual([])
    expect(await store.list({ kind: 'run', status: ['open', 'waiting'] })).toEqual([])
    expect((await store.list({ kind: 'run', status: 'cancelled' })).length).toBe(3)
    await expect(boss.decide(tickets[0] as string, approve, by)).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
    expect(effects).toEqual([])
  })

  test('is removed with the session above', async () => {
    await using where = place()
    const store = where.open()
    const { boss } = office(store)
    const session = await boss.startSession()
    await session.run('go')
    const [call] = session.state.calls.values()
    await boss.removeSession(session.id)
    for (const id of [session.id, `${call?.id}.0`, `${call?.id}.1`])
      await expect(boss.openSession(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    for (const kind of ['session', 'run', 'ticket', 'call', 'timer'] as const)
      expect(await store.list({ kind })).toEqual([])
  })

  /** The agents of a process whose work may be cut off anywhere; effects are counted over all of them. */
  function mill(store: Store, effects: string[]): Agent {
    const save = tool({
      name: 'save',
      description: 'Saves',
      toolClass: 'write',
      execute: (_args, { callId }) => {
        effects.push(callId)
        return 'saved'
      },
    })
    const helper = make('helper', [calling('save'), 'helped'], [save], { parts: mortal() })
    return make('boss', [askHelper, 'done'], [helping(helper)], {
      store,
      approvals: () => approve,
      parts: mortal(),
    })
  }

  test.each(
    (
      ['child.started', 'session.started', 'run.started', 'approval.requested', 'call.completed'] as const
    ).flatMap((type) => [[type, 'before'] as const, [type, 'after'] as const]),
  )('that was cut off at %s, %s it was stored, is found again and acts once at most', async (type, when) => {
    await using where = place()
    const effects: string[] = []
    const session = await mill(where.open(), effects).startSession('ask')
    const { store, crashed } = crashingStore(where.open(), type, when)
    const cut = await mill(store, effects).openSession(session.id)
    cut.run('go').catch(() => undefined)
    await crashed
    const taken = await mill(where.open(), effects).openSession(session.id)
    const result = taken.state.openRun === undefined ? await taken.run('go') : await finish(taken.resume())
    expect(result).toMatchObject({ status: 'completed', text: 'done' })
    expect(effects.length).toBeLessThanOrEqual(1)
    const [call] = taken.state.calls.values()
    expect(call?.children).toHaveLength(1)
    expect(call?.end).toMatchObject({ status: 'completed' })
    const child = await mill(where.open(), effects).openSession(`${call?.id}.0`)
    expect(child.state.runs.size).toBe(1)
    expect(child.state.calls.size).toBe(1)
  })
})

test('a fork names the children of the session before it, and is removed without them', async () => {
  const store = memoryStore()
  const boss = make('boss', [askHelper, 'done'], [helping(make('helper', ['helped']))], { store })
  const session = await boss.startSession()
  await session.run('go')
  const [call] = session.state.calls.values()
  const fork = await boss.forkSession(session)
  await boss.removeSession(fork.id)
  expect((await boss.openSession(`${call?.id}.0`)).state.agent).toBe('helper')
  await boss.removeSession(session.id)
  await expect(boss.openSession(`${call?.id}.0`)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('a session with child runs is exported and replayed', async () => {
  const { made } = saving()
  const helper = make('helper', [calling('save'), 'helped'], [made])
  const boss = make('boss', [askHelper, 'done'], [helping(helper)], { approvals: () => suspend() })
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  await boss.decide(tickets[0] as string, approve, by)
  await finish(session.resume())
  const cassette = await exportCassette(session)
  const report = await replay(boss, cassette)
  expect(report.differences).toEqual([])
})

test('a call that was approved keeps its approval while its child rests', async () => {
  const { made, effects } = saving()
  const helper = make('helper', [calling('save'), 'helped'], [made])
  const asked: string[] = []
  const boss = make(
    'boss',
    [askHelper, 'done'],
    [agentTool(helper, { name: 'helper', description: 'Helps', toolClass: 'external' })],
    {
      approvals: ({ tool: { name } }) => {
        asked.push(name)
        return name === 'helper' ? approve : suspend()
      },
    },
  )
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  await boss.decide(tickets[0] as string, approve, by)
  expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
  expect(asked).toEqual(['helper', 'save'])
  expect(effects).toHaveLength(1)
})

test("a child's ask runs out at its time, whoever looks, and the session at the top can go on", async () => {
  const clock = manualClock()
  const { made, effects } = saving()
  const helper = make('helper', [calling('save'), 'helped'], [made], { askExpiryMs: 60_000 })
  const boss = make('boss', [askHelper, 'done'], [helping(helper)], {
    approvals: () => suspend(),
    parts: { clock },
  })
  const session = await boss.startSession()
  expect(await session.run('go')).toMatchObject({ status: 'waiting' })
  expect(await boss.runTimers()).toEqual([])
  await clock.advance(60_000)
  expect(await boss.runTimers()).toEqual([session.id])
  expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
  expect(effects).toEqual([])
})

test('a function that swallows the signal of a child that rests still rests, and is entered again', async () => {
  const { made } = saving()
  const helper = make('helper', [calling('save'), 'helped'], [made])
  const came: string[] = []
  const work = doing(async (context) => {
    const text = await context.run(helper, { input: 'go' }).then(
      (result) => result.text,
      () => 'swallowed',
    )
    came.push(text)
    return text
  })
  const boss = make('boss', [calling('work'), 'done'], [work], { approvals: () => suspend() })
  const session = await boss.startSession()
  const { status, tickets } = await session.run('go')
  expect(status).toBe('waiting')
  await boss.decide(tickets[0] as string, approve, by)
  await finish(session.resume())
  expect(came).toEqual(['swallowed', 'helped'])
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'helped' } })
})

test('children that were started together are each brought as far as they come, and those that ended do not run again', async () => {
  const { made, effects } = saving()
  const counted = saving('count')
  const free = make('free', [calling('count'), 'free'], [counted.made])
  const bound = make('bound', [calling('save'), 'bound'], [made])
  const work = doing(async (context) => {
    const both = await Promise.all([context.run(bound, { input: 'a' }), context.run(free, { input: 'b' })])
    return both.map(({ text }) => text).join()
  })
  const boss = make('boss', [calling('work'), 'done'], [work], {
    approvals: ({ tool: { name } }) => (name === 'count' ? approve : suspend()),
  })
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  expect(counted.effects).toHaveLength(1)
  await boss.decide(tickets[0] as string, approve, by)
  await finish(session.resume())
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'bound,free' } })
  expect([counted.effects.length, effects.length]).toEqual([1, 1])
})

test('a call that is entered again and starts another agent in the same place goes on as it was, or not at all', async () => {
  const { made, effects } = saving()
  const helper = make('helper', [calling('save'), 'helped'], [made])
  const other = make('other', ['other'])
  let turn = 0
  const work = doing(
    (context) => {
      turn += 1
      return context.run(turn === 2 ? other : helper, { input: 'go' })
    },
    { toolClass: 'write' },
  )
  const boss = make('boss', [calling('work'), 'done'], [work], { approvals: () => suspend() })
  const session = await boss.startSession()
  const { tickets: first } = await session.run('go')
  await boss.decide(first[0] as string, approve, by)
  const { tickets } = await finish(session.resume())
  await boss.decide(tickets[0] as string, approve, by)
  await expect(finish(session.resume())).rejects.toMatchObject({
    code: 'DEFINITION_CHANGED',
    message: expect.stringContaining('was run "helper" before, and is run "other" now'),
  })
  const [call] = session.state.calls.values()
  expect(call).toMatchObject({ status: 'resting' })
  expect(effects).toEqual([])
  expect(await finish(session.resume())).toMatchObject({ status: 'completed', text: 'done' })
  expect(effects).toHaveLength(1)
})

test('a child that runs is stopped with the run above', async () => {
  const began = Promise.withResolvers<void>()
  const waiting = tool({
    name: 'wait',
    description: 'Waits',
    toolClass: 'read',
    execute: (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        began.resolve()
      }),
  })
  const store = memoryStore()
  const helper = make('helper', [calling('wait'), 'helped'], [waiting])
  const boss = make('boss', [askHelper, 'done'], [helping(helper)], { store })
  const session = await boss.startSession()
  const stop = new AbortController()
  const running = session.run('go', { signal: stop.signal })
  await began.promise
  stop.abort(new Error('enough'))
  expect(await running).toMatchObject({ status: 'cancelled' })
  expect(await store.list({ kind: 'run', status: 'cancelled' })).toHaveLength(2)
})

test("a child's call is edited and answered through the agent above, which knows its tools", async () => {
  const booked: unknown[] = []
  const book = tool({
    name: 'book',
    description: 'Books',
    toolClass: 'write',
    schema: { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] },
    yieldSchema: { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] },
    execute: (args, context) => {
      booked.push([args, context.input])
      return 'booked'
    },
  })
  const store = memoryStore()
  const office = () => {
    const helper = make('helper', [calling('book', { room: 'A' }), 'helped'], [book])
    return make('boss', [askHelper, 'done'], [helping(helper)], { store, approvals: () => suspend() })
  }
  const session = await office().startSession()
  const first = await session.run('go')
  const wrong = office().decide(first.tickets[0] as string, { ...approve, editedArgs: { room: 1 } }, by)
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_DECISION' })
  await office().decide(first.tickets[0] as string, { ...approve, editedArgs: { room: 'B' } }, by)
  const second = await finish((await office().openSession(session.id)).resume())
  expect(second).toMatchObject({ status: 'waiting' })
  await expect(office().answer(second.tickets[0] as string, { code: 'x' }, by)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  await office().answer(second.tickets[0] as string, { code: 4 }, by)
  const last = await finish((await office().openSession(session.id)).resume())
  expect(last).toMatchObject({ status: 'completed' })
  expect(booked).toEqual([[{ room: 'B' }, { code: 4 }]])
})

test('an agent that this process does not know can be decided about, and not be edited', async () => {
  const { made, effects } = saving()
  const store = memoryStore()
  const helper = make('helper', [calling('save'), 'helped'], [made])
  const work = doing((context) => context.run(helper, { input: 'go' }))
  const over = { store, approvals: () => suspend() }
  const boss = make('boss', [calling('work'), 'done'], [work], over)
  const session = await boss.startSession()
  const { tickets } = await session.run('go')
  const stranger = make('boss', [], [], over)
  await expect(
    stranger.decide(tickets[0] as string, { ...approve, editedArgs: {} }, by),
  ).rejects.toMatchObject({ code: 'INVALID_DECISION' })
  await stranger.decide(tickets[0] as string, approve, by)
  expect(await finish(session.resume())).toMatchObject({ status: 'completed' })
  expect(effects).toHaveLength(1)
})

function parallel(made: Tool): Tool {
  return Object.freeze({ ...made, parallel: true })
}

/** The open ask about a tool, as soon as there is one. */
async function openTicket(store: Store, name: string): Promise<string> {
  let found: string | undefined
  await until(store, async () => {
    const rows = await store.list({ kind: 'ticket', status: 'open' })
    found = rows.find(({ data }) => data.tool === name)?.id
    return found !== undefined
  })
  return found as string
}

/** Resolves when something holds that the store's changes bring about. */
async function until(store: Store, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const changed = Promise.withResolvers<void>()
    const stop = store.watch(() => changed.resolve())
    try {
      if (await holds()) return
      await changed.promise
    } finally {
      stop()
    }
  }
}
