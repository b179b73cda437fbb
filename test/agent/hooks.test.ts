import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Agent,
  type AgentConfig,
  agent,
  type Event,
  type EventOf,
  type Hooks,
  memoryStore,
  type Session,
  scriptedModel,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'

function make(
  tools: readonly Tool[],
  script: readonly ScriptStep[],
  hooks: Hooks | readonly Hooks[],
  over: Partial<AgentConfig> = {},
): Agent {
  return agent({ name: 'clerk', model: scriptedModel(script, { fromHistory: true }), tools, hooks, ...over })
}

/** A tool that doubles; what it was entered with is noted. */
function doubling(over: object = {}) {
  const entered: number[] = []
  const made = tool({
    name: 'double',
    description: 'Double a number',
    schema: z.object({ value: z.number() }),
    execute: ({ value }) => {
      entered.push(value)
      return value * 2
    },
    ...over,
  })
  return { made, entered }
}

const call: ScriptStep = { calls: [{ name: 'double', args: { value: 4 } }] }

async function eventsOf<Type extends Event['type']>(session: Session, type: Type): Promise<EventOf<Type>[]> {
  const events = (await session.events()).map(({ event }) => event)
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

function endOf(session: Session) {
  return [...session.state.calls.values()].at(-1)?.end
}

async function finish<Result>(run: AsyncGenerator<unknown, Result, undefined>): Promise<Result> {
  for (;;) {
    const step = await run.next()
    if (step.done === true) return step.value
  }
}

describe('the order', () => {
  test('is from the outside in before, and from the inside out after [tools-in-an-agent/hook-order] [tools-in-an-agent/hook-kinds]', async () => {
    const seen: string[] = []
    const layer = (name: string): Hooks => ({
      name,
      beforeRun: ({ input }) => void seen.push(`${name} beforeRun ${input}`),
      afterRun: ({ result }) => void seen.push(`${name} afterRun ${result.status}`),
      beforeModel: ({ step }) => void seen.push(`${name} beforeModel ${step}`),
      afterModel: ({ step }) => void seen.push(`${name} afterModel ${step}`),
      beforeTool: ({ args }) => void seen.push(`${name} beforeTool ${JSON.stringify(args)}`),
      afterTool: (about) =>
        void seen.push(`${name} afterTool ${'value' in about ? about.value : about.code}`),
    })
    const { made } = doubling()
    const session = await make([made], [call, 'Eight.'], [layer('outer'), layer('inner')]).startSession()
    expect((await session.run('Double 4.')).text).toBe('Eight.')
    const both = (text: string) => [`outer ${text}`, `inner ${text}`]
    expect(seen).toEqual([
      ...both('beforeRun Double 4.'),
      ...both('beforeModel 1'),
      ...both('afterModel 1').reverse(),
      ...both('beforeTool {"value":4}'),
      ...both('afterTool 8').reverse(),
      ...both('beforeModel 2'),
      ...both('afterModel 2').reverse(),
      ...both('afterRun completed').reverse(),
    ])
  })

  test('is that of a list; each sees what those before it made of the thing', async () => {
    const values: unknown[] = []
    const wrap = (mark: string): Hooks => ({
      afterTool: (about) => {
        if (about.outcome !== 'completed') return undefined
        values.push(about.value)
        return { result: `${mark}(${String(about.value)})` }
      },
      afterModel: ({ text }) => (text === '' ? undefined : `${mark}[${text}]`),
    })
    const { made } = doubling()
    const session = await make([made], [call, 'Eight.'], [wrap('outer'), wrap('inner')]).startSession()
    expect((await session.run('Go.')).text).toBe('outer[inner[Eight.]]')
    expect(values).toEqual([8, 'inner(8)'])
    expect(endOf(session)).toMatchObject({ text: { inline: 'outer(inner(8))' }, by: 'hook' })
  })
})

describe('around a run', () => {
  test('beforeRun may answer, and no model is asked', async () => {
    const session = await make([], [], { beforeRun: ({ input }) => `You said: ${input}` }).startSession()
    expect(await session.run('Hello')).toMatchObject({
      status: 'completed',
      text: 'You said: Hello',
      steps: 1,
    })
    const [, said] = await eventsOf(session, 'message.added')
    expect(said?.message).toMatchObject({ role: 'assistant', by: 'hook' })
    expect(await eventsOf(session, 'tools.offered')).toEqual([])
  })

  test.each([
    ['beforeRun', { beforeRun: () => Promise.reject(new Error('no disk')) }],
    [
      'beforeModel',
      {
        beforeModel: () => {
          throw new Error('no disk')
        },
      },
    ],
    ['afterModel', { afterModel: () => Promise.reject(new Error('no disk')) }],
  ] as const)('a throw of %s fails the run with a sentence', async (hook, hooks) => {
    const session = await make([], ['Hello.'], { name: 'mine', ...hooks }).startSession()
    expect(await session.run('Hi')).toMatchObject({
      status: 'failed',
      text: `The hook ${hook} of "mine" failed: no disk`,
    })
  })

  test('a hook that does not end is left behind after ten seconds', async () => {
    const clock = manualClock(0)
    const hooks: Hooks = { beforeModel: () => new Promise<undefined>(() => undefined) }
    const session = await make([], ['Hello.'], hooks, { parts: { clock } }).startSession()
    const running = session.run('Hi')
    await clock.advance(10_000)
    expect(await running).toMatchObject({
      status: 'failed',
      text: 'The hook beforeModel of "hooks[0]" failed: The hook beforeModel of "hooks[0]" timed out after 10000 ms',
    })
  })

  test('every layer is told of the faults of every other one, in whichever order they stand', async () => {
    const failing: Hooks = {
      onEvent: ({ event }) => {
        if (event.type === 'run.started') throw new Error('event')
      },
      afterRun: () => Promise.reject(new Error('run')),
      afterTool: ({ outcome }) => {
        if (outcome === 'failed') throw new Error('tool')
      },
    }
    for (const order of [(layers: Hooks[]) => layers, (layers: Hooks[]) => layers.toReversed()]) {
      const told: string[] = []
      const telling = (name: string): Hooks => ({
        name,
        onError: (error, source) => void told.push(`${name} ${source} ${(error as Error).message}`),
      })
      const { made } = doubling({ execute: () => Promise.reject(new Error('broken')) })
      const hooks = order([failing, telling('one'), telling('two')])
      await (await make([made], [call, 'No.'], hooks).startSession()).run('Go.')
      const all = ['afterRun run', 'afterTool tool', 'onEvent event']
      expect(told.toSorted()).toEqual([
        ...all.map((each) => `one ${each}`),
        ...all.map((each) => `two ${each}`),
      ])
    }
  })

  test('what an onError throws is told to the other layers, and what they throw at that to nobody', async () => {
    const told: string[] = []
    const throwing = (name: string): Hooks => ({
      name,
      onError: async (error, source) => {
        told.push(`${name} ${source} ${(error as Error).message}`)
        throw new Error(`of ${name}`)
      },
    })
    const failing: Hooks = { afterRun: () => Promise.reject(new Error('run')) }
    await (await make([], ['Yes.'], [throwing('one'), failing, throwing('two')]).startSession()).run('Go.')
    await new Promise((resolve) => setImmediate(resolve))
    expect(told.toSorted()).toEqual([
      'one afterRun run',
      'one onError of two',
      'two afterRun run',
      'two onError of one',
    ])
  })

  test('afterRun changes nothing: its throw and that of onEvent go to onError', async () => {
    const errors: unknown[] = []
    const types: string[] = []
    const hooks: Hooks = {
      afterRun: () => {
        throw new Error('late')
      },
      onEvent: ({ event, sequence }) => {
        types.push(`${sequence} ${event.type}`)
        if (event.type === 'run.started') throw new Error('cannot see')
        return event.type === 'run.ended' ? Promise.reject(new Error('not async either')) : undefined
      },
      onError: (error, hook) => {
        errors.push(`${hook}: ${(error as Error).message}`)
        throw new Error('nobody hears this')
      },
    }
    const session = await make([], ['Hello.'], hooks).startSession()
    expect((await session.run('Hi')).status).toBe('completed')
    expect(types).toEqual((await session.events()).map(({ event, sequence }) => `${sequence} ${event.type}`))
    expect(types[0]).toBe('1 session.started')
    await new Promise((resolve) => setImmediate(resolve))
    expect(errors.toSorted()).toEqual(['afterRun: late', 'onEvent: cannot see', 'onEvent: not async either'])
  })
})

describe('around the model', () => {
  test('beforeModel may change messages and add instructions, which the log does not keep', async () => {
    const sent: unknown[] = []
    const model = scriptedModel(({ messages }) => {
      sent.push(messages)
      return 'Hello.'
    })
    const hooks: Hooks[] = [
      { beforeModel: () => ({ instructions: 'Be short.' }) },
      { beforeModel: ({ messages }) => ({ messages: messages.filter(({ role }) => role !== 'user') }) },
    ]
    const session = await make([], [], hooks, { model, instructions: 'Be fair.' }).startSession()
    await session.run('Secret')
    expect(sent).toEqual([
      [
        { role: 'system', text: 'Be fair.' },
        { role: 'system', text: 'Be short.' },
      ],
    ])
    expect(session.state.history[0]).toMatchObject({ role: 'user', text: 'Secret' })
  })

  test('beforeModel may show fewer tools, and the log says which were shown', async () => {
    const look = tool({ name: 'look', description: 'Look', execute: () => 'seen' })
    const hooks: Hooks = {
      beforeModel: ({ step, tools }) =>
        step === 1 ? { tools: tools.filter(({ name }) => name === 'look') } : undefined,
    }
    const script: ScriptStep[] = [{ calls: [{ name: 'look' }] }, 'Done.']
    const session = await make([doubling().made, look], script, hooks).startSession()
    await session.run('Go.')
    const offered = (await eventsOf(session, 'tools.offered')).map(({ tools }) =>
      tools.map(({ name }) => name),
    )
    expect(offered).toEqual([['look'], ['double', 'look']])
  })

  test('beforeModel cannot show a tool that the policy hides, nor one of its own', async () => {
    const hooks: Hooks = { name: 'mine', beforeModel: () => ({ tools: ['double'] }) }
    const session = await make([doubling().made], ['Hi.'], hooks).startSession('read_only')
    expect(await session.run('Go.')).toMatchObject({
      status: 'failed',
      text: 'The hook beforeModel of "mine" failed: it gave tools that the model may not see here: "double".',
    })
  })

  test('an answer of beforeModel stands in for the model, and the hooks outside of it see it', async () => {
    const asked: string[] = []
    const hooks: Hooks[] = [
      { afterModel: ({ text }) => `${text}!` },
      { beforeModel: () => ({ answer: 'From the cache' }), afterModel: () => void asked.push('own') },
      { beforeModel: () => void asked.push('inner'), afterModel: () => void asked.push('inner') },
    ]
    const session = await make([], [], hooks).startSession()
    expect(await session.run('Hi')).toMatchObject({ status: 'completed', text: 'From the cache!' })
    expect(asked).toEqual([])
  })

  test('what afterModel gives is what the model said, marked as the hook’s; its calls walk the one way', async () => {
    const { made, entered } = doubling()
    const hooks: Hooks = {
      afterModel: ({ step, parts }) =>
        step > 1
          ? undefined
          : {
              parts: parts.map((part) =>
                part.kind === 'call' ? { ...part, argumentsText: '{"value":"none"}' } : part,
              ),
            },
    }
    const session = await make([made], [call, 'Sorry.'], hooks).startSession()
    await session.run('Go.')
    expect(endOf(session)).toMatchObject({ status: 'refused', code: 'invalid_arguments' })
    expect(entered).toEqual([])
    const [, first, second] = await eventsOf(session, 'message.added')
    expect(first?.message).toMatchObject({ by: 'hook', finish: 'calls' })
    expect(second?.message).not.toHaveProperty('by')
  })

  test('what afterModel takes out is never shown: deltas wait for it', async () => {
    const hooks: Hooks = { afterModel: ({ text }) => text.replaceAll('4711', '****') }
    const session = await make([], ['The code is 4711.'], hooks).startSession()
    const shown: string[] = []
    for await (const event of session.stream('Which?')) shown.push(JSON.stringify(event))
    expect(shown.filter((text) => text.includes('text.delta'))).toHaveLength(1)
    expect(shown.join()).not.toContain('4711')
    expect(shown.join()).toContain('The code is ****.')
  })

  test('deltas that wait are shown as they were when the answer passes', async () => {
    const plain = await make([], ['One two three.'], {}).startSession()
    const hooked = await make([], ['One two three.'], { afterModel: () => undefined }).startSession()
    const deltas = async (session: Session) => {
      const found: unknown[] = []
      for await (const event of session.stream('Go')) if (event.type === 'text.delta') found.push(event.delta)
      return found
    }
    expect(await deltas(hooked)).toEqual(await deltas(plain))
  })

  test.each([
    ['beforeModel', { beforeModel: () => 'x' as never }],
    ['beforeModel', { beforeModel: () => ({}) }],
    ['beforeModel', { beforeModel: () => ({ messages: [{ role: 'robot' }] as never }) }],
    ['afterModel', { afterModel: () => 5 as never }],
    ['afterModel', { afterModel: () => ({ parts: [{ kind: 'call' }] as never }) }],
    ['beforeRun', { beforeRun: () => 5 as never }],
  ] as const)('nonsense of %s fails the run', async (hook, hooks) => {
    const session = await make([], ['Hi.'], hooks).startSession()
    const { status, text } = await session.run('Go.')
    expect(status).toBe('failed')
    expect(text).toContain(`The hook ${hook} of "hooks[0]" failed: `)
  })
})

describe('before a tool', () => {
  test('a hook may refuse with a reason, after the approval and before the claim', async () => {
    const { made, entered } = doubling({ toolClass: 'external' })
    const hooks: Hooks = {
      beforeTool: ({ tool: { name, toolClass } }) => ({ refuse: `${name} is ${toolClass}.` }),
    }
    const approvals = () => ({ approved: true })
    const session = await make([made], [call, 'Sorry.'], hooks, { approvals }).startSession()
    expect((await session.run('Go.')).status).toBe('completed')
    expect(entered).toEqual([])
    const types = (await session.events()).map(({ event }) => event.type)
    expect(types.slice(types.indexOf('approval.decided')).slice(0, 2)).toEqual([
      'approval.decided',
      'call.refused',
    ])
    expect(endOf(session)).toEqual({
      status: 'refused',
      code: 'denied',
      category: 'hook',
      message: 'The tool "double" was not entered: double is external.',
    })
  })

  test('a hook may stand in with a result: recorded as its own, and the tool is not entered [tools-in-an-agent/hook-before-tool]', async () => {
    const { made, entered } = doubling()
    const inner: string[] = []
    const hooks: Hooks[] = [
      { afterTool: (about) => ('value' in about ? { result: `outer ${String(about.value)}` } : undefined) },
      { beforeTool: () => ({ result: 88 }), afterTool: () => void inner.push('own') },
      { beforeTool: () => void inner.push('before'), afterTool: () => void inner.push('after') },
    ]
    const session = await make([made], [call, 'Done.'], hooks).startSession()
    await session.run('Go.')
    expect(entered).toEqual([])
    expect(inner).toEqual([])
    const [completed] = await eventsOf(session, 'call.completed')
    expect(completed).toMatchObject({ tries: 0, outcome: { by: 'hook', text: { inline: 'outer 88' } } })
  })

  test('a throw, nonsense and an endless hook refuse: nothing ran', async () => {
    const clock = manualClock(0)
    const failing: [Hooks['beforeTool'], string][] = [
      [() => Promise.reject(new Error('no list')), 'no list'],
      [() => 'yes' as never, 'it gave neither { refuse } nor { result }.'],
      [() => new Promise<undefined>(() => undefined), 'timed out after 10000 ms'],
    ]
    for (const [beforeTool, why] of failing) {
      const { made, entered } = doubling()
      const hooks = { name: 'mine', ...(beforeTool === undefined ? {} : { beforeTool }) }
      const session = await make([made], [call, 'Sorry.'], hooks, { parts: { clock } }).startSession()
      const running = session.run('Go.')
      await clock.advance(10_000)
      await running
      expect(entered).toEqual([])
      expect(endOf(session)).toMatchObject({ status: 'refused', category: 'hook' })
      expect(endOf(session)).toMatchObject({ message: expect.stringContaining(why) })
    }
  })

  test('no hook can change what the policy judged: the arguments are frozen, and what runs is a copy [tools-in-an-agent/hook-arguments]', async () => {
    const { made, entered } = doubling()
    const thrown: string[] = []
    const hooks: Hooks = {
      beforeTool: ({ args }) => {
        try {
          ;(args as { value: number }).value = 1_000
        } catch (error) {
          thrown.push((error as Error).name)
        }
      },
    }
    const session = await make([made], [call, 'Done.'], hooks).startSession()
    await session.run('Go.')
    expect(thrown).toEqual(['TypeError'])
    expect(entered).toEqual([4])
  })

  test('a call that nobody has approved yet comes before no hook', async () => {
    const { made } = doubling({ toolClass: 'external' })
    const asked: unknown[] = []
    const hooks: Hooks = { beforeTool: ({ args }) => void asked.push(args) }
    const approvals = () => ({ approved: false, reason: 'no' })
    const session = await make([made], [call, 'Sorry.'], hooks, { approvals }).startSession()
    await session.run('Go.')
    expect(asked).toEqual([])
  })

  test('a run that is stopped while a hook runs cancels the call', async () => {
    const { made, entered } = doubling()
    const stop = new AbortController()
    const hooks: Hooks = {
      beforeTool: ({ signal }) => {
        stop.abort(new Error('enough'))
        expect(signal.aborted).toBe(true)
        return new Promise<undefined>(() => undefined)
      },
    }
    const session = await make([made], [call], hooks).startSession()
    expect((await session.run('Go.', { signal: stop.signal })).status).toBe('cancelled')
    expect(endOf(session)).toMatchObject({ status: 'cancelled' })
    expect(entered).toEqual([])
  })
})

describe('after a tool', () => {
  test('it runs once on what finalize made, whatever retry the tool has', async () => {
    let entered = 0
    const values: unknown[] = []
    const { made } = doubling({
      execute: () => {
        entered += 1
        return 1
      },
      finalize: () => 'shaped',
      retry: { maxAttempts: 5, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 },
    })
    const hooks: Hooks = {
      afterTool: (about) => {
        values.push('value' in about ? about.value : about.message)
        throw new Error('no disk')
      },
    }
    const session = await make([made], [call, 'Sorry.'], hooks).startSession()
    await session.run('Go.')
    expect(entered).toBe(1)
    expect(values[0]).toBe('shaped')
    expect(endOf(session)).toMatchObject({
      status: 'failed',
      code: 'after_tool_failed',
      effect: 'uncertain',
      message:
        'The tool ran, but its result was not let through: The hook afterTool of "hooks[0]" failed: no disk',
    })
  })

  test('it may fail a call with a reason', async () => {
    const { made } = doubling({ toolClass: 'read' })
    const hooks: Hooks = { afterTool: () => ({ fail: 'It holds a secret.' }) }
    const session = await make([made], [call, 'Sorry.'], hooks).startSession()
    await session.run('Go.')
    expect(endOf(session)).toMatchObject({
      code: 'after_tool_failed',
      effect: 'none',
      message: 'The tool ran, but its result was not let through: It holds a secret.',
    })
  })

  test('it is told of failures and cannot change them', async () => {
    const { made } = doubling({
      execute: () => {
        throw new Error('broken')
      },
    })
    const told: unknown[] = []
    const errors: unknown[] = []
    const hooks: Hooks = {
      afterTool: (about) => {
        if (about.outcome === 'failed') told.push([about.code, about.message])
        if (told.length === 2) throw new Error('not now')
        return { result: 'all is well' }
      },
      onError: (error, hook) => void errors.push(`${hook}: ${(error as Error).message}`),
    }
    const session = await make([made], [call, call, 'Sorry.'], hooks).startSession()
    await session.run('Go.')
    expect(told).toEqual([
      ['tool_error', 'broken'],
      ['tool_error', 'broken'],
    ])
    expect(errors).toEqual(['afterTool: not now'])
    expect(endOf(session)).toMatchObject({ status: 'failed', code: 'tool_error', message: 'broken' })
  })

  test('it sees the output that a tool ends the run with, and what it makes of it is the output', async () => {
    const { made } = doubling({
      execute: (_args: unknown, context: { output(value: unknown): unknown }) =>
        context.output({ secret: 1 }),
    })
    const hooks: Hooks = {
      afterTool: (about) =>
        about.outcome === 'completed' && about.control === 'output' ? { result: { open: 2 } } : undefined,
    }
    const session = await make([made], [call], hooks).startSession()
    expect(await session.run('Go.')).toMatchObject({ status: 'completed', output: { open: 2 } })
  })
})

describe('a call that waited', () => {
  test('walks the same hooks after an approval and after an answer [tools-in-an-agent/ask-full-pipeline]', async () => {
    const store = memoryStore()
    const seen: string[] = []
    const hooks: Hooks = {
      beforeTool: ({ tool: { name }, input }) =>
        void seen.push(`before ${name} ${JSON.stringify(input ?? null)}`),
      afterTool: (about) => {
        seen.push(`after ${about.tool.name}`)
        return 'value' in about ? { result: `${String(about.value)}, seen` } : undefined
      },
    }
    let tries = 0
    const external = doubling({
      toolClass: 'external',
      retry: { maxAttempts: 2, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 },
      timeout: 60_000,
      execute: () => {
        tries += 1
        if (tries === 1) throw new Error('not yet')
        return 'done'
      },
    }).made
    const asking = tool({
      name: 'ask',
      description: 'Ask a person',
      toolClass: 'read',
      yieldSchema: z.object({ ok: z.boolean() }),
      execute: (_args, context) => context.output({ said: context.input }),
    })
    const script: ScriptStep[] = [call, { calls: [{ name: 'ask' }] }, 'Done.']
    const open = () => make([external, asking], script, hooks, { store, approvals: () => suspend() })
    const session = await open().startSession()
    const { tickets } = await session.run('Go.')
    expect(seen).toEqual([])
    await session.decide(tickets[0] as string, { approved: true })
    const second = await finish((await open().openSession(session.id)).resume())
    expect(seen).toEqual(['before double null', 'after double'])
    const later = await open().openSession(session.id)
    await later.answer(second.tickets[0] as string, { ok: true })
    const result = await finish(later.resume())
    expect(seen.slice(2)).toEqual(['before ask {"ok":true}', 'after ask'])
    expect([...later.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'done, seen' } })
    expect(result).toMatchObject({ status: 'completed', output: '[object Object], seen' })
    expect(tries).toBe(2)
  })
})

describe('a step that another loop handed in', () => {
  test('has hooks for its tools, and none for a run or a model', async () => {
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(name)
    const hooks: Hooks = {
      beforeRun: note('beforeRun'),
      afterRun: note('afterRun'),
      beforeModel: note('beforeModel'),
      afterModel: note('afterModel'),
      beforeTool: note('beforeTool'),
      afterTool: note('afterTool'),
    }
    const session = await make([doubling().made], [], hooks).startSession()
    const { results } = await session.step({ calls: [{ name: 'double', arguments: { value: 4 } }] })
    expect(results).toMatchObject([{ status: 'completed', text: '8' }])
    expect(seen).toEqual(['beforeTool', 'afterTool'])
  })
})

describe('the option', () => {
  test.each([
    [{ hooks: { beforeTol: () => undefined } }, 'has no hook "beforeTol"'],
    [{ hooks: [{ beforeTool: 5 }] }, '"hooks[0].beforeTool" must be a function.'],
    [{ hooks: [null] }, '"hooks[0]" must be an object of hooks.'],
    [{ onChange: 'ignore' }, '"onChange" must be "refuse", "ask again", or a function.'],
    [{ onToolFailure: 'ask' }, '"onToolFailure" must be "tell", "fail", "strict", or a function.'],
    [{ onModelError: 'fail' }, '"onModelError" must be a function.'],
  ])('%j is refused', (over, sentence) => {
    expect(() => make([], [], [], over as never)).toThrow(sentence)
  })
})

describe('null, as in `isFine ? null : { ... }`, is nothing', () => {
  test.each(['beforeRun', 'beforeModel', 'afterModel', 'beforeTool', 'afterTool'] as const)(
    'from %s',
    async (hook) => {
      const { made: double, entered } = doubling()
      const made = make([double], [{ calls: [{ name: 'double', args: { value: 2 } }] }, 'Four.'], {
        [hook]: () => null,
      })
      expect(await (await made.startSession()).run('go')).toMatchObject({
        status: 'completed',
        text: 'Four.',
      })
      expect(entered).toEqual([2])
    },
  )
})
