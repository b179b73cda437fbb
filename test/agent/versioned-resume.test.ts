import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Agent,
  type AgentConfig,
  agent,
  type ChangedCall,
  type DefinitionChange,
  memoryStore,
  type Store,
  type StoredEvent,
  scriptedModel,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { finish, places } from '../support/places.ts'

/** A tool that pays, in the form that it had first; what it was entered with is noted. */
function payment(over: object = {}) {
  const seen: unknown[] = []
  const made = tool({
    name: 'pay',
    description: 'Pay somebody',
    toolClass: 'external',
    schema: z.object({ to: z.string(), euros: z.number() }),
    execute: (args) => {
      seen.push(args)
      return 'paid'
    },
    ...over,
  })
  return { made, seen }
}

const inCents = { schema: z.object({ to: z.string(), cents: z.number().int() }) }

function booking(over: object = {}) {
  const seen: { args: unknown; input: unknown }[] = []
  const made = tool({
    name: 'book',
    description: 'Book a room',
    toolClass: 'read',
    schema: z.object({ room: z.string() }),
    yieldSchema: z.object({ ok: z.boolean() }),
    execute: (args, context) => {
      seen.push({ args, input: context.input })
      return 'booked'
    },
    ...over,
  })
  return { made, seen }
}

const paying: ScriptStep = { calls: [{ name: 'pay', args: { to: 'Ann', euros: 3 } }] }
const asking: ScriptStep = { calls: [{ name: 'book', args: { room: 'Orion' } }] }
const by = { id: 'anna', method: 'test' }

function make(
  store: Store,
  tools: readonly Tool[],
  script: readonly ScriptStep[] = [],
  over: Partial<AgentConfig> = {},
): Agent {
  const model = scriptedModel(script, { fromHistory: true })
  return agent({ name: 'clerk', model, tools, store, approvals: () => suspend(), ...over })
}

/** A run that rests on one ask, begun by the tools as they were. */
async function resting(
  store: Store,
  tools: readonly Tool[],
  step: ScriptStep,
  over: Partial<AgentConfig> = {},
) {
  const session = await make(store, tools, [step, 'Done.'], over).startSession()
  const { status, tickets } = await session.run('Go.')
  expect(status).toBe('waiting')
  return { id: session.id, ticket: tickets[0] as string, events: await session.events() }
}

function typesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ event }) => event.type)
}

describe.each(places)('over %s', (_kind, place) => {
  test('a run that rests says what its agent was made of, and the next one only what is new', async () => {
    await using where = place()
    const store = where.open()
    const clerk = make(store, [payment().made], ['One.', 'Two.'], { instructions: 'Be fair.' })
    const session = await clerk.startSession()
    await session.run('A')
    await session.run('B')
    const changed = await make(store, [payment(inCents).made], ['One.', 'Two.', 'Three.']).openSession(
      session.id,
    )
    await changed.run('C')
    const prints = (await changed.events()).flatMap(({ event }) =>
      event.type === 'run.started' ? [event.fingerprint] : [],
    )
    expect(prints).toEqual([
      {
        agent: 'clerk',
        instructions: expect.stringMatching(/^sha256:/),
        catalog: expect.stringMatching(/^sha256:/),
        tools: { pay: expect.stringMatching(/^sha256:/) },
        parts: { pay: expect.stringMatching(/^[0-9a-f]{8}(\.[0-9a-f]{8}){3}$/) },
      },
      undefined,
      {
        agent: 'clerk',
        catalog: expect.any(String),
        tools: { pay: expect.any(String) },
        parts: { pay: expect.any(String) },
      },
    ])
    expect(prints[2]?.tools?.pay).not.toBe(prints[0]?.tools?.pay)
  })

  test('"refuse" says what changed and leaves the ask, the log and the lease as they were [tools-in-an-agent/ask-structure-changed]', async () => {
    await using where = place()
    const next = where.open
    const look = tool({ name: 'look', description: 'Look', execute: () => 'seen' })
    const find = tool({ name: 'find', description: 'Find', execute: () => 'found' })
    const { id, ticket, events } = await resting(next(), [payment().made, look], paying, {
      instructions: 'A',
    })
    const changed = make(next(), [payment(inCents).made, find], [], { instructions: 'B', onChange: 'refuse' })
    const session = await changed.openSession(id)
    const [call] = session.state.calls.values()
    await expect(finish(session.resume())).rejects.toMatchObject({
      code: 'DEFINITION_CHANGED',
      status: 409,
      message:
        'The agent "clerk" is not what it was when the run began, so the run was not taken up: the instructions changed; ' +
        'tools added: "find"; tools removed: "look"; of the tool "pay" changed: schema of the arguments; ' +
        `the call ${call?.id} waits for "pay", which changed.`,
    })
    expect(await session.events()).toEqual(events)
    // The agent that began the run goes on with it, and with the ask.
    const { made, seen } = payment()
    const old = make(next(), [made, look], [paying, 'Done.'], { instructions: 'A', onChange: 'refuse' })
    await old.decide(ticket, { approved: true }, by)
    expect((await finish((await old.openSession(id)).resume())).status).toBe('completed')
    expect(seen).toEqual([{ to: 'Ann', euros: 3 }])
  })

  test('an agent that is the same is taken up, whatever onChange says', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const { made, seen } = payment()
    const onChange = () => {
      throw new Error('nobody asks')
    }
    const same = make(next(), [made], [paying, 'Done.'], { onChange })
    await same.decide(ticket, { approved: true }, by)
    expect((await finish((await same.openSession(id)).resume())).status).toBe('completed')
    expect(seen).toHaveLength(1)
  })

  test('by default the call of a changed tool is void with its approval, and the model makes it anew', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const { made, seen } = payment(inCents)
    const again: ScriptStep = { calls: [{ name: 'pay', args: { to: 'Ann', cents: 300 } }] }
    const changed = make(next(), [made], [paying, again, 'Done.'])
    await changed.decide(ticket, { approved: true }, by)
    const session = await changed.openSession(id)
    const result = await finish(session.resume())
    expect(result.status).toBe('waiting')
    const [first, second] = session.state.calls.values()
    expect(first?.end).toMatchObject({ status: 'refused', code: 'tool_changed' })
    expect(second?.status).toBe('asking')
    await changed.decide(result.tickets[0] as string, { approved: true }, by)
    expect((await finish(session.resume())).status).toBe('completed')
    expect(seen).toEqual([{ to: 'Ann', cents: 300 }])
  })

  test('by default nobody is asked any longer about a call that is void, and the model hears of it at once', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const changed = make(next(), [payment(inCents).made], [paying, 'I leave it.'])
    const session = await changed.openSession(id)
    expect(await finish(session.resume())).toMatchObject({ status: 'completed', text: 'I leave it.' })
    await expect(changed.decide(ticket, { approved: true }, by)).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
  })

  test('a function is told the change and the open calls, and may refuse or continue', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const told: [DefinitionChange, object][] = []
    let answer: 'refuse' | 'continue' = 'refuse'
    const changed = make(next(), [], [paying, 'It is gone.'], {
      name: 'other',
      onChange: (change, session) => {
        told.push([change, session])
        return answer
      },
    })
    const session = await changed.openSession(id)
    await expect(finish(session.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
    expect(told[0]).toMatchObject([
      {
        agent: { from: 'clerk', to: 'other' },
        instructions: false,
        added: [],
        removed: ['pay'],
        changed: [],
        unnamed: false,
        calls: [{ tool: 'pay', is: 'missing', args: { to: 'Ann', euros: 3 } }],
      },
      { id, subject: 'local', run: session.state.openRun },
    ])
    answer = 'continue'
    await changed.decide(ticket, { approved: true }, by)
    expect((await finish(session.resume())).status).toBe('completed')
    expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'unknown_tool' })
  })

  test('migrated arguments are checked by the new schema, asked about again, and run as approved then', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const { made, seen } = payment(inCents)
    const toCents = ({ args }: ChangedCall) => {
      const { to, euros } = args as { to: string; euros: number }
      return { to, cents: euros * 100 }
    }
    const changed = make(next(), [made], [paying, 'Done.'], { onChange: () => ({ args: toCents }) })
    // An approval of what the call was holds for nothing that it becomes.
    await changed.decide(ticket, { approved: true }, by)
    const session = await changed.openSession(id)
    const result = await finish(session.resume())
    expect(result.status).toBe('waiting')
    expect(seen).toEqual([])
    expect(result.tickets).not.toContain(ticket)
    const [call] = session.state.calls.values()
    expect(call).toMatchObject({ status: 'asking', args: { to: 'Ann', cents: 300 }, version: made.version })
    await changed.decide(result.tickets[0] as string, { approved: true }, by)
    const later = await make(next(), [made], [paying, 'Done.'], { onChange: 'refuse' }).openSession(id)
    // The run was begun by another agent: who refuses, refuses at every resume.
    await expect(finish(later.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
    expect((await finish(session.resume())).status).toBe('completed')
    expect(seen).toEqual([{ to: 'Ann', cents: 300 }])
    const migrated = (await session.events())
      .map(({ event }) => event)
      .find(({ type }) => type === 'call.migrated')
    expect(migrated).toMatchObject({ call: call?.id, to: call?.digest, by: { method: 'migration' } })
  })

  test('an ask that is open when the arguments are migrated is closed, and answered no more', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [payment().made], paying)
    const changed = make(next(), [payment({ ...inCents, toolClass: 'read' }).made], [paying, 'Done.'], {
      onChange: () => ({ args: () => ({ to: 'Ann', cents: 1 }) }),
    })
    const session = await changed.openSession(id)
    const { status, tickets } = await finish(session.resume())
    // The new tool needs no approval, but somebody was being asked: he decides about what became of it.
    expect(status).toBe('waiting')
    expect(tickets).toHaveLength(1)
    await expect(changed.decide(ticket, { approved: true }, by)).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
    })
    expect(typesOf(await session.events()).slice(-3)).toEqual([
      'approval.decided',
      'call.migrated',
      'approval.requested',
    ])
    await changed.decide(tickets[0] as string, { approved: false }, by)
    expect((await finish(session.resume())).status).toBe('completed')
  })

  test('a question of a tool that changed is asked again, and the answer to the old one is not used', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [booking().made], asking)
    const { made, seen } = booking({ yieldSchema: z.object({ sure: z.boolean() }) })
    const changed = make(next(), [made], [asking, 'Done.'], {
      onChange: () => ({ args: ({ args }) => args }),
    })
    await make(next(), [booking().made]).answer(ticket, { ok: true }, by)
    const session = await changed.openSession(id)
    const { status, tickets } = await finish(session.resume())
    expect(status).toBe('waiting')
    await changed.answer(tickets[0] as string, { sure: true }, by)
    expect((await finish(session.resume())).status).toBe('completed')
    expect(seen).toEqual([{ args: { room: 'Orion' }, input: { sure: true } }])
  })

  test('by default the question of a changed tool is void, and "refuse" leaves it open', async () => {
    await using where = place()
    const next = where.open
    const { id, ticket } = await resting(next(), [booking().made], asking)
    const other = booking({ description: 'Book a room or a hall' }).made
    const refusing = await make(next(), [other], [], { onChange: 'refuse' }).openSession(id)
    await expect(finish(refusing.resume())).rejects.toMatchObject({ code: 'DEFINITION_CHANGED' })
    expect(refusing.state.tickets.get(ticket)?.decided).toBeUndefined()
    const changed = make(next(), [other], [asking, 'Gone.'])
    await expect(changed.answer(ticket, { ok: true }, by)).rejects.toMatchObject({ code: 'TICKET_MISMATCH' })
    const session = await changed.openSession(id)
    expect((await finish(session.resume())).status).toBe('completed')
    expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'tool_changed' })
    expect(session.state.tickets.get(ticket)?.decided).toMatchObject({
      approved: false,
      category: 'cancelled',
    })
  })
})

describe('what cannot be migrated', () => {
  const refused = async (onChange: NonNullable<AgentConfig['onChange']>, fault: string) => {
    const store = memoryStore()
    const { id, events } = await resting(store, [payment().made], paying)
    const session = await make(store, [payment(inCents).made], [], { onChange }).openSession(id)
    await expect(finish(session.resume())).rejects.toMatchObject({
      code: 'DEFINITION_CHANGED',
      message: expect.stringContaining(fault),
    })
    expect(await session.events()).toEqual(events)
  }

  test('refuses the whole: arguments that do not pass, a throw, nonsense', async () => {
    await refused(
      () => ({ args: () => ({ to: 'Ann', cents: 'many' }) }),
      'do not pass "pay": Invalid arguments',
    )
    await refused(() => ({ args: () => (() => 1) as never }), 'are no JSON')
    await refused(() => ({ args: () => 1, foo: 1 }) as never, 'nor { args } alone')
    await refused(() => {
      throw new Error('no idea')
    }, 'onChange failed: no idea')
    await refused(
      () => ({
        args: () => {
          throw new Error('no number')
        },
      }),
      'onChange failed: no number',
    )
    await refused(() => 'maybe' as never, 'onChange answered neither')
  })

  test('is made again by the model where no arguments are given for it', async () => {
    const store = memoryStore()
    const { id, ticket } = await resting(store, [payment().made], paying)
    const changed = make(store, [payment(inCents).made], [paying, 'Done.'], {
      onChange: () => ({ args: () => undefined }),
    })
    await changed.decide(ticket, { approved: true }, by)
    const session = await changed.openSession(id)
    await finish(session.resume())
    expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'tool_changed' })
  })

  test('is a catalog too large to name: that it changed is known all the same', async () => {
    const store = memoryStore()
    const many = Array.from({ length: 600 }, (_, index) =>
      tool({ name: `t${index}`, description: 'One of many', execute: () => 'x' }),
    )
    const { id } = await resting(store, [payment().made, ...many], paying)
    const session = await make(store, [payment().made, ...many.slice(1)], [], {
      onChange: 'refuse',
    }).openSession(id)
    expect(session.state.fingerprint).not.toHaveProperty('tools')
    await expect(finish(session.resume())).rejects.toMatchObject({
      message: expect.stringContaining('the tools changed, and there are too many of them'),
    })
  })
})
