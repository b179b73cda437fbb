import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agent, type Driver, memoryStore, type RunResult, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { expectEndedWhole } from './ended-whole.ts'
import { hostileValues } from './hostile-values.ts'
import { untilOver } from './until-over.ts'

const look = tool({
  name: 'look',
  description: 'Looks',
  toolClass: 'read',
  schema: { type: 'object' },
  execute: () => 'seen',
})

/** A driver that reports exactly these parts first, whatever they are, and then says that it is done. */
function driverOf(first: () => Iterable<unknown>): Driver {
  let asked = 0
  async function* propose() {
    asked += 1
    if (asked === 1) yield* first()
    else yield { type: 'finish', reason: 'stop', parts: [{ kind: 'text', text: 'done' }], usage: {} }
  }
  return { name: 'test/driver', propose: propose as unknown as Driver['propose'] }
}

async function answering(
  what: string,
  first: () => Iterable<unknown>,
  waitsForEver = false,
): Promise<RunResult> {
  const clock = manualClock()
  const made = agent({ name: 'host', model: driverOf(first), tools: [look], parts: { clock } })
  const { session, result, wasStopped } = await untilOver(made, clock)
  expect(wasStopped, what).toBe(waitsForEver)
  await expectEndedWhole(session, what)
  return result
}

const finish = (parts: unknown, rest: object = {}) => ({
  type: 'finish',
  reason: 'calls',
  parts,
  usage: {},
  ...rest,
})
const call = (change: object = {}) => ({
  kind: 'call',
  modelCallId: 'c',
  name: 'look',
  argumentsText: '{}',
  ...change,
})

const places: Readonly<Record<string, (value: unknown) => unknown>> = {
  'a part': (value) => value,
  'the type of a part': (value) => ({ type: value }),
  'a delta': (value) => ({ type: 'text', delta: value }),
  'a warning': (value) => ({ type: 'warning', message: value }),
  'the parts': (value) => finish(value),
  'a part of the answer': (value) => finish([value]),
  'the reason': (value) => finish([call()], { reason: value }),
  'the usage': (value) => finish([call()], { usage: value }),
  'a count of tokens': (value) => finish([call()], { usage: { inputTokens: value, other: value } }),
  'a text': (value) => finish([{ kind: 'text', text: value }, call()]),
  'a name': (value) => finish([call({ name: value })]),
  'an id': (value) => finish([call({ modelCallId: value })]),
  'the arguments': (value) => finish([call({ argumentsText: value })]),
  'the data of the provider': (value) => finish([call({ provider: value })]),
  'a member of the data of the provider': (value) => finish([call({ provider: { own: { value } } })]),
}

describe('what a driver reports', () => {
  test.each(Object.keys(places))('a hostile value as %s ends the run in a defined way', async (place) => {
    for (const [name, make] of Object.entries(hostileValues)) {
      const what = `${name} as ${place}`
      // A generator waits for what it yields, and a model may take its time: stopping the run ends the waiting.
      const waitsForEver = place === 'a part' && name.includes('never calls back')
      const { status } = await answering(what, () => [places[place]!(make())], waitsForEver)
      const endings = waitsForEver ? ['cancelled'] : ['completed', 'failed', 'cut_short']
      expect(endings, what).toContain(status)
    }
  })

  test.each(Object.keys(hostileValues))('%s, thrown by a driver, fails the run', async (name) => {
    const thrower = () => {
      throw hostileValues[name]!()
    }
    expect(await answering(name, thrower)).toMatchObject({ status: 'failed' })
  })

  test('an answer that cannot be read says where and why, and nothing of it runs', async () => {
    const result = await answering('a call without a name', () => [
      finish([call(), call({ name: undefined })]),
    ])
    expect(result).toMatchObject({
      status: 'failed',
      text: 'The answer of the model test/driver cannot be read: part 2 has no text as its "name".',
    })
  })

  test('a reason that does not exist runs nothing', async () => {
    const result = await answering('reason', () => [finish([call()], { reason: 'finished' })])
    expect(result.status).toBe('cut_short')
  })

  test('a driver that never ends its answer can be stopped', async () => {
    const clock = manualClock()
    const never = {
      name: 'test/never',
      propose: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
    }
    const made = agent({ name: 'host', model: never as unknown as Driver, parts: { clock } })
    const { session, result, wasStopped } = await untilOver(made, clock)
    expect([wasStopped, result.status, clock.sleeping]).toEqual([true, 'cancelled', 0])
    await expectEndedWhole(session, 'never')
  })
})

describe('calls of a driver', () => {
  test('with names of control characters are unknown tools, shown as escapes', async () => {
    const clock = manualClock()
    const name = '\u001b[2J\u0000\u202e'
    const made = agent({ name: 'host', model: driverOf(() => [finish([call({ name })])]), parts: { clock } })
    const { session } = await untilOver(made, clock)
    const [state] = session.state.calls.values()
    expect(state?.end).toMatchObject({ status: 'refused', code: 'unknown_tool' })
    expect(JSON.stringify(state?.end)).not.toContain('\u001b')
    await expectEndedWhole(session, 'control characters')
  })

  test('with ten megabytes of arguments are refused, the others run', async () => {
    const clock = manualClock()
    const large = call({ argumentsText: `{"text":"${'x'.repeat(10_000_000)}"}`, modelCallId: 'large' })
    const made = agent({
      name: 'host',
      model: driverOf(() => [finish([large, call()])]),
      tools: [look],
      parts: { clock },
    })
    const { session, result } = await untilOver(made, clock)
    const ends = [...session.state.calls.values()].map(({ end }) => end)
    expect(ends).toMatchObject([{ status: 'refused', code: 'invalid_arguments' }, { status: 'completed' }])
    expect(result.status).toBe('completed')
  })

  test('a thousand in one answer each have an end, thirty-two of them run, all ids differ', async () => {
    const clock = manualClock()
    const calls = Array.from({ length: 1_000 }, (_, n) => call({ argumentsText: JSON.stringify({ n }) }))
    const made = agent({
      name: 'host',
      model: driverOf(() => [finish(calls)]),
      tools: [look],
      parts: { clock },
    })
    const { session } = await untilOver(made, clock)
    const states = [...session.state.calls.values()]
    expect(states.filter(({ end }) => end?.status === 'completed')).toHaveLength(32)
    expect(states.filter(({ end }) => end?.status === 'refused')).toHaveLength(968)
    expect(new Set(states.map(({ modelCallId }) => modelCallId)).size).toBe(1_000)
    await expectEndedWhole(session, 'a thousand calls')
  })

  test('whose ids differ only in half a character stay apart after the log was written and read', async () => {
    const store = memoryStore()
    const calls = [
      call({ modelCallId: 'a\ud800' }),
      call({ modelCallId: 'a\ud801', argumentsText: '{"n":1}' }),
    ]
    const made = agent({ name: 'host', model: driverOf(() => [finish(calls)]), tools: [look], store })
    const session = await made.startSession()
    await session.run('go')
    const ids = [...session.state.calls.values()].map(({ modelCallId }) => modelCallId)
    expect(ids).toEqual(['a\ufffd', 'a\ufffd_2'])
  })
})

test('no list of parts makes a run throw, hang or leave a call open', async () => {
  const text = fc.oneof(fc.constantFrom('look', 'calls', 'stop', 'call', 'text', '{}', ''), fc.string())
  const junk = fc.oneof(text, fc.anything({ maxDepth: 2 }))
  const part = fc.record(
    {
      kind: fc.oneof(fc.constantFrom('call', 'text', 'reasoning'), junk),
      text: junk,
      name: junk,
      modelCallId: junk,
      argumentsText: junk,
      provider: junk,
    },
    { requiredKeys: ['kind'] },
  )
  const last = fc.record({
    type: fc.constant('finish'),
    reason: fc.oneof(fc.constantFrom('calls', 'stop', 'length', 'error'), junk),
    parts: fc.oneof(
      { weight: 9, arbitrary: fc.array(part, { maxLength: 6 }) },
      { weight: 1, arbitrary: junk },
    ),
    usage: junk,
  })
  const parts = fc.tuple(
    fc.array(fc.record({ type: junk, delta: junk, message: junk }, { requiredKeys: [] }), { maxLength: 3 }),
    last,
  )
  await fc.assert(
    fc.asyncProperty(parts, async ([before, end]) => {
      const { status } = await answering('arbitrary parts', () => [...before, end])
      expect(['completed', 'failed', 'cut_short']).toContain(status)
    }),
    { numRuns: 300 },
  )
})
