import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  type Agent,
  type AgentConfig,
  agent,
  type InputRequest,
  scriptedModel,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, places } from '../support/places.ts'

const booking = z.object({ room: z.string(), minutes: z.number() })
const verdict = z.object({ approved: z.boolean(), note: z.string().optional() })

/** A tool that prepares, asks a person, then books; what it was entered with is noted. */
function bookingTool(over: object = {}) {
  const seen: { args: unknown; input: unknown }[] = []
  const made = tool({
    name: 'book_room',
    description: 'Book a room',
    schema: booking,
    yieldSchema: verdict,
    prepare: ({ room, minutes }) => ({ room: room.trim().toUpperCase(), minutes: Math.min(minutes, 60) }),
    execute: (args, context) => {
      const input = context.input as z.infer<typeof verdict>
      seen.push({ args, input })
      return input.approved ? { booked: args.room } : { declined: input.note ?? 'no' }
    },
    ...over,
  })
  return { made, seen }
}

const plain = tool({ name: 'look', description: 'Look', execute: () => 'seen' })

const asking: ScriptStep = { calls: [{ name: 'book_room', args: { room: ' orion ', minutes: 240 } }] }

function make(tools: readonly Tool[], script: readonly ScriptStep[], over: Partial<AgentConfig> = {}): Agent {
  return agent({ name: 'clerk', model: scriptedModel(script, { fromHistory: true }), tools, ...over })
}

const by = { id: 'anna', method: 'test' }

describe.each(places)('over %s', (_kind, place) => {
  test('what was converted in an answer is recorded with it', async () => {
    await using where = place()
    const { made, seen } = bookingTool()
    const session = await make([made], [asking, 'Done.'], { store: where.open() }).startSession()
    const { tickets } = await session.run('Book Orion for four hours.')
    await session.answer(tickets[0] as string, { approved: 'true' }, by)
    await finish(session.resume())
    expect(seen).toMatchObject([{ input: { approved: true } }])
    expect((await session.events()).find(({ event }) => event.type === 'input.given')?.event).toMatchObject({
      value: { approved: true },
      coerced: [{ pointer: '/approved', from: 'true', to: true }],
    })
  })

  test('a tool that asks rests the run with one question that holds the prepared arguments [approvals/J1]', async () => {
    await using where = place()
    const { made, seen } = bookingTool()
    const session = await make([made], [asking, 'Done.'], { store: where.open() }).startSession()
    const result = await session.run('Book Orion for four hours.')
    expect(result.status).toBe('waiting')
    expect(seen).toEqual([])
    const asked = (await session.events()).filter(({ event }) => event.type === 'input.requested')
    expect(asked).toHaveLength(1)
    const [call] = session.state.calls.values()
    expect(call).toMatchObject({ status: 'asking', args: { room: 'ORION', minutes: 60 } })
    expect(result.tickets).toEqual([call?.ticket])
  })

  test('an answer runs the tool once with context.input, and a declining one reaches the model with its note [approvals/J2] [approvals/J3]', async () => {
    await using where = place()
    const next = where.open
    for (const [input, text] of [
      [{ approved: true }, '{"booked":"ORION"}'],
      [{ approved: false, note: 'It is taken.' }, '{"declined":"It is taken."}'],
    ] as const) {
      const { made, seen } = bookingTool()
      const clerk = make([made], [asking, 'Done.'], { store: next() })
      const session = await clerk.startSession()
      const { tickets } = await session.run('Book it.')
      await clerk.answer(tickets[0] as string, input, by)
      const result = await finish(session.resume())
      expect(result).toMatchObject({ status: 'completed', text: 'Done.' })
      expect(seen).toEqual([{ args: { room: 'ORION', minutes: 60 }, input }])
      const [call] = session.state.calls.values()
      expect(call?.end).toMatchObject({ status: 'completed', text: { inline: text } })
    }
  })

  test('a process that starts anew goes on at the same place after an answer from a third [approvals/J8]', async () => {
    await using where = place()
    const next = where.open
    const first = bookingTool()
    const session = await make([first.made], [asking, 'Done.'], { store: next() }).startSession()
    const { tickets } = await session.run('Book it.')
    await make([bookingTool().made], [], { store: next() }).answer(
      tickets[0] as string,
      { approved: true },
      by,
    )
    const later = bookingTool()
    const resumed = await make([later.made], [asking, 'Done.'], { store: next() }).openSession(session.id)
    expect((await finish(resumed.resume())).status).toBe('completed')
    expect(first.seen).toEqual([])
    expect(later.seen).toHaveLength(1)
  })

  test('a hundred questions that wait are listed by the store with tool, age and digest [approvals/J16]', async () => {
    await using where = place()
    const clock = manualClock(1_000)
    const store = where.open()
    const clerk = make([bookingTool().made], [asking, 'Done.'], { store, parts: { clock } })
    for (let count = 0; count < 100; count += 1) await (await clerk.startSession()).run('Book it.')
    const rows = await store.list({ kind: 'ticket', status: 'open', limit: 1_000 })
    expect(rows).toHaveLength(100)
    for (const { at, data } of rows) {
      expect(at).toBe(1_000)
      expect(data).toMatchObject({
        kind: 'input',
        tool: 'book_room',
        digest: expect.stringContaining('sha256:'),
      })
    }
  })

  test('a question that nobody answers in time takes its default, once, also when the process was away', async () => {
    await using where = place()
    const next = where.open
    const clock = manualClock(1_000)
    const answer = { yieldTimeout: 60_000, yieldDefault: { approved: false, note: 'Nobody was there.' } }
    const first = bookingTool(answer)
    const session = await make([first.made], [asking, 'Done.'], {
      store: next(),
      parts: { clock },
    }).startSession()
    const { tickets } = await session.run('Book it.')
    await clock.advance(59_999)
    const later = make([bookingTool(answer).made], [asking, 'Done.'], { store: next(), parts: { clock } })
    expect(await later.runTimers()).toEqual([])
    await clock.advance(1)
    const fired = await Promise.all([later.runTimers(), later.runTimers()])
    expect(fired.flat()).toContain(session.id)
    const resumed = await later.openSession(session.id)
    const given = (await resumed.events()).filter(({ event }) => event.type === 'input.given')
    expect(given).toMatchObject([
      { event: { value: answer.yieldDefault, by: { id: 'timer' }, waitedMs: 60_000 } },
    ])
    await expect(resumed.answer(tickets[0] as string, { approved: true }, by)).rejects.toMatchObject({
      code: 'TICKET_DECIDED',
      message: expect.stringContaining('by timer'),
    })
    expect((await finish(resumed.resume())).status).toBe('completed')
    expect(await later.runTimers()).toEqual([])
  })
})

test('without execute the answer is the result, and finalize may shape it [approvals/J4]', async () => {
  const confirm = tool({
    name: 'book_room',
    description: 'Ask',
    yieldSchema: z.object({ note: z.string() }),
    finalize: (_args, { result }) => ({ shaped: result }),
  })
  expect(confirm.toolClass).toBe('read')
  const session = await make([confirm], [{ calls: [{ name: 'book_room' }] }, 'Done.']).startSession('ask')
  const { tickets } = await session.run('Ask somebody.')
  await session.answer(tickets[0] as string, { note: 'hello' })
  await finish(session.resume())
  const [call] = session.state.calls.values()
  expect(call?.end).toMatchObject({ text: { inline: '{"shaped":{"note":"hello"}}' } })
})

test('plain calls of the step run first, wherever they stand [approvals/J5]', async () => {
  const { made } = bookingTool()
  const step: ScriptStep = { calls: [...(asking as { calls: [] }).calls, { name: 'look' }] }
  const session = await make([made, plain], [step, 'Done.']).startSession()
  expect((await session.run('Both.')).status).toBe('waiting')
  const calls = [...session.state.calls.values()]
  expect(calls.map(({ name, status }) => [name, status])).toEqual([
    ['book_room', 'asking'],
    ['look', 'ended'],
  ])
  const order = (await session.events()).map(({ event }) => event.type)
  expect(order.indexOf('call.completed')).toBeLessThan(order.indexOf('input.requested'))
})

test('two questions of a step open together, one answer leaves the run waiting, both let it go on [approvals/J6]', async () => {
  const { made, seen } = bookingTool({ dedupe: 'run' })
  const two: ScriptStep = {
    calls: ['a', 'b'].map((room) => ({ name: 'book_room', args: { room, minutes: 5 } })),
  }
  const session = await make([made], [two, 'Done.']).startSession()
  const { tickets } = await session.run('Two.')
  expect(tickets).toHaveLength(2)
  await session.answer(tickets[1] as string, { approved: true })
  expect((await finish(session.resume())).status).toBe('waiting')
  await session.answer(tickets[0] as string, { approved: false })
  expect((await finish(session.resume())).status).toBe('completed')
  expect(seen.map(({ args }) => (args as { room: string }).room)).toEqual(['A', 'B'])
})

test('an answer to a question that does not exist is refused [approvals/J7]', async () => {
  const session = await make([bookingTool().made], [asking, 'Done.']).startSession()
  await session.run('Book it.')
  await expect(session.answer('ask_nowhere', { approved: true })).rejects.toMatchObject({
    code: 'TICKET_NOT_FOUND',
  })
})

test('an answer that does not pass names every fault and leaves the question open; a second one learns who answered [tools-in-an-agent/ask-bad-answer] [tools-in-an-agent/ask-second-answer]', async () => {
  const { made, seen } = bookingTool()
  const session = await make([made], [asking, 'Done.']).startSession()
  const { tickets } = await session.run('Book it.')
  const [ticket = ''] = tickets
  await expect(session.answer(ticket, { approved: 'maybe', note: {} })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/approved[\s\S]*note/),
  })
  await expect(session.answer(ticket, 1n << 70n, by)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(session.decide(ticket, { approved: true })).rejects.toMatchObject({ code: 'INVALID_DECISION' })
  // By the call's id as well.
  const [call] = session.state.calls.values()
  await session.answer(call?.id as string, { approved: true }, by)
  await expect(session.answer(ticket, { approved: false })).rejects.toMatchObject({
    code: 'TICKET_DECIDED',
    message: expect.stringMatching(/answered by anna \(\w+\) at 20\d\d-/),
  })
  await finish(session.resume())
  expect(seen).toHaveLength(1)
})

test('a question can be declined, and the model reads why', async () => {
  const { made, seen } = bookingTool()
  const session = await make([made], [asking, 'Done.']).startSession()
  const { tickets } = await session.run('Book it.')
  await session.decide(tickets[0] as string, { approved: false, reason: 'Not today.' })
  expect((await finish(session.resume())).status).toBe('completed')
  const [call] = session.state.calls.values()
  expect(call?.end).toMatchObject({
    status: 'refused',
    code: 'declined',
    message: expect.stringContaining('Not today.'),
  })
  expect(seen).toEqual([])
})

test('wrong arguments of a tool that asks are told to the model, and nobody is asked [tools-in-an-agent/ask-bad-arguments]', async () => {
  const wrong: ScriptStep = { calls: [{ name: 'book_room', args: { room: 4 } }] }
  const session = await make([bookingTool().made], [wrong, 'Done.']).startSession()
  expect((await session.run('Book it.')).status).toBe('completed')
  expect(session.state.tickets.size).toBe(0)
})

test('what a policy asks about is approved first, then the question is asked; a refusal asks nothing', async () => {
  const { made, seen } = bookingTool({ toolClass: 'external' })
  const approvals = () => suspend()
  const session = await make([made], [asking, 'Done.'], { approvals }).startSession('ask')
  const { tickets } = await session.run('Book it.')
  expect(session.state.tickets.get(tickets[0] as string)?.kind).toBe('approval')
  await session.decide(tickets[0] as string, { approved: true })
  const asked = await finish(session.resume())
  expect(session.state.tickets.get(asked.tickets[0] as string)?.kind).toBe('input')
  await session.answer(asked.tickets[0] as string, { approved: true })
  expect((await finish(session.resume())).status).toBe('completed')
  expect(seen).toHaveLength(1)
})

test('an answered call has timeout, retry, control signals and a late report like any other', async () => {
  let tries = 0
  const retrying = bookingTool({
    retry: { maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1 },
    execute: (_args: unknown, context: { output(value: unknown): unknown }) => {
      tries += 1
      if (tries < 3) throw new Error('not yet')
      return context.output({ tries })
    },
  })
  const session = await make([retrying.made], [asking, 'never said']).startSession()
  const { tickets } = await session.run('Book it.')
  await session.answer(tickets[0] as string, { approved: true })
  expect(await finish(session.resume())).toMatchObject({ status: 'completed', output: { tries: 3 } })

  const clock = manualClock()
  const slow = bookingTool({ timeout: 25, toolClass: 'read', execute: () => clock.sleep(60_000) })
  const other = await make([slow.made], [asking, 'Done.'], { parts: { clock } }).startSession()
  const asked = await other.run('Book it.')
  await other.answer(asked.tickets[0] as string, { approved: true })
  const ended = finish(other.resume())
  await clock.advance(25)
  await clock.advance(10_000)
  expect((await ended).status).toBe('completed')
  const [call] = other.state.calls.values()
  expect(call?.end).toMatchObject({ code: 'timed_out', timedOut: true })
})

test('a handler gives what is asked for while the run waits; what it cannot give stays open', async () => {
  const requests: InputRequest[] = []
  const { made, seen } = bookingTool()
  const give = (answer: unknown) =>
    make([made], [asking, 'Done.'], {
      inputs: (request) => {
        requests.push(request)
        if (answer instanceof Error) throw answer
        return answer
      },
    })
  const session = await give({ approved: true }).startSession()
  expect((await session.run('Book it.')).status).toBe('completed')
  expect(seen).toHaveLength(1)
  expect(requests[0]).toMatchObject({
    agent: 'clerk',
    args: { room: 'ORION', minutes: 60 },
    schema: { type: 'object', required: ['approved'] },
    tool: { name: 'book_room' },
  })
  for (const answer of [suspend(), { approved: 'perhaps' }, new Error('no line')]) {
    const resting = await (await give(answer).startSession()).run('Book it.')
    expect(resting).toMatchObject({ status: 'waiting', tickets: [expect.any(String)] })
  }
})

test('a run that waits in this process closes an ask at its time [approvals/L15]', async () => {
  const clock = manualClock(5_000)
  let told = false
  const pay = tool({ name: 'pay', description: 'Pay', toolClass: 'external', execute: () => 'paid' })
  const clerk = make([pay], [{ calls: [{ name: 'pay' }] }, 'Done.'], {
    parts: { clock },
    askExpiryMs: 60_000,
    approvals: (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = true
          reject(signal.reason)
        })
      }),
  })
  const session = await clerk.startSession('ask')
  const ended = session.run('Pay.')
  await clock.advance(59_999)
  expect([...session.state.tickets.values()][0]?.decided).toBeUndefined()
  await clock.advance(1)
  expect((await ended).status).toBe('completed')
  const [ticket] = session.state.tickets.values()
  expect(ticket?.decided).toMatchObject({ approved: false, category: 'expired', at: 65_000 })
  expect(told).toBe(true)
  await expect(session.decide(ticket?.id as string, { approved: true })).rejects.toMatchObject({
    code: 'TICKET_DECIDED',
  })
  const [call] = session.state.calls.values()
  expect(call?.end).toMatchObject({
    status: 'refused',
    message: expect.stringContaining('Nobody answered in time'),
  })
})

test('a stopped run closes its questions', async () => {
  const stop = new AbortController()
  const { made, seen } = bookingTool()
  const clerk = make([made], [asking, 'Done.'], {
    inputs: (_request, signal) => {
      stop.abort(new Error('enough'))
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const session = await clerk.startSession()
  expect((await session.run('Book it.', { signal: stop.signal })).status).toBe('cancelled')
  expect([...session.state.tickets.values()][0]?.decided).toMatchObject({
    approved: false,
    category: 'cancelled',
  })
  expect(seen).toEqual([])
})

test.each([
  [{ yieldTimeout: 5 }, /"yieldTimeout" needs "yieldSchema"/],
  [{ yieldSchema: verdict, yieldDefault: { approved: true } }, /"yieldDefault" needs "yieldTimeout"/],
  [{ yieldSchema: verdict, yieldTimeout: 5, yieldDefault: { approved: 'x' } }, /approved/],
  [{ yieldSchema: verdict, yieldTimeout: -1 }, /milliseconds/],
])('a tool whose asking makes no sense is refused at build time: %o', (config, message) => {
  expect(() => tool({ name: 't', description: 'd', ...config, execute: () => 1 })).toThrowError(message)
})

test('an answer may be any JSON: a text, a number, a list', async () => {
  for (const [yieldSchema, value] of [
    [z.string(), 'yes'],
    [{ type: 'integer' }, 4],
    [z.array(z.string()), ['a']],
  ] as const) {
    const ask = tool({ name: 'ask', description: 'Ask', yieldSchema })
    const session = await make([ask], [{ calls: [{ name: 'ask' }] }, 'Done.']).startSession()
    const { tickets } = await session.run('Ask.')
    await session.answer(tickets[0] as string, value)
    expect((await finish(session.resume())).status).toBe('completed')
  }
})
