import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../src/core/limits.ts'
import {
  type AgentConfig,
  agent,
  type EventOf,
  memoryStore,
  type Session,
  type Store,
  type StoredEvent,
  scriptedModel,
  suspend,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { sqlite } from '../../src/sqlite.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { calling, play } from '../support/play.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Execute = (context: ToolContext) => unknown

/** A tool that does this with its context. */
function doing(execute: Execute, over: object = {}): Tool {
  return tool({
    name: 'act',
    description: 'Acts',
    toolClass: 'read',
    execute: (_args, context) => execute(context),
    ...over,
  })
}

/** Runs one call of a tool that does this. */
function once(execute: Execute, config: Partial<AgentConfig> = {}, over: object = {}) {
  return play({ tools: [doing(execute, over)], ...config }, [calling('act')])
}

function changesIn(events: readonly StoredEvent[]): EventOf<'state.changed'>[] {
  return events.map(({ event }) => event).filter((event) => event.type === 'state.changed')
}

const scopes = { user: ({ subject }: { subject: string }) => subject, org: () => 'acme' }

describe('what a tool has', () => {
  test('is every key of the context, for its call, its run and what stands around it, under its present name alone [approvals/K1] [tools-in-an-agent/context-call-alias]', async () => {
    const {
      calls,
      session,
      told: text,
    } = await once((context) => ({
      keys: Object.keys(context),
      args: context.args,
      toolName: context.toolName,
      callId: context.callId,
      invocationId: context.invocationId,
      parentInvocationId: context.parentInvocationId ?? 'none',
      runnable: context.runnable.name,
      session: context.session.id,
      aborted: context.signal.aborted,
      output: typeof context.output,
      end: typeof context.end,
      progress: typeof context.progress,
      state: { ...context.state },
      idempotencyKey: context.idempotencyKey,
    }))
    const [call] = calls
    const told = JSON.parse(text[0] as string)
    expect(told.keys).not.toContain('call')
    expect(told.keys).toEqual(
      expect.arrayContaining([
        ...['args', 'toolName', 'callId', 'invocationId', 'parentInvocationId', 'runnable', 'session'],
        ...['state', 'signal', 'output', 'end', 'run', 'spawn', 'dispatch', 'progress', 'idempotencyKey'],
      ]),
    )
    expect(told).toMatchObject({
      args: {},
      toolName: 'act',
      callId: call?.id,
      invocationId: call?.run,
      parentInvocationId: 'none',
      runnable: 'player',
      session: session.id,
      aborted: false,
      output: 'function',
      end: 'function',
      progress: 'function',
      state: {},
      idempotencyKey: call?.id,
    })
  })
})

describe('a run that a call started', () => {
  test('knows the run that started it, begins with the values of its own agent, and is forked by nobody', async () => {
    const seen: unknown[] = []
    const inner = doing((context) => {
      seen.push(context.parentInvocationId, { ...context.state }, context.state.scope('org').plan)
      context.state.found = true
    })
    const store = memoryStore()
    const config = { store, scopes, approvals: () => ({ approved: true }) }
    const state = { initial: { language: 'en' } }
    const model = scriptedModel([calling('act'), 'done'])
    const child = agent({ name: 'child', model, tools: [inner], ...config, state })
    const outer = async (context: ToolContext) => {
      await context.state.scope('org').update({ plan: 'big' })
      return (await context.run(child, { input: 'go' })).session
    }
    const { calls, session, told, agent: parent } = await once(outer, config)
    expect(seen).toEqual([calls[0]?.run, { language: 'en' }, 'big'])
    expect(session.values).toEqual({})
    await expect(parent.forkSession(told[0] as string)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})

describe('a change of the state', () => {
  test('is in the log before the outcome of its call, with the call that made it [approvals/K2]', async () => {
    const { events, session, calls } = await once((context) => {
      context.state.update({ lastNote: 'shelf is dusty' })
      return context.state.lastNote
    })
    const [change] = changesIn(events)
    expect(change).toEqual({
      type: 'state.changed',
      scope: 'session',
      run: calls[0]?.run,
      call: calls[0]?.id,
      changes: [{ key: 'lastNote', value: 'shelf is dusty' }],
    })
    const types = events.map(({ event }) => event.type)
    expect(types.indexOf('state.changed')).toBeGreaterThan(types.indexOf('call.started'))
    expect(types.indexOf('state.changed')).toBeLessThan(types.indexOf('call.completed'))
    expect(session.values).toEqual({ lastNote: 'shelf is dusty' })
  })

  test('is read right after it was made, before it is stored, in every way of reading', async () => {
    const seen: unknown[] = []
    await once(async ({ state }) => {
      const written = state.update({ a: 1, b: { c: [2] } })
      seen.push(state.a, state.get('b'), state.values, Object.keys(state), 'a' in state, 'z' in state)
      await written
      seen.push({ ...state })
      state.a = 2
      state.update((values) => ({ a: (values.a as number) + 1 }))
      seen.push(state.a, state.get('nothing'), state.toString)
    })
    const both = { a: 1, b: { c: [2] } }
    expect(seen).toEqual([1, { c: [2] }, both, ['a', 'b'], true, false, both, 3, undefined, undefined])
  })

  test('to nothing deletes the key, by update, by assignment and by delete [tools-in-an-agent/state-deletes]', async () => {
    const { session, events } = await once(
      async ({ state }) => {
        await state.update({ a: undefined })
        state.b = undefined
        delete state.c
        return Object.keys(state)
      },
      { state: { initial: { a: 1, b: 2, c: 3, d: 4 } } },
    )
    expect(session.values).toEqual({ d: 4 })
    expect(changesIn(events).map(({ changes }) => changes)).toEqual([
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
        { key: 'c', value: 3 },
        { key: 'd', value: 4 },
      ],
      [{ key: 'a' }],
      [{ key: 'b' }, { key: 'c' }],
    ])
  })

  test('that is made in one go is one event, the last write of a key alone', async () => {
    const { events } = await once(({ state }) => {
      state.a = 1
      state.b = 1
      state.a = 2
    })
    expect(changesIn(events).map(({ changes }) => changes)).toEqual([
      [
        { key: 'b', value: 1 },
        { key: 'a', value: 2 },
      ],
    ])
  })

  test('keeps what the store would give back: exact integers, copies that nobody can change', async () => {
    const list = [1]
    const { session } = await once(({ state }) => {
      state.update({ big: 2n ** 64n, small: 5n, list, ['__proto__']: 1, half: { left: undefined } })
      list.push(2)
      expect(() => (state.values.list as number[]).push(3)).toThrow(TypeError)
    })
    expect(session.values).toEqual({
      big: 18446744073709551616n,
      small: 5,
      list: [1],
      ['__proto__']: 1,
      half: {},
    })
    expect(Object.isFrozen(session.values) && Object.isFrozen(session.values.list)).toBe(true)
  })

  test.each([
    ['a function', { bad: () => 1 }, 'INVALID_ARGUMENT', '"bad" is no JSON'],
    ['NaN', { bad: Number.NaN }, 'INVALID_ARGUMENT', '"bad" is no JSON'],
    ['a date', { bad: new Date(0) }, 'INVALID_ARGUMENT', '"bad" is no JSON'],
    ['a scope', { temp: 1 }, 'INVALID_ARGUMENT', '"temp" is no key'],
    ['an own scope', { org: 1 }, 'INVALID_ARGUMENT', '"org" is no key'],
    ['a method', { update: 1 }, 'INVALID_ARGUMENT', '"update" is no key'],
    ['no name', { '': 1 }, 'INVALID_ARGUMENT', '1 to 256 characters'],
    ['a list', [1], 'INVALID_ARGUMENT', 'an object of keys and values'],
    ['a promise', async () => ({}), 'INVALID_ARGUMENT', 'an object of keys and values'],
    ['too much', { big: 'x'.repeat(limits.stateValueBytesMax) }, 'LIMIT_EXCEEDED', '"big" has more than'],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, n])),
      'LIMIT_EXCEEDED',
      '1000',
    ],
  ])('that is %s is refused at once, and nothing of it is kept', async (_name, changes, code, says) => {
    const { session } = await once(
      ({ state }) => {
        const refused = expect.objectContaining({ code, message: expect.stringContaining(says) })
        expect(() => state.update(changes as { [key: string]: unknown })).toThrow(refused)
        state.good = 1
      },
      { scopes },
    )
    expect([...session.state.calls.values()][0]?.end?.status).toBe('completed')
    expect(session.values).toEqual({ good: 1 })
  })

  test('that fails when it is written fails the call, though nobody waited for it', async () => {
    let runs = 0
    const changeMind = () => {
      runs += 1
      if (runs > 1) throw new Error('changed its mind')
      return { b: 1 }
    }
    const unwaited = ({ state }: ToolContext) => {
      state.a = 1
      // On other values than it saw, the function runs again.
      state.update(changeMind)
      return 'done'
    }
    const retry = { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 }
    const { calls, told, session } = await once(
      unwaited,
      { approvals: () => ({ approved: true }) },
      { toolClass: 'write', retry },
    )
    expect(calls[0]?.end).toMatchObject({
      status: 'failed',
      code: 'state_not_written',
      effect: 'uncertain',
      message: expect.stringContaining('changed its mind'),
    })
    expect([told.length, runs, session.values]).toEqual([1, 2, {}])
  })

  test('that the store refuses fails the call, though the tool caught the error', async () => {
    const store = memoryStore()
    const append: Store['append'] = async (what) => {
      const isChange = what.streams.some(({ events }) =>
        events.some(({ event }) => event.type === 'state.changed'),
      )
      if (isChange) throw new Error('disk full')
      return await store.append(what)
    }
    const full: Store = new Proxy(store, {
      get: (target, key) => (key === 'append' ? append : Reflect.get(target, key)),
    })
    const caught = async ({ state }: ToolContext) => await state.update({ a: 1 }).catch(() => 'never mind')
    const { calls, session } = await once(caught, { store: full })
    expect(calls[0]?.end).toMatchObject({ code: 'state_not_written', effect: 'none' })
    expect(session.values).toEqual({})
  })

  test('can be made by execute and finalize; prepare and check may only read', async () => {
    const seen: unknown[] = []
    const look =
      (what: string) =>
      (_args: unknown, { state }: ToolContext) => {
        seen.push([what, state.a])
        try {
          state.a = what
        } catch (error) {
          seen.push((error as Error).message)
        }
      }
    const execute = tool({
      name: 'act',
      description: 'Acts',
      toolClass: 'read',
      prepare: look('prepare'),
      check: (args, context) => {
        look('check')(args, context)
        return 'run'
      },
      execute: (_args, { state }) => {
        state.a = 'execute'
        return 'ran'
      },
      finalize: (_args, { state }) => {
        seen.push(['finalize', state.a])
        state.a = 'finalize'
      },
    })
    const { session, calls } = await play({ tools: [execute], state: { initial: { a: 0 } } }, [
      calling('act'),
    ])
    const readOnly = 'Here the state can only be read; write it in execute or finalize.'
    const looks = [['prepare', 0], readOnly, ['check', 0], readOnly, ['check', 0], readOnly]
    expect(seen).toEqual([...looks, ['finalize', 'execute']])
    expect([session.values.a, calls[0]?.end?.status]).toEqual(['finalize', 'completed'])
  })

  test('is refused once the function has returned', async () => {
    let kept: ToolContext['state'] | undefined
    const { session } = await once(({ state }) => {
      kept = state
      state.a = 1
    })
    expect(() => kept?.update({ a: 2 })).toThrow('from then on the state can only be read')
    expect([kept?.a, session.values]).toEqual([1, { a: 1 }])
  })

  test('of a try that failed stays, and the next try sees it', async () => {
    const retry = { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 }
    const count = ({ state, attempt }: ToolContext) => {
      state.update(({ tries }) => ({ tries: ((tries ?? 0) as number) + 1 }))
      if (attempt < 3) throw new Error('again')
      return state.tries
    }
    const { session, told } = await once(count, {}, { retry })
    expect([session.values, told]).toEqual([{ tries: 3 }, ['3']])
  })

  test('by calls that run at once loses nothing', async () => {
    const add = doing(
      async ({ state, callId }) => {
        await state.update(({ sum }) => ({ sum: ((sum ?? 0) as number) + 1 }))
        state[callId] = true
        await state.update(({ sum }) => ({ sum: ((sum ?? 0) as number) + 1 }))
      },
      { parallel: true },
    )
    const five: ScriptStep = { calls: Array.from({ length: 5 }, () => ({ name: 'act', args: {} })) }
    const { session } = await play({ tools: [add] }, [five])
    expect(session.values.sum).toBe(10)
    expect(Object.keys(session.values)).toHaveLength(6)
  })

  test('stays in the process when its key is private: stored, read, and not streamed [tools-in-an-agent/state-stays-inside]', async () => {
    const write = doing(({ state }) => {
      state.update({ token: 's3cret', shown: 1 })
      state.run.update({ token: 's3cret' })
    })
    const model = scriptedModel([calling('act'), 'done'])
    const session = await agent({
      name: 'a',
      model,
      tools: [write],
      state: { private: ['token'] },
    }).startSession()
    const streamed = await Array.fromAsync(session.stream('go'))
    expect(JSON.stringify(streamed)).not.toContain('s3cret')
    expect(streamed.filter(({ type }) => type === 'state.changed')).toMatchObject([
      { scope: 'session', changes: [{ key: 'shown', value: 1 }] },
    ])
    expect(session.values).toEqual({ token: 's3cret', shown: 1 })
    expect(changesIn(await session.events())).toHaveLength(2)
  })
})

describe('a scope', () => {
  test('holds values for the run, for the run in this process, for the session, or for whom the application says [tools-in-an-agent/state-scopes]', async () => {
    const seen: unknown[] = []
    const act = doing(async ({ state }) => {
      const { run, temp, scope } = state
      seen.push([state.n, run.n, temp.n, scope('user').n, scope('org').n].map((n) => n ?? 0))
      for (const each of [state, run, temp, scope('user'), scope('org')])
        await each.update(({ n }) => ({ n: ((n ?? 0) as number) + 1 }))
    })
    const script = [calling('act'), calling('act'), 'done', calling('act'), 'done']
    const store = memoryStore()
    const make = () => agent({ name: 'a', model: scriptedModel(script), tools: [act], store, scopes })
    const ann = await make().startSession({ subject: 'ann' })
    await ann.run('one')
    await ann.run('two')
    const bob = await make().startSession({ subject: 'bob' })
    await bob.run('one')
    const again = await make().startSession({ subject: 'ann' })
    await again.run('one')
    expect(seen).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 1, 1, 1],
      [2, 0, 0, 2, 2],
      [0, 0, 0, 0, 3],
      [1, 1, 1, 1, 4],
      [0, 0, 0, 3, 5],
      [1, 1, 1, 4, 6],
    ])
    expect(await Promise.all([ann, bob].map((each) => each.readState('user')))).toEqual([{ n: 5 }, { n: 2 }])
    expect([ann.values, await ann.readState('org')]).toEqual([{ n: 3 }, { n: 7 }])
    const temporary = changesIn(await ann.events()).filter(({ scope }) => scope === 'temp')
    expect(temporary).toEqual([])
  })

  test('of the application has a log of its own that says who wrote', async () => {
    const store = memoryStore()
    const { calls, session } = await once(({ state }) => state.scope('org').update({ plan: 'big' }), {
      store,
      scopes,
    })
    const log = await store.read('state:org:acme')
    expect(log.map(({ sequence, event }) => ({ sequence, event }))).toEqual([
      {
        sequence: 1,
        event: {
          type: 'state.changed',
          scope: 'org',
          id: 'acme',
          session: session.id,
          run: calls[0]?.run,
          call: calls[0]?.id,
          changes: [{ key: 'plan', value: 'big' }],
        },
      },
    ])
    expect(changesIn(await session.events())).toEqual([])
  })

  test('is there by its name, and no other is', async () => {
    await once(
      ({ state }) => {
        expect(state.org).toBe(state.scope('org'))
        expect(state.session).toBe(state)
        expect(() => state.scope('team')).toThrow('the scopes are session, run, temp, user, org')
        state.scope('org').plan = 'big'
        expect((state.org as { plan: unknown }).plan).toBe('big')
      },
      { scopes },
    ).then(({ calls }) => expect(calls[0]?.end?.status).toBe('completed'))
  })

  test.each([
    ['a taken name', { temp: () => 'a' }, 'needs another name'],
    ['a name that is none', { 'my org': () => 'a' }, 'needs another name'],
    ['no function', { org: 'acme' as unknown as () => string }, 'must be a function'],
  ])('with %s is no option of an agent', (_name, given, says) => {
    const make = () => agent({ name: 'a', model: scriptedModel([]), scopes: given })
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining(says) }),
    )
  })

  test('without an id starts no run', async () => {
    const made = agent({ name: 'a', model: scriptedModel([]), scopes: { org: () => '' } })
    const session = await made.startSession()
    await expect(session.run('go')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(session.state.openRun).toBeUndefined()
  })

  test('is empty where a call is only explained', async () => {
    const check = ({ state }: ToolContext) => (state.scope('org').plan === 'big' ? 'run' : 'deny')
    const act = doing(() => 'ran', { check: (_args: object, context: ToolContext) => check(context) })
    const store = memoryStore()
    const made = agent({
      name: 'a',
      model: scriptedModel([calling('act'), 'done']),
      tools: [act],
      store,
      scopes,
    })
    expect((await made.explain('act', {})).decision.verdict).toBe('deny')
    const session = await made.startSession()
    await session.updateState({ plan: 'big' }, { scope: 'org' })
    await session.run('go')
    expect([...session.state.calls.values()][0]?.end?.status).toBe('completed')
  })
})

describe('from outside', () => {
  test('values are read and changed, also while another process drives the session', async () => {
    await using place = onDisk()
    const paused = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    const act = doing(async ({ state }) => {
      await state.update({ mine: 1 })
      paused.resolve()
      await going.promise
      await state.update(({ sum }) => ({ sum: ((sum ?? 0) as number) + 1 }))
      return state.theirs
    })
    const config = { name: 'a', tools: [act] }
    const driver = agent({ ...config, model: scriptedModel([calling('act'), 'done']), store: place.open() })
    const session = await driver.startSession()
    const running = session.run('go')
    await paused.promise
    const other = await agent({ ...config, model: scriptedModel([]), store: place.open() }).openSession(
      session.id,
    )
    expect(other.values).toEqual({ mine: 1 })
    await other.updateState({ theirs: 2, sum: 5 })
    await other.updateState({ step: 1 }, { scope: 'run' })
    going.resolve()
    await running
    expect(session.values).toEqual({ mine: 1, theirs: 2, sum: 6 })
    expect(await other.readState()).toEqual(session.values)
    await expect(other.readState('run')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
    await expect(other.updateState({ a: 1 }, { scope: 'temp' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    await expect(other.updateState({ values: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test('a session starts with the initial values of its agent, which must be JSON', async () => {
    const make = (initial: object) =>
      agent({
        name: 'a',
        model: scriptedModel([]),
        state: { initial: initial as { [key: string]: unknown } },
      })
    expect((await make({ a: [1] }).startSession()).values).toEqual({ a: [1] })
    expect(() => make({ a: () => 1 })).toThrow(expect.objectContaining({ code: 'INVALID_AGENT' }))
    expect(() => make({ run: 1 })).toThrow('"run" is no key of the state')
  })
})

describe('a process that ends', () => {
  test.each(['after', 'before'] as const)(
    '%s a write is stored leaves what was stored, and the call runs anew',
    async (when) => {
      const store = memoryStore()
      const { store: crashing, crashed } = crashingStore(store, 'state.changed', when)
      const seen: unknown[] = []
      const act = doing(async ({ state }) => {
        seen.push(state.n ?? 0)
        await state.update(({ n }) => ({ n: ((n ?? 0) as number) + 1 }))
        return state.n
      })
      const parts = { owner: { name: 'first', hasEnded: () => true } }
      const model = () => scriptedModel([calling('act'), 'done'], { fromHistory: true })
      const first = await agent({
        name: 'a',
        model: model(),
        tools: [act],
        store: crashing,
        parts,
      }).startSession()
      first.run('go').catch(() => undefined)
      await crashed
      const second = agent({
        name: 'a',
        model: model(),
        tools: [act],
        store,
        parts: { owner: { name: 'second', hasEnded: () => true } },
      })
      const session = await second.openSession(first.id)
      for await (const _event of session.resume());
      const kept = when === 'after' ? 1 : 0
      expect([seen, session.values]).toEqual([[0, kept], { n: kept + 1 }])
    },
  )

  test('while a call waits for a person leaves the values of the run', async () => {
    const store = memoryStore()
    const ask = doing(({ state }) => state.run.note, { name: 'ask', toolClass: 'write' })
    const act = doing(({ state }) => {
      state.run.note = 'kept'
      state.temp.note = 'gone'
    })
    const model = () => scriptedModel([calling('act'), calling('ask'), 'done'], { fromHistory: true })
    const config = { name: 'a', tools: [act, ask], store, approvals: () => suspend() }
    const session = await agent({ ...config, model: model() }).startSession('ask')
    const { tickets } = await session.run('go')
    const later = await agent({ ...config, model: model() }).openSession(session.id)
    await later.decide(tickets[0] as string, { approved: true })
    for await (const _event of later.resume());
    const outcome = [...later.state.calls.values()].at(-1)?.end
    expect(outcome).toMatchObject({ status: 'completed', text: { inline: 'kept' } })
  })
})

/** A file, and the processes that open it. */
function onDisk() {
  const { path, remove } = temporaryFolder()
  const opened: Store[] = []
  const open = () => {
    const store = sqlite(`${path}/state.db`)
    opened.push(store)
    return store
  }
  const dispose = async () => {
    for (const store of opened) await store.close()
    remove()
  }
  return { open, [Symbol.asyncDispose]: dispose }
}

describe('writers at once', () => {
  const writes = fc.array(
    fc.record({
      writer: fc.nat(2),
      scope: fc.constantFrom('session', 'org', 'user'),
      key: fc.constantFrom('a', 'b', 'c'),
      waits: fc.boolean(),
    }),
    { minLength: 1, maxLength: 24 },
  )

  test.each(['memory', 'sqlite'])(
    'over %s, in several processes, lose no key and no count',
    async (kind) => {
      await using place = onDisk()
      const shared = memoryStore()
      const stores = [0, 1, 2].map(() => (kind === 'memory' ? shared : place.open()))
      let round = 0
      await fc.assert(
        fc.asyncProperty(writes, async (list) => {
          round += 1
          const id = `s${round}`
          const own = { org: () => `o${round}`, user: () => id }
          const made = stores.map((store) =>
            agent({ name: 'a', model: scriptedModel([]), store, scopes: own }),
          )
          await made[0]?.startSession({ id })
          const sessions = await Promise.all(made.map((each) => each.openSession(id)))
          const under: Promise<void>[] = []
          for (const [index, { writer, scope, key, waits }] of list.entries()) {
            const count = (values: { readonly [key: string]: unknown }) => ({
              [key]: ((values[key] ?? 0) as number) + 1,
              [`w${index}`]: writer,
            })
            const written = (sessions[writer] as Session).updateState(count, { scope })
            under.push(written)
            if (waits) await written
          }
          await Promise.all(under)
          for (const scope of ['session', 'org', 'user']) {
            const expected: Record<string, number> = {}
            for (const [index, each] of list.entries()) {
              if (each.scope !== scope) continue
              expected[each.key] = (expected[each.key] ?? 0) + 1
              expected[`w${index}`] = each.writer
            }
            for (const session of sessions) expect(await session.readState(scope)).toEqual(expected)
          }
        }),
        { numRuns: kind === 'memory' ? 60 : 15 },
      )
    },
    60_000,
  )
})

describe('back in time [tools-in-an-agent/time-travel]', () => {
  const count = doing(({ state }) => {
    state.update(({ n }) => ({ n: ((n ?? 0) as number) + 1 }))
    return 'x'.repeat(40_000)
  })
  const script = [calling('act'), 'one', calling('act'), 'two']
  const make = (store: Store) =>
    agent({ name: 'a', model: scriptedModel(script, { fromHistory: true }), tools: [count], store })

  test('the state is read at any event', async () => {
    const store = memoryStore()
    const session = await make(store).startSession({ id: 's' })
    await session.run('go')
    await session.run('go on')
    const events = await session.events()
    const values: unknown[] = []
    for (const { sequence } of events) values.push((await session.stateAt(sequence)).values.n ?? 0)
    expect([...new Set(values)]).toEqual([0, 1, 2])
    expect((await session.stateAt(events.length)).history).toEqual(session.state.history)
    for (const bad of [0, events.length + 1, 1.5])
      await expect(session.stateAt(bad)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test.each(['memory', 'sqlite'])(
    'a session is forked over %s at any event at which no call runs, and both go on by themselves',
    async (kind) => {
      await using place = onDisk()
      const store = kind === 'memory' ? memoryStore() : place.open()
      const made = make(store)
      const session = await made.startSession({ id: 's', subject: 'ann' })
      await session.run('go')
      const at = (await session.events()).length
      const [large] = session.state.spilled.keys()
      await session.run('go on')
      const fork = await made.forkSession(session, { at, id: 'f' })
      expect(fork.state).toMatchObject({ id: 'f', subject: 'ann', agent: 'a', values: { n: 1 } })
      const [started] = await fork.events()
      expect(started?.event).toMatchObject({ session: 'f', forkedFrom: { session: 's', sequence: at } })
      expect(await store.getBlob('session:f', large as string)).toBeDefined()
      expect((await fork.run('another way')).text).toBe('two')
      expect([session.values, fork.values]).toEqual([{ n: 2 }, { n: 2 }])
      const both = [session, fork].map(({ state }) => [...state.runs.keys(), ...state.calls.keys()])
      expect(new Set(both.flat()).size).toBe(8)
      const opened = await make(store).openSession('f')
      expect(opened.state.history).toEqual(fork.state.history)
      await expect(made.forkSession('s', { id: 'f' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
      await expect(made.forkSession('none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    },
  )

  test('a fork at every place either goes on to the same end or is refused because a call runs', async () => {
    const store = memoryStore()
    const made = make(store)
    const session = await made.startSession({ id: 's' })
    await session.run('go')
    const events = await session.events()
    const refused: string[] = []
    for (const { sequence, event } of events) {
      const fork = await made.forkSession('s', { at: sequence }).catch((error) => {
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
        refused.push(event.type)
      })
      if (fork?.state.openRun === undefined || fork.state.history.length === 0) continue
      for await (const _event of fork.resume());
      expect(fork.state.history.map((entry) => ('text' in entry ? entry.text : entry.parts))).toHaveLength(
        session.state.history.length,
      )
      expect(fork.values).toEqual({ n: 1 })
    }
    expect(refused).toEqual(['message.added', 'call.started', 'state.changed'])
  })

  test('an open ask goes on in both, each answered for itself', async () => {
    const paid: string[] = []
    const pay = doing(({ callId }) => paid.push(callId), { toolClass: 'write' })
    const model = scriptedModel([calling('act'), 'done'], { fromHistory: true })
    const made = agent({ name: 'a', model, tools: [pay], approvals: () => suspend() })
    const session = await made.startSession('ask')
    const { tickets } = await session.run('go')
    const fork = await made.forkSession(session)
    const [forked] = fork.state.runs.get(fork.state.openRun as string)?.openTickets ?? []
    expect(forked).not.toBe(tickets[0])
    await session.decide(tickets[0] as string, { approved: true })
    await fork.decide(forked as string, { approved: false })
    for await (const _event of session.resume());
    for await (const _event of fork.resume());
    expect(paid).toEqual([...session.state.calls.keys()])
  })
})
