import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  type AgentConfig,
  agent,
  decline,
  type ErrorSource,
  memoryStore,
  type RunEvent,
  type RunResult,
  type Session,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal } from '../support/places.ts'
import { calling } from '../support/play.ts'

const by = { id: 'anna', method: 'test' }
const ask = tool({
  name: 'ask',
  description: 'Asks',
  toolClass: 'read',
  yieldSchema: z.object({ v: z.number() }),
})
const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

function make(over: Partial<AgentConfig>, told: [ErrorSource, string][] = [], name = 'ask') {
  return agent({
    name: 'clerk',
    model: scriptedModel([calling(name), 'Done.'], { fromHistory: true }),
    tools: [ask, pay],
    hooks: { onError: (error, source) => told.push([source, String((error as Error).message)]) },
    ...over,
  })
}

async function streamed(session: Session): Promise<{ result: RunResult; events: readonly RunEvent[] }> {
  const events: RunEvent[] = []
  const stream = session.stream('go')
  let next = await stream.next()
  for (; !next.done; next = await stream.next()) events.push(next.value)
  return { result: next.value, events }
}

const warnings = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))

test('what the handler of questions throws is told and leaves the question open', async () => {
  const told: [ErrorSource, string][] = []
  const failing = () => {
    throw new Error('The form is down.')
  }
  const { result, events } = await streamed(await make({ inputs: failing }, told).startSession())
  expect(result).toMatchObject({ status: 'waiting', tickets: [expect.stringMatching(/^ask_/)] })
  expect(told).toEqual([['inputs', 'The form is down.']])
  expect(warnings(events)).toEqual([`"inputs" failed to answer ${result.tickets[0]}: The form is down.`])
})

test('a value that does not pass is told with its faults and leaves the question open', async () => {
  const told: [ErrorSource, string][] = []
  const session = await make({ inputs: () => ({ v: 'no number' }) }, told).startSession()
  const { result, events } = await streamed(session)
  expect(result.status).toBe('waiting')
  expect(told).toEqual([['inputs', expect.stringMatching(/does not pass.*v/)]])
  expect(warnings(events)).toHaveLength(1)
})

test('a no of the handler of questions whose reason is no text is told and leaves the question open', async () => {
  const forged = { approved: false, reason: 1, [Symbol.for('toolpost.decline')]: true }
  for (const inputs of [() => decline({ reason: 'x' } as never), () => forged as never]) {
    const told: [ErrorSource, string][] = []
    const { result } = await streamed(await make({ inputs }, told).startSession())
    expect(result.status).toBe('waiting')
    expect(told).toEqual([['inputs', expect.stringMatching(/text/)]])
  }
})

test('a handler whose answer came too late is no fault', async () => {
  const told: [ErrorSource, string][] = []
  const session = await make(
    {
      inputs: async ({ id }) => {
        await session.answer(id, { v: 1 }, by)
        throw new Error('too late')
      },
    },
    told,
  ).startSession()
  expect((await session.run('go')).status).toBe('completed')
  expect(told).toEqual([])
})

test.each([
  ['a throw', () => Promise.reject(new Error('The desk is closed.')), /The desk is closed\./],
  ['no decision', () => ({ yes: true }) as never, /unknown key "yes"/],
  ['edited arguments that do not pass', () => ({ approved: true, editedArgs: { x: 1 } }), /edited arguments/],
])('%s of the handler of approvals is a no, and is told', async (_what, approvals, fault) => {
  const told: [ErrorSource, string][] = []
  const { events } = await streamed(await make({ approvals }, told, 'pay').startSession())
  expect(told).toEqual([['approvals', expect.stringMatching(fault)]])
  expect(warnings(events)).toHaveLength(1)
  expect(events).toContainEqual(expect.objectContaining({ type: 'approval.decided', approved: false }))
})

test('a handler of questions declines, and the model is told the reason', async () => {
  const session = await make({ inputs: () => decline('Nobody is at the desk') }).startSession()
  expect((await session.run('go')).status).toBe('completed')
  const [call] = session.state.calls.values()
  expect(call?.end).toMatchObject({
    status: 'refused',
    code: 'declined',
    message:
      'The call was declined. Reason: Nobody is at the desk. Do not make the same call again unchanged.',
  })
  const [ticket] = session.state.tickets.values()
  expect(ticket?.decided).toMatchObject({ approved: false, by: { id: 'handler' } })
})

test('an answer that looks like a refusal is an answer, and decline() refuses an approval too', async () => {
  const verdict = tool({
    name: 'verdict',
    description: 'v',
    yieldSchema: z.object({ approved: z.boolean() }),
  })
  const answered = await make(
    { tools: [verdict], inputs: () => ({ approved: false }) },
    [],
    'verdict',
  ).startSession()
  await answered.run('go')
  expect([...answered.state.calls.values()][0]?.end?.status).toBe('completed')
  const refused = await make({ approvals: () => decline('no') }, [], 'pay').startSession()
  await refused.run('go')
  expect([...refused.state.calls.values()][0]?.end?.status).toBe('refused')
})

test('an answer of more than a mebibyte is refused with its size, and the question stays open', async () => {
  const text = tool({ name: 'ask', description: 'Asks', yieldSchema: z.string() })
  const session = await make({ tools: [text], inputs: () => suspend() }).startSession()
  const { tickets } = await session.run('go')
  const ticket = tickets[0] as string
  await expect(session.answer(ticket, 'x'.repeat(1_048_575))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/1048577 bytes as JSON, and at most 1048576/),
    details: { bytes: 1_048_577, bytesMax: 1_048_576 },
  })
  await session.answer(ticket, 'x'.repeat(1_048_574))
  await expect(session.answer(ticket, 'x')).rejects.toMatchObject({
    code: 'TICKET_DECIDED',
    details: { kind: 'input', approved: true },
  })
})

test('a default of more than a mebibyte cannot be built', () => {
  const yieldDefault = 'x'.repeat(1_048_576)
  expect(() =>
    tool({ name: 'ask', description: 'Asks', yieldSchema: z.string(), yieldTimeout: 1, yieldDefault }),
  ).toThrow(/"yieldDefault" has 1048578 bytes/)
})

test('an ask of a million characters is named in short', async () => {
  const clerk = make({})
  const error = await clerk.decide('x'.repeat(1_000_000), { approved: true }, by).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'TICKET_NOT_FOUND' })
  expect(error.message.length).toBeLessThan(300)
  await expect(clerk.openSession('x'.repeat(1_000_000))).rejects.toMatchObject({
    message: expect.stringMatching(/^.{1,300}$/),
  })
})

test('a question can wait for as long as a number can say', async () => {
  const patient = tool({
    name: 'ask',
    description: 'Asks',
    yieldSchema: z.string(),
    yieldTimeout: Number.MAX_SAFE_INTEGER,
  })
  const session = await make({ tools: [patient], inputs: () => suspend() }).startSession()
  const { status, tickets } = await session.run('go')
  expect(status).toBe('waiting')
  const expiresAt = session.state.tickets.get(tickets[0] as string)?.expiresAt as number
  expect(new Date(expiresAt).toISOString()).toBe('+275760-09-13T00:00:00.000Z')
})

test('a scope whose function throws is named, and the cause is kept', async () => {
  const cause = new Error('no directory')
  const scopes = { user: () => Promise.reject(cause) }
  const session = await make({ scopes }).startSession()
  await expect(session.run('go')).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: 'The function of the scope "user" failed: no directory',
    cause,
  })
})

test('a tool that looks for a lost outcome is given the answer that its call had', async () => {
  const store = memoryStore()
  const { store: crashing, crashed } = crashingStore(store, 'call.completed', 'before')
  const looked: unknown[] = []
  const book = tool({
    name: 'ask',
    description: 'Books',
    toolClass: 'external',
    yieldSchema: z.object({ v: z.number() }),
    execute: (_args, { input }) => `booked ${input.v}`,
    reconcile: (_args, { input }) => {
      looked.push(input)
      return { found: 'completed', value: `found ${input.v}` }
    },
  })
  const over = { tools: [book], inputs: () => ({ v: 7 }), approvals: () => ({ approved: true }) }
  const session = await make({ ...over, store: crashing, parts: mortal() }).startSession()
  session.run('go').catch(() => undefined)
  await crashed
  const later = await make({ ...over, store, parts: mortal() }).openSession(session.id)
  expect((await finish(later.resume())).status).toBe('completed')
  expect(looked).toEqual([{ v: 7 }])
  expect([...later.state.calls.values()][0]?.end).toMatchObject({ text: { inline: 'found 7' } })
})
