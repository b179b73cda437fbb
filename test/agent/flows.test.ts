import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Agent,
  type AgentConfig,
  agent,
  agentTool,
  type FlowPart,
  loop,
  memoryStore,
  parallel,
  type Store,
  scriptedModel,
  sequence,
  suspend,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'anna', method: 'test' }
const approve = { approved: true } as const

function make(name: string, script: readonly ScriptStep[], over: Partial<AgentConfig> = {}): Agent {
  return agent({ name, model: scriptedModel(script, { fromHistory: true }), ...over })
}

/** An agent that says what it was told, with its name before it; how often it was asked is noted. */
function echo(name: string, asked: string[] = []): Agent {
  const model = scriptedModel(({ messages }) => {
    asked.push(name)
    const last = messages.findLast(({ role }) => role === 'user')
    return `${name}(${last?.role === 'user' ? last.text : ''})`
  })
  return agent({ name, model })
}

/** A failing agent. */
function broken(name: string): Agent {
  return make(name, [{ error: 'out of order' }], { modelAttempts: 1 })
}

async function run(flow: Agent, input = 'x') {
  return await (await flow.startSession()).run(input)
}

describe('a sequence', () => {
  test('tells each part what the one before it came to, and ends with the last one', async () => {
    const flow = sequence({
      name: 'three',
      steps: [echo('a'), (input) => input.toUpperCase(), { name: 'shout', execute: (input) => `${input}!` }],
    })
    expect(await run(flow)).toMatchObject({ status: 'completed', text: 'A(X)!' })
  })

  test('ends with a value where its last part gives one', async () => {
    const flow = sequence({ name: 'one', steps: [(input) => ({ length: input.length })] })
    expect(await run(flow, 'four')).toMatchObject({
      status: 'completed',
      output: { length: 4 },
      text: '{"length":4}',
    })
  })

  test('is a log like any other: its parts are calls, and its agents are child runs', async () => {
    const flow = sequence({ name: 'two', steps: [echo('a'), echo('b')] })
    const session = await flow.startSession()
    await session.run('x')
    expect([...session.state.calls.values()].map(({ name, children }) => [name, children?.length])).toEqual([
      ['1_a', 1],
      ['2_b', 1],
    ])
    expect(await session.run('again')).toMatchObject({ text: 'b(a(again))' })
  })

  test('fails by the name of the part that gave too much for the next one', async () => {
    const large = 'x'.repeat(2 ** 20)
    const steps = [echo('a'), { name: 'grow', execute: () => large }, echo('b')]
    expect(await run(sequence({ name: 'three', steps }))).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(
        /^What step 2, "grow", of "three" gave has \d+ bytes as JSON, and at most 1048576/,
      ),
    })
    expect(await run(loop({ name: 'again', body: () => large, timesMax: 2 }))).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/^What time 1 of the loop "again" gave has/),
    })
    for (const flow of [sequence({ name: 'told', steps }), parallel({ name: 'told', branches: [echo('a')] })])
      expect(await run(flow, large)).toMatchObject({
        status: 'failed',
        text: expect.stringMatching(/^What the flow "told" was told has/),
      })
  })

  test('fails with a part that fails, and says which', async () => {
    const asked: string[] = []
    const flow = sequence({ name: 'two', steps: [broken('bad'), echo('never', asked)] })
    const result = await run(flow)
    expect(result.status).toBe('failed')
    expect(result.text).toContain('Step 1, "bad", of "two" failed: The agent "bad" ended as failed')
    expect(asked).toEqual([])
  })

  test('passes on what no model would be given whole', async () => {
    const flow = sequence({ name: 'long', steps: [() => 'y'.repeat(300_000), (input) => input.length] })
    expect(await run(flow)).toMatchObject({ status: 'completed', output: 300_000 })
  })

  test('is ended early by a part that gives the output, or another agent', async () => {
    const ending = sequence({
      name: 's',
      steps: [(_input, context) => context.output('early'), echo('never')],
    })
    expect(await run(ending)).toMatchObject({ status: 'completed', output: 'early' })
    const handing = sequence({ name: 's', steps: [() => echo('other'), echo('never')] })
    expect(await run(handing)).toMatchObject({ status: 'completed', output: 'other(x)' })
  })

  test('refuses parts that are none, and options that it does not have', () => {
    expect(() => sequence({ name: 's', steps: [] })).toThrow('at least one part')
    expect(() => sequence({ name: 's', steps: [{} as never] })).toThrow('Part 1 of the flow is no agent')
    for (const option of ['colour', 'instructions', 'tools', 'model'])
      expect(() => sequence({ name: 's', steps: [echo('a')], [option]: 'red' } as never)).toThrow(
        `no option "${option}"`,
      )
  })
})

describe('a parallel flow', () => {
  test('gives the values of its branches by their names, or what merge makes of them', async () => {
    const branches = { left: echo('a'), right: (input: string) => input.length }
    expect(await run(parallel({ name: 'p', branches }), 'xyz')).toMatchObject({
      output: { left: 'a(xyz)', right: 3 },
    })
    const merged = parallel({ name: 'p', branches, merge: ({ left, right }) => `${left}${right}` })
    expect(await run(merged, 'xyz')).toMatchObject({ status: 'completed', output: 'a(xyz)3' })
  })

  test('runs its branches beside each other', async () => {
    const both = Promise.withResolvers<void>()
    let here = 0
    const meet = async () => {
      here += 1
      if (here === 2) both.resolve()
      await both.promise
      return 'met'
    }
    expect(await run(parallel({ name: 'p', branches: { a: meet, b: meet } }))).toMatchObject({
      output: { a: 'met', b: 'met' },
    })
  })

  test('fails when a branch fails, unless enough of the others succeed [tools-in-an-agent/flows]', async () => {
    const branches = { good: echo('good'), bad: broken('bad') }
    const result = await run(parallel({ name: 'p', branches }))
    expect(result).toMatchObject({ status: 'failed' })
    expect(result.text).toContain('1 of 2 branches of "p" failed: "bad": ')
    expect(await run(parallel({ name: 'p', branches, minSuccessful: 1 }))).toMatchObject({
      status: 'completed',
      output: { good: 'good(x)' },
    })
  })

  test('stops the other branches at the first failure where it is told so: those that run, and those that wait', async () => {
    const store = memoryStore()
    const stopped: unknown[] = []
    const save = tool({ name: 'save', description: 'Saves', toolClass: 'write', execute: () => 'saved' })
    const asked = Promise.withResolvers<void>()
    const flow = parallel({
      name: 'p',
      store,
      failFast: true,
      approvals: () => {
        asked.resolve()
        return suspend()
      },
      branches: {
        waits: make('waits', [calling('save'), 'never'], { tools: [save] }),
        runs: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stopped.push(signal.reason)
              reject(signal.reason)
            })
          }),
        fails: async () => {
          await asked.promise
          throw new Error('no good')
        },
      },
    })
    const result = await run(flow)
    expect(result).toMatchObject({ status: 'failed', tickets: [] })
    expect(result.text).toContain('"fails": no good')
    expect(stopped).toMatchObject([{ message: 'Another call of the same step failed.' }])
    expect(await store.list({ kind: 'ticket', status: 'open' })).toEqual([])
    expect(await store.list({ kind: 'run', status: ['open', 'waiting'] })).toEqual([])
  })

  test('ends a branch that works for too long', async () => {
    const clock = manualClock()
    const began = Promise.withResolvers<void>()
    const flow = parallel({
      name: 'p',
      branchTimeoutMs: 1_000,
      minSuccessful: 1,
      parts: { clock },
      branches: {
        slow: (_input, { signal }) => {
          began.resolve()
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          })
        },
        quick: () => 'here',
      },
    })
    const running = run(flow)
    await began.promise
    await clock.advance(1_000)
    expect(await running).toMatchObject({ status: 'completed', output: { quick: 'here' } })
  })

  test('refuses what cannot be', () => {
    const one = { a: echo('a') }
    expect(() => parallel({ name: 'p', branches: {} })).toThrow('from 1 to 32')
    expect(() => parallel({ name: 'p', branches: one, minSuccessful: 2 })).toThrow('from 0 to 1')
    expect(() => parallel({ name: 'p', branches: one, failFast: true, minSuccessful: 1 })).toThrow(
      'no "minSuccessful"',
    )
    expect(() => parallel({ name: 'p', branches: [echo('a'), echo('a')] })).toThrow('called "a"')
  })
})

describe('a loop', () => {
  const grow = (input: string) => `${input}+`

  test('repeats its body until its condition holds, and at most so and so often', async () => {
    const until = loop({ name: 'l', body: grow, until: (last) => last === 'x++', timesMax: 5 })
    expect(await run(until)).toMatchObject({ status: 'completed', text: 'x++' })
    const limited = loop({ name: 'l', body: grow, until: () => false, timesMax: 3 })
    expect(await run(limited)).toMatchObject({ status: 'completed', text: 'x+++' })
    const counted = loop({ name: 'l', body: grow, timesMax: 4 })
    expect(await run(counted)).toMatchObject({ status: 'completed', text: 'x++++' })
    const strict = loop({ name: 'l', body: grow, until: () => false, timesMax: 2, atLimit: 'fail' })
    expect(await run(strict)).toMatchObject({
      status: 'failed',
      text: 'The loop "l" ran 2 times and its condition was not met.',
    })
  })

  test('goes on while its condition holds, which is asked before the first time too', async () => {
    const shorter = loop({ name: 'l', body: grow, while: (last) => String(last).length < 3, timesMax: 9 })
    expect(await run(shorter)).toMatchObject({ text: 'x++' })
    expect(await run(shorter, 'long enough')).toMatchObject({ status: 'completed', text: 'long enough' })
  })

  test('fails with its body, and with a condition that throws', async () => {
    const bad = loop({ name: 'l', body: broken('bad'), timesMax: 3 })
    expect((await run(bad)).text).toContain('Time 1 of the loop "l" failed')
    const throwing = () => {
      throw new Error('cannot look')
    }
    expect(await run(loop({ name: 'l', body: grow, until: throwing, timesMax: 3 }))).toMatchObject({
      status: 'failed',
    })
  })

  test('needs a limit', () => {
    for (const timesMax of [0, 1.5, 1_001, Number.NaN])
      expect(() => loop({ name: 'l', body: grow, timesMax })).toThrow('whole number from 1 to 1000')
    expect(() => loop({ name: 'l', body: grow, until: () => true, while: () => true, timesMax: 1 })).toThrow(
      'not both',
    )
  })
})

describe.each(places)('a flow that waits, over %s', (_kind, place) => {
  /** A question inside a loop inside a parallel flow inside a sequence, as one process has it. */
  function desk(store: Store, asked: string[], effects: string[]) {
    const save = tool({
      name: 'save',
      description: 'Saves',
      toolClass: 'write',
      execute: (_args, { callId }) => {
        effects.push(callId)
        return 'saved'
      },
    })
    const clerk = make('clerk', [calling('save'), 'saved it'], { tools: [save] })
    const paths: string[][] = []
    const flow = sequence({
      name: 'report',
      store,
      parts: mortal(),
      approvals: ({ path }) => {
        paths.push([...path])
        return suspend()
      },
      steps: [
        echo('draft', asked),
        parallel({
          name: 'check',
          branches: {
            facts: echo('facts', asked),
            save: loop({ name: 'again', body: clerk, timesMax: 2 }),
          },
        }),
        echo('close', asked),
      ],
    })
    return { flow, paths }
  }

  test('waits with the one branch that asks, and runs no finished part again [approvals/J9]', async () => {
    await using where = place()
    const asked: string[] = []
    const effects: string[] = []
    const first = desk(where.open(), asked, effects)
    const session = await first.flow.startSession()
    let result = await session.run('x')
    expect(result).toMatchObject({ status: 'waiting' })
    expect(first.paths).toEqual([['report', 'check', 'again', 'clerk']])
    expect(asked).toEqual(['draft', 'facts'])
    // The loop asks once each time; every answer and every resumption is another process's.
    for (const time of [1, 2]) {
      expect(result.tickets).toHaveLength(1)
      expect(effects).toHaveLength(time - 1)
      await desk(where.open(), asked, effects).flow.decide(result.tickets[0] as string, approve, by)
      const next = desk(where.open(), asked, effects)
      result = await finish((await next.flow.openSession(session.id)).resume())
    }
    expect(result).toMatchObject({ status: 'completed', tickets: [] })
    expect(result.text).toBe('close({"facts":"facts(draft(x))","save":"saved it"})')
    expect(asked).toEqual(['draft', 'facts', 'close'])
    expect(effects).toHaveLength(2)
  })

  test('waits with several branches at once, and goes on with the one that was answered', async () => {
    await using where = place()
    const effects: string[] = []
    const office = () => {
      const save = (name: string) =>
        tool({
          name,
          description: 'Saves',
          toolClass: 'write',
          execute: () => {
            effects.push(name)
            return name
          },
        })
      const clerk = (name: string) =>
        make(name, [calling(`save_${name}`), name], { tools: [save(`save_${name}`)] })
      const branches = { a: clerk('a'), b: clerk('b') }
      return parallel({
        name: 'p',
        branches,
        store: where.open(),
        parts: mortal(),
        approvals: () => suspend(),
      })
    }
    const session = await office().startSession()
    const { tickets } = await session.run('x')
    expect(tickets).toHaveLength(2)
    await office().decide(tickets[1] as string, approve, by)
    const half = await finish((await office().openSession(session.id)).resume())
    expect(half).toMatchObject({ status: 'waiting', tickets: [tickets[0]] })
    expect(effects).toHaveLength(1)
    await office().decide(tickets[0] as string, approve, by)
    const whole = await finish((await office().openSession(session.id)).resume())
    expect(whole).toMatchObject({ status: 'completed', output: { a: 'a', b: 'b' } })
    expect(effects.toSorted()).toEqual(['save_a', 'save_b'])
  })

  test('does not go on as another flow, and says what changed', async () => {
    await using where = place()
    const effects: string[] = []
    const session = await desk(where.open(), [], effects).flow.startSession()
    const { tickets } = await session.run('x')
    const other = sequence({
      name: 'report',
      store: where.open(),
      parts: mortal(),
      steps: [echo('draft'), echo('check'), echo('close')],
    })
    await other.decide(tickets[0] as string, approve, by)
    const taken = await other.openSession(session.id)
    await expect(finish(taken.resume())).rejects.toMatchObject({
      code: 'DEFINITION_CHANGED',
      message: expect.stringMatching(/gone: 2 parallel check; .*new: 2 agent check/),
    })
    const before = await taken.events()
    await expect(finish(taken.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
    expect(await taken.events()).toEqual(before)
    expect(effects).toEqual([])
  })

  test.each(['child.started', 'run.started', 'call.completed', 'run.ended'] as const)(
    'that was cut off at %s goes on where it was',
    async (type) => {
      await using where = place()
      const asked: string[] = []
      const office = (store: Store) => {
        const inner = loop({ name: 'l', body: echo('body', asked), timesMax: 2 })
        return sequence({ name: 's', store, parts: mortal(), steps: [echo('first', asked), inner] })
      }
      const session = await office(where.open()).startSession()
      for (const when of ['before', 'after'] as const) {
        const { store, crashed } = crashingStore(where.open(), type, when)
        const cut = await office(store).openSession(session.id)
        const running = cut.state.openRun === undefined ? cut.run('x') : finish(cut.resume())
        running.catch(() => undefined)
        await crashed
      }
      const taken = await office(where.open()).openSession(session.id)
      const result = taken.state.openRun === undefined ? await taken.run('x') : await finish(taken.resume())
      expect(result).toMatchObject({ status: 'completed', text: 'body(body(first(x)))' })
      expect(new Set(asked)).toEqual(new Set(['first', 'body']))
      expect(asked.filter((name) => name === 'body').length).toBeGreaterThanOrEqual(2)
    },
  )
})

/** A flow as data, and what it must give. */
type Shape =
  | { readonly say: string }
  | { readonly sequence: readonly Shape[] }
  | { readonly parallel: readonly Shape[] }
  | { readonly repeat: Shape; readonly times: number }

const shapes = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ say: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ sequence: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ parallel: fc.array(tie('shape'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ repeat: tie('shape'), times: fc.integer({ min: 1, max: 2 }) }),
  ),
})).shape

function flowOf(shape: Shape): FlowPart {
  if ('say' in shape) return (input: string) => input + shape.say
  if ('sequence' in shape) return sequence({ name: 's', steps: shape.sequence.map(flowOf) })
  if ('repeat' in shape) return loop({ name: 'l', body: flowOf(shape.repeat), timesMax: shape.times })
  const branches = Object.fromEntries(shape.parallel.map((each, index) => [`b${index}`, flowOf(each)]))
  return parallel({ name: 'p', branches, merge: (values) => Object.values(values).join('|') })
}

function expected(shape: Shape, input: string): string {
  if ('say' in shape) return input + shape.say
  if ('sequence' in shape) return shape.sequence.reduce((text, each) => expected(each, text), input)
  if ('parallel' in shape) return shape.parallel.map((each) => expected(each, input)).join('|')
  let text = input
  for (let time = 0; time < shape.times; time += 1) text = expected(shape.repeat, text)
  return text
}

test('any nest of flows gives what its functions give, applied one by one', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const { status, text, output } = await run(sequence({ name: 'top', steps: [flowOf(shape)] }))
      expect([status, output ?? text]).toEqual(['completed', expected(shape, 'x')])
    }),
    { numRuns: 60 },
  )
})

test('a flow is a tool of an agent, and its asks show the whole path', async () => {
  const paths: (readonly string[])[] = []
  const save = tool({ name: 'save', description: 'Saves', toolClass: 'write', execute: () => 'saved' })
  const flow = sequence({
    name: 'flow',
    steps: [make('clerk', [calling('save'), 'done'], { tools: [save] })],
  })
  const boss = make('boss', [calling('flow', { input: 'go' }), 'all done'], {
    tools: [agentTool(flow, { name: 'flow', description: 'Does it' })],
    approvals: ({ path }) => {
      paths.push(path)
      return approve
    },
  })
  expect(await run(boss)).toMatchObject({ status: 'completed', text: 'all done' })
  expect(paths).toEqual([['boss', 'flow', 'clerk']])
})

test('a flow under a mode that allows no tool runs nothing', async () => {
  const asked: string[] = []
  const session = await sequence({ name: 's', steps: [echo('a', asked)] }).startSession('off')
  expect(await session.run('x')).toMatchObject({ status: 'failed' })
  expect(asked).toEqual([])
})

describe("a flow's own functions", () => {
  const same = (input: string) => input
  const boo = () => {
    throw new Error('boo')
  }
  const later = (async () => true) as never

  test.each([
    ['"until" of the loop "l"', (given: never) => loop({ name: 'l', body: same, timesMax: 3, until: given })],
    ['"while" of the loop "l"', (given: never) => loop({ name: 'l', body: same, timesMax: 3, while: given })],
    ['"merge" of the flow "p"', (given: never) => parallel({ name: 'p', branches: [same], merge: given })],
  ])('fail it by name when they throw or give a promise: %s', async (what, flow) => {
    expect(await run(flow(boo as never))).toMatchObject({ status: 'failed', text: `${what} threw: boo` })
    const promised = await run(flow(later))
    expect(promised.status).toBe('failed')
    expect(promised.text).toContain(`${what} gave a promise; it has to be pure and to answer at once`)
  })

  test('a promise that is refused and fails later ends nothing else', async () => {
    const failing = (async () => boo()) as never
    expect((await run(loop({ name: 'l', body: same, timesMax: 3, until: failing }))).status).toBe('failed')
    await new Promise(setImmediate)
  })

  test('a loop without a condition runs as often as it may', async () => {
    const flow = loop({ name: 'l', body: (input) => `${input}!`, timesMax: 3 })
    expect(await run(flow)).toMatchObject({ status: 'completed', text: 'x!!!' })
  })

  test.each([
    ['a sequence', (given: unknown) => sequence({ name: 's', steps: [() => given] })],
    ['a parallel flow', (given: unknown) => parallel({ name: 'p', branches: [same], merge: () => given })],
  ])('%s whose value has no JSON, or is none, ends all the same', async (_what, flow) => {
    for (const given of [Number.NaN, null, undefined, () => 1, Symbol('x')]) {
      const result = await run(flow(given))
      expect(result).toMatchObject({ status: 'completed' })
      expect(result.output).toBeUndefined()
    }
    expect((await run(flow(2n ** 70n))).output).toBe(2n ** 70n)
  })
})
