import { describe, expect, test } from 'vitest'
import {
  type Agent,
  agent,
  type ChildOptions,
  loop,
  type ModelMessage,
  memoryStore,
  parallel,
  type RunInput,
  type Store,
  scriptedModel,
  sequence,
  tool,
} from '../../src/index.ts'
import { places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const csv = new TextEncoder().encode('a,b')
const input: RunInput = [
  { type: 'text', text: 'Look.' },
  { type: 'file', mediaType: 'text/csv', data: csv, name: 'a.csv' },
]

interface Seen {
  readonly name: string
  readonly text: string
  readonly files: readonly string[]
}

/** An agent whose model notes what it was told, and the bytes that came along. */
function looking(name: string, seen: Seen[]): Agent {
  const model = scriptedModel(({ messages, files }) => {
    const told = messages.findLast((each: ModelMessage) => each.role === 'user')
    const named = told?.role === 'user' ? (told.files ?? []) : []
    const texts = named.map(({ digest }) => new TextDecoder().decode(files?.get(digest)))
    seen.push({ name, text: told?.role === 'user' ? told.text : '', files: texts })
    return `${name} looked`
  })
  return agent({ name, model })
}

const flows: Readonly<Record<string, readonly [(store: Store, seen: Seen[]) => Agent, readonly Seen[]]>> = {
  'the first step of a sequence': [
    (store, seen) => sequence({ name: 'f', store, steps: [looking('a', seen), looking('b', seen)] }),
    [
      { name: 'a', text: 'Look.', files: ['a,b'] },
      { name: 'b', text: 'a looked', files: [] },
    ],
  ],
  'the first time of a loop': [
    (store, seen) => loop({ name: 'f', store, body: looking('a', seen), timesMax: 2 }),
    [
      { name: 'a', text: 'Look.', files: ['a,b'] },
      { name: 'a', text: 'a looked', files: [] },
    ],
  ],
  'all branches of a parallel flow': [
    (store, seen) => parallel({ name: 'f', store, branches: [looking('a', seen), looking('b', seen)] }),
    [
      { name: 'a', text: 'Look.', files: ['a,b'] },
      { name: 'b', text: 'Look.', files: ['a,b'] },
    ],
  ],
  'the first step of a flow that another begins with': [
    (store, seen) =>
      sequence({
        name: 'f',
        store,
        steps: [sequence({ name: 'g', steps: [looking('a', seen)] }), () => 'x'],
      }),
    [{ name: 'a', text: 'Look.', files: ['a,b'] }],
  ],
  'an agent that is handed over to': [
    (store, seen) => {
      const pass = tool({
        name: 'pass',
        description: 'Passes',
        toolClass: 'read',
        execute: () => looking('a', seen),
      })
      return agent({ name: 'f', store, model: scriptedModel([calling('pass')]), tools: [pass] })
    },
    [{ name: 'a', text: 'Look.', files: ['a,b'] }],
  ],
}

describe.each(places)('over %s', (_kind, place) => {
  test.each(Object.entries(flows))('the files that it is told reach %s', async (_who, [make, expected]) => {
    await using where = place()
    const seen: Seen[] = []
    const session = await make(where.open(), seen).startSession()
    expect(await session.run(input)).toMatchObject({ status: 'completed' })
    expect(seen.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(expected)
  })

  test('a tool starts an agent with parts, as a session does', async () => {
    await using where = place()
    const seen: Seen[] = []
    const start = tool({
      name: 'start',
      description: 'Starts',
      toolClass: 'read',
      execute: async (_args, context) => (await context.run(looking('a', seen), { input })).text,
    })
    const boss = agent({
      name: 'b',
      store: where.open(),
      model: scriptedModel([calling('start'), 'end']),
      tools: [start],
    })
    const session = await boss.startSession()
    expect(await session.run('go')).toMatchObject({ status: 'completed' })
    expect(seen).toEqual([{ name: 'a', text: 'Look.', files: ['a,b'] }])
    const [call] = session.state.calls.values()
    const below = await boss.openSession(`${call?.id}.0`)
    const said = below.state.history[0]
    const [file] = said?.role === 'user' ? (said.files ?? []) : []
    expect(await below.file(file?.digest ?? '')).toEqual(csv)
  })
})

test.each([
  ['a sequence', () => sequence({ name: 'f', steps: [function count() {}, looking('a', [])] })],
  ['a loop', () => loop({ name: 'f', body: { name: 'count', execute: () => 1 }, timesMax: 1 })],
  ['a parallel flow', () => parallel({ name: 'f', branches: { a: looking('a', []), count: () => 1 } })],
  [
    'a flow in a flow',
    () => sequence({ name: 'f', steps: [sequence({ name: 'g', steps: [function count() {}] })] }),
  ],
])('%s that would lose files in a function refuses them, and nothing is begun', async (_what, make) => {
  const session = await make().startSession()
  await expect(session.run(input)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('"f" takes a text only: its part "count"'),
  })
  expect(session.state.openRun).toBeUndefined()
  expect(await session.run([{ type: 'text', text: 'x' }])).toMatchObject({ status: 'completed' })
})

test.each([
  [[]],
  [[{ type: 'audio' }]],
  [[{ type: 'file', data: csv, mediaType: 'text/csv', more: 1 }]],
  [5],
])('an agent is not started with %j', async (wrong) => {
  const faults: unknown[] = []
  const start = tool({
    name: 'start',
    description: 'Starts',
    toolClass: 'read',
    execute: async (_args, context) => {
      const options = { input: wrong } as unknown as ChildOptions
      await context.run(looking('a', []), options).catch((error: unknown) => faults.push(error))
    },
  })
  const store = memoryStore()
  const boss = agent({ name: 'b', store, model: scriptedModel([calling('start'), 'end']), tools: [start] })
  await (await boss.startSession()).run('go')
  expect(faults).toEqual([expect.objectContaining({ code: 'INVALID_ARGUMENT' })])
  expect(await store.list({ kind: 'session' })).toHaveLength(1)
})
