import { describe, expect, test } from 'vitest'
import { agent, memoryStore, scriptedModel, tool } from '../../../src/index.ts'
import type { ScriptStep } from '../../../src/models/script-step.ts'
import {
  exportCassette,
  findEventsByType,
  formatReplay,
  formatReport,
  model,
  parseCassette,
  replay,
  runTest,
  user,
} from '../../../src/testing.ts'

const find = tool({
  name: 'find',
  description: 'Find a person',
  toolClass: 'read',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  execute: ({ name }) => ({ name, phone: '555-0100' }),
})
const large = tool({
  name: 'large',
  description: 'Much',
  toolClass: 'read',
  execute: () => `begin${'x'.repeat(50_000)}end`,
})
const store = memoryStore()

function finder(script: readonly ScriptStep[]) {
  return agent({ name: 'finder', model: scriptedModel(script), tools: [find, large], store })
}

const ann = { calls: [{ name: 'find', args: { name: 'Ann' } }] }

async function session(script: readonly ScriptStep[], inputs: readonly string[] = ['Find Ann.']) {
  const started = await finder(script).startSession()
  for (const input of inputs) await started.run(input)
  return started
}

describe('an export', () => {
  test('is made from a session, from its stored events and from streamed ones alike', async () => {
    const from = await session([ann, 'There.'])
    const cassette = await exportCassette(from)
    expect(cassette).toMatchObject({
      format: 'toolpost.cassette/2',
      agent: 'finder',
      order: ['run 1', 'step 1.1', 'start 1.1.1', 'end 1.1.1', 'step 1.2', 'over 1'],
    })
    expect(await exportCassette(await from.events())).toEqual(cassette)
    const run = await runTest(finder([]), [
      user('Find Ann.'),
      model({ toolCalls: [{ name: 'find', args: { name: 'Ann' } }] }),
      model('There.'),
    ])
    const tested = await exportCassette(run.events)
    expect(tested.runs[0]?.steps).toHaveLength(2)
    expect(await exportCassette(run.session)).toEqual(tested)
  })

  test('refuses a part of a log, and a run that is not there', async () => {
    const from = await session(['Good day.'])
    const events = await from.events()
    await expect(exportCassette(events.slice(1))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(exportCassette([])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(exportCassette(from, { run: 'run_x' })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' })
  })

  test('of a run ends with it and keeps what it stands on', async () => {
    const from = await session([ann, 'There.', ann, 'Again.', 'Bye.'], ['One.', 'Two.', 'Three.'])
    const [first, second] = [...from.state.runs.keys()] as [string, string]
    expect((await exportCassette(from, { run: first })).runs.map(({ input }) => input)).toEqual(['One.'])
    const two = await exportCassette(from, { run: second })
    expect(two.runs.map(({ input }) => input)).toEqual(['One.', 'Two.'])
    expect((await replay(finder([]), two)).same).toBe(true)
  })

  test('holds a large result whole, for which it needs the store', async () => {
    const from = await session([{ calls: [{ name: 'large' }] }, 'Much.'])
    await expect(exportCassette(from)).rejects.toThrow(/pass its store/)
    const cassette = await exportCassette(from, { store })
    const outcome = cassette.runs[0]?.steps[0]?.calls[0]?.outcome
    expect(outcome).toMatchObject({ text: `begin${'x'.repeat(50_000)}end`, large: { bytes: 50_008 } })
    expect((await replay(finder([]), cassette)).same).toBe(true)
    await expect(exportCassette(from, { store: memoryStore() })).rejects.toThrow(/does not hold/)
  })

  test('hides what it is told to hide, and replays the same', async () => {
    const from = await session([ann, { calls: [{ name: 'large' }] }, 'Ann has 555-0100.'])
    const places: string[] = []
    const cassette = await exportCassette(from, {
      store,
      redact: (path, value) => {
        places.push(path)
        return typeof value === 'string' ? value.replaceAll(/Ann|555-0100|x{3,}/g, 'hidden') : value
      },
    })
    expect(JSON.stringify(cassette)).not.toMatch(/Ann|555-0100|xxx/)
    expect(places).toContain('/runs/0/steps/0/calls/0/argumentsText')
    expect(cassette.runs[0]?.steps[0]?.calls[0]).not.toHaveProperty('digest')
    expect((await replay(finder([]), cassette)).differences).toEqual([])
  })

  test('refuses what a redaction has broken', async () => {
    const from = await session(['Good day.'])
    const redact = (path: string, value: unknown) => (path.endsWith('/finish') ? 'hidden' : value)
    await expect(exportCassette(from, { redact })).rejects.toThrow(/at \/runs\/0\/steps\/0\/finish/)
  })
})

describe('a cassette from outside', () => {
  const whole = session([ann, 'There.']).then((from) => exportCassette(from))

  test('is read as it was written', async () => {
    expect(parseCassette(JSON.parse(JSON.stringify(await whole)))).toEqual(await whole)
  })

  const put = (pointer: string, value: unknown) => [pointer, value] as const
  test.each([
    put('/format', 'toolpost.cassette/9'),
    put('/extra', 1),
    put('/runs/0/at', 'now'),
    put('/runs/0/steps/0/calls/0/outcome/status', 'lost'),
    put('/runs/0/steps/0/calls/0/argsJson', '{'),
    put('/runs/0/steps/0/calls', []),
    put('/runs/0/steps/1/finish', undefined),
    put('/order/1', 'step 1.9'),
    put('/order/1', 'toString 1'),
    put('/order/1', 7),
  ])('is refused with the place where it is wrong: %s = %j', async (pointer, value) => {
    const cassette: unknown = structuredClone(await whole)
    const keys = pointer.split('/').slice(1)
    const last = keys.pop() as string
    const parent = keys.reduce((at, key) => (at as Record<string, unknown>)[key], cassette)
    ;(parent as Record<string, unknown>)[last] = value
    const place = pointer.includes('/outcome/') || pointer === '/extra' || value === undefined ? '' : pointer
    expect(() => parseCassette(cassette)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(`This is no cassette: at ${place}`),
      }),
    )
  })

  test.each([[undefined], [null], ['text'], [[]], [{}], [new Map()]])('%s is none', (value) => {
    expect(() => parseCassette(value)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  })
})

describe('a slip of the pen', () => {
  const slip = <Value>(value: unknown) => value as Value
  const refused = (part: string) =>
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(part) })

  test.each([undefined, null, {}, 'session_1', 5])(
    '%j is neither a session nor its events',
    async (given) => {
      await expect(exportCassette(slip(given))).rejects.toEqual(
        refused('takes a session, or the list of all of its events'),
      )
    },
  )

  test.each([undefined, Number.NaN, () => 1])('what "redact" gives must be JSON: %s', async (given) => {
    const from = await session([ann, 'There.'])
    await expect(exportCassette(from, { redact: () => given })).rejects.toEqual(refused('"redact" gave '))
    await expect(exportCassette(from, slip({ redact: 5 }))).rejects.toEqual(refused('must be a function'))
  })

  test('what is no agent, no report and no events is refused in a sentence', async () => {
    const cassette = await exportCassette(await session(['There.']))
    await expect(replay(slip({}), cassette)).rejects.toEqual(refused('must be an agent'))
    expect(() => formatReplay(slip(Promise.resolve()))).toThrow(refused('wait for it with await'))
    expect(() => formatReport(slip(Promise.resolve()))).toThrow(refused('wait for it with await'))
    expect(() => findEventsByType(slip(undefined), 'tool_call')).toThrow(refused('The events are a list'))
  })
})
