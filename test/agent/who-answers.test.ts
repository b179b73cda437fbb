import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { agent, type Store, scriptedModel, suspend, tool } from '../../src/index.ts'
import { manualClock } from '../../src/testing.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const question = tool({
  name: 'question',
  description: 'Asks',
  toolClass: 'read',
  yieldSchema: z.object({ v: z.number() }),
  execute: (_args, { input }) => input,
})
const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

function clerk(store: Store, call: string, clock = manualClock()) {
  return agent({
    name: 'clerk',
    model: scriptedModel([calling(call), 'done'], { fromHistory: true }),
    tools: [question, pay],
    store,
    approvals: () => suspend(),
    parts: { clock, ...mortal() },
  })
}

/** What a program in plain JavaScript, or one with a cast, may hand in. */
const nobody: readonly (readonly [what: string, by: unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'ann'],
  ['a function', () => 'ann'],
  ['a list', ['ann', 'web']],
  ['a method that is a function', { id: 'ann', method: () => 'web' }],
  ['a method that is undefined', { id: 'ann', method: undefined }],
  ['an id that is a symbol', { id: Symbol('ann'), method: 'web' }],
  ['an id that is NaN', { id: Number.NaN, method: 'web' }],
  ['an id of a class', { id: new Date(0), method: 'web' }],
  ['an empty id', { id: '', method: 'web' }],
  ['an id without end', { id: 'x'.repeat(257), method: 'web' }],
  ['half a surrogate pair', { id: '\ud800', method: 'web' }],
  ['another key', { id: 'ann', method: 'web', role: () => 'chief' }],
  ['a getter that throws', Object.defineProperty({ method: 'web' }, 'id', { get: boom, enumerable: true })],
  ['the door of the timers', { id: 'timer', method: 'expiry' }],
  ['the door of a stopped run', { id: 'runtime', method: 'abort' }],
  ['the door of a changed tool', { id: 'runtime', method: 'migration' }],
  ['the door of an agent without a handler', { id: 'agent', method: 'default' }],
  ['the door of a handler', { id: 'handler', method: 'handler' }],
  ['the door of the timers in capitals', { id: 'ann', method: 'EXPIRY' }],
  ['the door of the timers with spaces around', { id: 'ann', method: ' expiry\t' }],
  ['the door of the timers in wide letters', { id: 'ann', method: 'ｅxpiry' }],
  ['a timer as the door', { id: 'ann', method: 'timer' }],
  ...['timer', 'Runtime', ' agent', 'HANDLER ', 'migration'].map(
    (id) => [`the name ${JSON.stringify(id)} of the runtime itself`, { id, method: 'web' }] as const,
  ),
]

function boom(): never {
  throw new Error('boom')
}

const refused = { code: 'INVALID_ARGUMENT' }

describe.each(places)('over %s', (_kind, place) => {
  test.each(nobody)('whoever answers with %s as "by" is refused, and the ask is open', async (_what, by) => {
    await using where = place()
    const made = clerk(where.open(), 'question')
    const session = await made.startSession()
    const [ask = ''] = (await session.run('go')).tickets
    const before = (await session.events()).length
    await expect(made.answer(ask, { v: 1 }, by as never)).rejects.toMatchObject(refused)
    await expect(made.decide(ask, { approved: false }, by as never)).rejects.toMatchObject(refused)
    if (by !== undefined) {
      await expect(session.answer(ask, { v: 1 }, by as never)).rejects.toMatchObject(refused)
      await expect(session.decide(ask, { approved: false }, by as never)).rejects.toMatchObject(refused)
      const reconciling = session.reconcile('call_1', 'failed', { by: by as never })
      await expect(reconciling).rejects.toMatchObject(refused)
    }
    expect(await session.events()).toHaveLength(before)
    await made.answer(ask, { v: 1 }, { id: 'ann', method: 'web' })
    const again = await clerk(where.open(), 'question').openSession(session.id)
    expect(await finish(again.resume())).toMatchObject({ status: 'completed' })
  })

  test('a note of a reconciliation and a reason of a stop must be texts', async () => {
    await using where = place()
    const session = await clerk(where.open(), 'pay').startSession()
    await session.run('go')
    for (const note of [() => 'seen', 1, null] as never[])
      await expect(session.reconcile('call_1', 'failed', { note })).rejects.toMatchObject(refused)
    await expect(session.cancel(Symbol('why') as never)).rejects.toMatchObject(refused)
    expect((await session.cancel('Enough.')).status).toBe('cancelled')
  })

  test('a session cannot be for half a character', async () => {
    await using where = place()
    const made = clerk(where.open(), 'pay')
    for (const options of [{ subject: '\ud800' }, { id: 'x\udc00' }])
      await expect(made.startSession(options)).rejects.toMatchObject(refused)
  })

  test("somebody whose name is the runtime's may answer at a door where nobody chooses his name", async () => {
    await using where = place()
    const made = clerk(where.open(), 'question')
    const session = await made.startSession({ subject: 'agent' })
    const [ask = ''] = (await session.run('go')).tickets
    await made.answer(ask, { v: 1 }, { id: 'agent', method: 'command-line' })
    const late = made.answer(ask, { v: 2 }, { id: 'ann', method: 'web' })
    await expect(late).rejects.toThrow(/already answered by agent \(command-line\) at /)
  })

  test('an agent takes an answer by the id of the call too, as a session does', async () => {
    await using where = place()
    const made = clerk(where.open(), 'question')
    const session = await made.startSession()
    await session.run('go')
    const [call] = session.state.calls.keys()
    const by = { id: 'ann', method: 'web' }
    await made.answer(call as string, { v: 1 }, by)
    await expect(made.answer(call as string, { v: 2 }, by)).rejects.toMatchObject({ code: 'TICKET_DECIDED' })
    await expect(made.answer('call_none', { v: 2 }, by)).rejects.toMatchObject({ code: 'TICKET_NOT_FOUND' })
  })
})
