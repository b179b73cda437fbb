import { describe, expect, test } from 'vitest'
import { definitionOf } from '../../src/agent/children/known-agents.ts'
import type { CallState } from '../../src/core/run/state.ts'
import {
  type Agent,
  type AgentConfig,
  agent,
  applicationTool,
  type Event,
  type RunResult,
  type Session,
  type Store,
  scriptedModel,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import { Journal } from '../../src/runtime/journal.ts'
import { redeemExecution } from '../../src/runtime/redeem.ts'
import { systemParts } from '../../src/runtime/system.ts'
import { manualClock } from '../../src/testing.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal, places } from '../support/places.ts'

const application = { id: 'shop', method: 'application' }
const other = { id: 'other', method: 'application' }

const lookUp = applicationTool({
  name: 'look_up',
  description: 'Looks a customer up',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  outputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  requiresApproval: false,
})
const anything = applicationTool({
  name: 'anything',
  description: 'Does anything',
  inputSchema: { type: 'object' },
  requiresApproval: false,
})

type Config = Partial<AgentConfig>

const asking = (...ids: string[]) => ({ calls: ids.map((id) => ({ name: 'look_up', args: { id } })) })

function clerk(store: Store, config: Config = {}): Agent {
  const model = scriptedModel([asking('a'), 'Done.'], { fromHistory: true })
  return agent({ name: 'clerk', model, tools: [lookUp, anything], store, parts: mortal(), ...config })
}

function callsOf({ state }: Session): CallState[] {
  return [...state.calls.values()]
}

/** Resolves when so many calls of the session are handed out, with their tickets. */
async function handedOut(session: Session, count = 1): Promise<string[]> {
  for (;;) {
    const out = callsOf(session).filter(({ status }) => status === 'handed_out')
    if (out.length >= count) return out.map(({ execution }) => execution?.ticket as string)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function typesOf(session: Session): Promise<string[]> {
  return (await session.events()).map(({ event }) => event.type)
}

async function eventOf<Type extends Event['type']>(session: Session, type: Type) {
  const found = (await session.events()).map(({ event }) => event).filter((event) => event.type === type)
  return found as Extract<Event, { type: Type }>[]
}

const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error)

describe.each(places)('a call that is handed out, kept in %s', (_name, makePlace) => {
  test('is claimed and given its ticket in one append, and its redeemed output is its result', async () => {
    await using place = makePlace()
    const store = place.open()
    const appended: string[][] = []
    const watched = new Proxy(store, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (key === 'append')
          return (what: Parameters<Store['append']>[0]) => {
            appended.push(what.streams.flatMap(({ events }) => events.map(({ event }) => event.type)))
            return target.append(what)
          }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const made = clerk(watched)
    const session = await made.startSession()
    const running = session.run('Who is a?')
    const [ticket = ''] = await handedOut(session)
    expect(appended.find((types) => types.includes('execution.requested'))?.slice(-2)).toEqual([
      'call.started',
      'execution.requested',
    ])
    expect(session.state.tickets.get(ticket)).toMatchObject({ kind: 'execution', toolClass: 'destructive' })
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    expect(await running).toMatchObject({ status: 'completed', text: 'Done.', tickets: [] })
    const [completed] = await eventOf(session, 'call.completed')
    expect(completed).toMatchObject({ by: application, outcome: { text: { inline: '{"name":"Ann"}' } } })
    expect(session.state.tickets.get(ticket)?.decided).toMatchObject({ approved: true, by: application })
  })

  test('is redeemed in another process while the first one waits', async () => {
    await using place = makePlace()
    const session = await clerk(place.open()).startSession()
    const running = session.run('Who is a?')
    const [ticket = ''] = await handedOut(session)
    await clerk(place.open()).redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    expect((await running).status).toBe('completed')
  })

  test('outlives the process that claimed it: it is redeemed when nobody drives the run, and the run goes on', async () => {
    await using place = makePlace()
    const killed = crashingStore(place.open(), 'execution.requested', 'after')
    const first = await clerk(killed.store).startSession()
    void first.run('Who is a?').catch(() => undefined)
    await killed.crashed
    const second = clerk(place.open())
    const session = await second.openSession(first.id)
    const [ticket = ''] = await handedOut(session)
    await second.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    const third = await clerk(place.open()).openSession(first.id)
    expect((await finish(third.resume())).status).toBe('completed')
    expect((await typesOf(third)).filter((type) => type === 'call.started')).toHaveLength(1)
  })

  test('waits for its result after a restart, and is neither entered again nor uncertain', async () => {
    await using place = makePlace()
    const killed = crashingStore(place.open(), 'execution.requested', 'after')
    const first = await clerk(killed.store).startSession()
    void first.run('Who is a?').catch(() => undefined)
    await killed.crashed
    const second = clerk(place.open())
    const session = await second.openSession(first.id)
    const going = finish(session.resume())
    const [ticket = ''] = await handedOut(session)
    await second.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    expect((await going).status).toBe('completed')
    expect(session.state.uncertain.size).toBe(0)
  })

  test.each([
    'message.added',
    'call.proposed',
    'call.started',
    'execution.requested',
    'call.completed',
    'run.ended',
  ] as const)('a process killed before and after %s changes nothing of the outcome', async (type) => {
    for (const when of ['before', 'after'] as const) {
      await using place = makePlace()
      const killed = crashingStore(place.open(), type, when)
      const first = await clerk(place.open()).startSession()
      const dying = clerk(killed.store)
      const doomed = await dying.openSession(first.id)
      void doomed.run('Who is a?').catch(() => undefined)
      const redeeming = handedOut(doomed).then(([ticket = '']) =>
        dying.redeem(ticket, { output: { name: 'Ann' } }, { by: application, resultKey: 'k' }),
      )
      redeeming.catch(() => undefined)
      await killed.crashed
      const next = clerk(place.open())
      const session = await next.openSession(first.id)
      if (session.state.openRun === undefined) continue
      const going = finish(session.resume())
      const isOver = { value: false }
      void going.finally(() => {
        isOver.value = true
      })
      while (!isOver.value) {
        const [out] = callsOf(session).filter(({ status }) => status === 'handed_out')
        if (out?.execution !== undefined)
          await next
            .redeem(out.execution.ticket, { output: { name: 'Ann' } }, { by: application, resultKey: 'k' })
            .catch((error) => expect(codeOf(error)).toBe('TICKET_NOT_FOUND'))
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect((await going).status).toBe('completed')
      const completed = await eventOf(session, 'call.completed')
      expect(completed.map(({ outcome }) => outcome.text)).toEqual([{ inline: '{"name":"Ann"}' }])
      expect(await eventOf(session, 'execution.requested')).toHaveLength(1)
    }
  })

  test('is redeemed by one of two who come at the same time from two processes', async () => {
    for (let round = 0; round < 10; round += 1) {
      await using place = makePlace()
      const session = await clerk(place.open()).startSession()
      const running = session.run('Who is a?')
      const [ticket = ''] = await handedOut(session)
      const [one, two] = [clerk(place.open()), clerk(place.open())]
      const came = await Promise.allSettled([
        one.redeem(ticket, { output: { name: 'one' } }, { by: application }),
        two.redeem(ticket, { output: { name: 'two' } }, { by: other }),
      ])
      expect(came.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      await running
      const won = came[0].status === 'fulfilled' ? 'one' : 'two'
      const completed = await eventOf(session, 'call.completed')
      expect(completed.map(({ outcome }) => outcome.text)).toEqual([{ inline: `{"name":"${won}"}` }])
      const lost = came.find(({ status }) => status === 'rejected') as PromiseRejectedResult
      expect(codeOf(lost.reason)).toBe('TICKET_NOT_FOUND')
    }
  })

  test('sent again under the same key, the same result gets the same answer, and another one none', async () => {
    await using place = makePlace()
    const made = clerk(place.open())
    const session = await made.startSession()
    const running = session.run('Who is a?')
    const [ticket = ''] = await handedOut(session)
    const redeem = (name: string, resultKey?: string) =>
      made.redeem(ticket, { output: { name } }, { by: application, ...(resultKey ? { resultKey } : {}) })
    await redeem('Ann', 'k1')
    await running
    await redeem('Ann', 'k1')
    for (const again of [redeem('Bob', 'k1'), redeem('Ann', 'k2'), redeem('Ann')])
      await expect(again).rejects.toMatchObject({ code: 'TICKET_NOT_FOUND' })
    expect(await eventOf(session, 'call.completed')).toHaveLength(1)
  })

  test('whose run is stopped is uncertain; what comes afterwards is recorded once, and its sender is told that it was too late', async () => {
    await using place = makePlace()
    const made = clerk(place.open())
    const session = await made.startSession()
    const stop = new AbortController()
    const running = session.run('Who is a?', { signal: stop.signal })
    const [ticket = ''] = await handedOut(session)
    stop.abort(new Error('no longer wanted'))
    expect((await running).status).toBe('cancelled')
    const [call] = callsOf(session)
    expect(call?.end).toMatchObject({ status: 'failed', code: 'cancelled', effect: 'uncertain' })
    expect(session.state.tickets.get(ticket)?.decided).toMatchObject({
      approved: false,
      category: 'cancelled',
    })
    expect(session.state.uncertain.size).toBe(1)
    for (const _ of [1, 2])
      await expect(
        made.redeem(ticket, { output: { name: 'Ann' } }, { by: application }),
      ).rejects.toMatchObject({
        code: 'TICKET_NOT_FOUND',
      })
    const late = await eventOf(session, 'call.late')
    expect(late).toMatchObject([{ by: application, outcome: { text: { inline: '{"name":"Ann"}' } } }])
    expect(session.state.uncertain.size).toBe(0)
  })

  test('that rests in the store is ended by a cancel from another process', async () => {
    await using place = makePlace()
    const killed = crashingStore(place.open(), 'execution.requested', 'after')
    const first = await clerk(killed.store).startSession()
    void first.run('Who is a?').catch(() => undefined)
    await killed.crashed
    const session = await clerk(place.open()).openSession(first.id)
    expect((await session.cancel()).status).toBe('cancelled')
    expect(callsOf(session)[0]?.end).toMatchObject({ code: 'cancelled', effect: 'uncertain' })
  })
})

async function started(config: Config & { readonly tools?: AgentConfig['tools'] } = {}) {
  const [, makePlace] = places[0] as (typeof places)[number]
  const store = makePlace().open()
  const made = clerk(store, config)
  const session = await made.startSession()
  return { made, session, running: session.run('go') }
}

describe('what a ticket is redeemed with', () => {
  test('a failure is a failure for the model, with an effect that nobody saw', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    await made.redeem(ticket, { failed: 'The database is away.' }, { by: application })
    await running
    expect(callsOf(session)[0]?.end).toEqual({
      status: 'failed',
      code: 'application_tool_failed',
      message: 'The database is away.',
      effect: 'uncertain',
    })
  })

  test('an output that is not as declared uses the ticket up, and its sender is told every fault, also a second time', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    const redeem = () =>
      made.redeem(ticket, { output: { name: 1, x: [] } }, { by: application, resultKey: 'k' })
    const error = await redeem().catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_TOOL_OUTPUT', status: 400 })
    expect(error.message).toContain('/name')
    expect(await redeem().catch((thrown) => thrown)).toEqual(error)
    await running
    expect(callsOf(session)[0]?.end).toMatchObject({ code: 'invalid_output', effect: 'uncertain' })
  })

  test('an output of more than 128,000 bytes of JSON uses the ticket up, and one of exactly so many passes', async () => {
    for (const [length, code] of [
      [128_000 - 2, undefined],
      [128_000 - 1, 'TOOL_OUTPUT_LIMIT'],
    ] as const) {
      const model = scriptedModel([{ calls: [{ name: 'anything', args: {} }] }, 'Done.'])
      const { made, session, running } = await started({ model })
      const [ticket = ''] = await handedOut(session)
      const output = 'x'.repeat(length)
      const came = await made.redeem(ticket, { output }, { by: application }).catch(codeOf)
      expect(came).toBe(code)
      await running
      expect(callsOf(session)[0]?.end?.status).toBe(code === undefined ? 'completed' : 'failed')
    }
  })

  test('what is no JSON leaves the ticket open, and so does a catalog that lacks the tool', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    const none = { output: Number.NaN }
    await expect(made.redeem(ticket, none, { by: application })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
    const store = storeOf(made)
    const stranger = agent({ name: 'clerk', model: scriptedModel(['x']), store })
    const given = { output: { name: 'Ann' } }
    await expect(stranger.redeem(ticket, given, { by: application })).rejects.toMatchObject({
      code: 'UNKNOWN_TOOL',
    })
    const changed = applicationTool({
      name: 'look_up',
      description: 'Another',
      inputSchema: { type: 'object' },
      requiresApproval: false,
    })
    const later = agent({ name: 'clerk', model: scriptedModel(['x']), tools: [changed], store })
    await expect(later.redeem(ticket, given, { by: application })).rejects.toMatchObject({
      code: 'TICKET_MISMATCH',
    })
    await made.redeem(ticket, given, { by: application })
    expect((await running).status).toBe('completed')
  })

  test('a large result is cut for the model and kept whole, and counts against what is left of the run', async () => {
    const model = scriptedModel([{ calls: [{ name: 'anything', args: {} }] }, 'Done.'])
    const { made, session, running } = await started({ model })
    const [ticket = ''] = await handedOut(session)
    await made.redeem(ticket, { output: 'y'.repeat(100_000) }, { by: application })
    await running
    const end = callsOf(session)[0]?.end
    expect(end?.status === 'completed' && 'blob' in end.text && end.text.bytes).toBe(100_000)
  })

  test('the hooks after a tool see what somebody outside gave, in the process that redeems', async () => {
    const hooks = [{ name: 'redaction', afterTool: () => ({ result: 'redacted' }) }]
    const { made, session, running } = await started({ hooks } as Config)
    const [ticket = ''] = await handedOut(session)
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    await running
    expect(callsOf(session)[0]?.end).toMatchObject({ text: { inline: 'redacted' }, by: 'hook' })
  })

  test('a ticket is neither decided about nor answered', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    await expect(session.decide(ticket, { approved: true })).rejects.toMatchObject({
      code: 'INVALID_DECISION',
    })
    await expect(session.decide(ticket, { approved: false })).rejects.toMatchObject({
      code: 'INVALID_DECISION',
    })
    await expect(session.answer(ticket, 'Ann')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(session.answer(callsOf(session)[0]?.id as string, 'Ann')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    await running
  })

  test('a ticket that was never given out is not found', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    await expect(made.redeem('execution_x', { output: 1 }, { by: application })).rejects.toMatchObject({
      code: 'TICKET_NOT_FOUND',
    })
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    await running
  })

  test('a session in which a call is out cannot be forked there', async () => {
    const { made, session, running } = await started()
    const [ticket = ''] = await handedOut(session)
    await expect(made.forkSession(session)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    await running
    const forked = await made.forkSession(session)
    expect(callsOf(forked)[0]).toMatchObject({ status: 'ended', execution: { by: application } })
    expect(callsOf(forked)[0]?.execution?.ticket).not.toBe(ticket)
  })
})

function storeOf(made: Agent): Store {
  return definitionOf(made).parts.store
}

describe('calls beside one that is out', () => {
  const parallel = (each: Tool): Tool => Object.freeze({ ...each, parallel: true })
  const model = () => scriptedModel([asking('a', 'b', 'c'), 'Done.'])

  test('a serial call waits behind it', async () => {
    const { made, session, running } = await started({ model: model() })
    const order: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const [ticket = '', ...more] = await handedOut(session)
      expect(more).toEqual([])
      order.push(callsOf(session).find(({ execution }) => execution?.ticket === ticket)?.id ?? '')
      await made.redeem(ticket, { output: { name: 'x' } }, { by: application })
    }
    expect((await running).status).toBe('completed')
    expect(order).toEqual(callsOf(session).map(({ id }) => id))
  })

  test('parallel neighbours are out at the same time, and come back in any order', async () => {
    const { made, session, running } = await started({ model: model(), tools: [parallel(lookUp)] })
    const tickets = await handedOut(session, 3)
    for (const ticket of tickets.toReversed())
      await made.redeem(ticket, { output: { name: ticket } }, { by: application })
    expect((await running).status).toBe('completed')
  })

  test('a call that fails ends the others of its step, where the agent is strict', async () => {
    const { made, session, running } = await started({
      model: model(),
      tools: [parallel(lookUp)],
      onToolFailure: 'fail',
    })
    const [first = '', second = ''] = await handedOut(session, 3)
    await made.redeem(first, { failed: 'No.' }, { by: application })
    expect((await running).status).toBe('failed')
    expect(callsOf(session).map(({ end }) => end?.status === 'failed' && end.code)).toEqual([
      'application_tool_failed',
      'cancelled',
      'cancelled',
    ])
    await expect(made.redeem(second, { output: { name: 'x' } }, { by: application })).rejects.toMatchObject({
      code: 'TICKET_NOT_FOUND',
    })
  })

  test('an approval that was left to somebody else does not let the run rest while a call is out', async () => {
    const execute = () => 'ok'
    const send = tool({ name: 'send', description: 'Send', toolClass: 'external', parallel: true, execute })
    const both = {
      calls: [
        { name: 'look_up', args: { id: 'a' } },
        { name: 'send', args: {} },
      ],
    }
    const { made, session, running } = await started({
      model: scriptedModel([both, 'Done.']),
      tools: [parallel(lookUp), send],
      approvals: () => suspend(),
    })
    const [ticket = ''] = await handedOut(session)
    await made.redeem(ticket, { output: { name: 'Ann' } }, { by: application })
    const rested: RunResult = await running
    expect(rested.status).toBe('waiting')
    expect(rested.tickets).toHaveLength(1)
  })

  test('an approval comes before the call is handed out, and a no hands nothing out', async () => {
    const reviewed = applicationTool({
      name: 'look_up',
      description: 'Looks up',
      inputSchema: { type: 'object' },
      requiresApproval: true,
    })
    const { session, running } = await started({
      tools: [reviewed],
      approvals: () => ({ approved: false, reason: 'not now' }),
    })
    expect((await running).status).toBe('completed')
    expect(await typesOf(session)).not.toContain('execution.requested')
    const yes = await started({ tools: [reviewed], approvals: () => ({ approved: true }) })
    const [ticket = ''] = await handedOut(yes.session)
    const types = await typesOf(yes.session)
    expect(types.indexOf('approval.decided')).toBeLessThan(types.indexOf('execution.requested'))
    await yes.made.redeem(ticket, { output: null }, { by: application })
    await yes.running
  })
})

describe('the clock of a run whose call is out', () => {
  test('counts idle time against it, whatever the rule says about asks', async () => {
    const clock = manualClock()
    const idle = { timeoutMs: 1_000, whileAsking: 'pause' } as const
    const [, makePlace] = places[0] as (typeof places)[number]
    const made = clerk(makePlace().open(), { parts: { ...mortal(), clock }, idle } as Config)
    const session = await made.startSession()
    const running = session.run('go')
    await handedOut(session)
    await clock.advance(1_000)
    expect(await running).toMatchObject({ status: 'cancelled', code: 'IDLE_TIMEOUT' })
    expect(callsOf(session)[0]?.end).toMatchObject({ code: 'cancelled', effect: 'uncertain' })
  })
})

test('two journals of one process that redeem with equal results under one key both get the answer of the one that won', async () => {
  const { session, made, running } = await started()
  const [ticket = ''] = await handedOut(session)
  const store = storeOf(made)
  const redeem = async () => {
    const parts = systemParts(store)
    const journal = await Journal.open(store, session.id, parts.clock)
    const catalog = { digest: '', tools: [lookUp], find: () => lookUp }
    const results = { callBytesMax: 1_000, runBytesMax: 10_000 }
    const options = { journal, catalog, parts, results, by: application, resultKey: 'k' }
    await redeemExecution(options, ticket, { output: { name: 'Ann' } })
  }
  await Promise.all([redeem(), redeem(), redeem()])
  await running
  expect(await eventOf(session, 'call.completed')).toHaveLength(1)
})
