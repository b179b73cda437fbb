import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  type ApprovalRequest,
  agent,
  memoryStore,
  type SchemaSource,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { calling, play } from '../support/play.ts'

/** Plays one call whose arguments a person edits. */
async function edited(schema: SchemaSource, args: unknown, edit: (shown: object) => unknown) {
  const ran: unknown[] = []
  const requests: ApprovalRequest[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    schema,
    coercion: 'lossless',
    execute: (given) => {
      ran.push(given)
      return 'paid'
    },
  })
  const approvals = (request: ApprovalRequest) => {
    requests.push(request)
    return { approved: true, editedArgs: edit(request.args as object) }
  }
  const played = await play({ tools: [pay], approvals }, [calling('pay', args)])
  return { ...played, ran, request: requests[0] }
}

const cents = z.object({ eur: z.number().transform((eur) => eur * 100), to: z.string() })
const five = { eur: 5, to: 'Ann' }

test('edited arguments are what was shown: a schema that transforms does not do so twice', async () => {
  const { request, ran, calls } = await edited(cents, five, (shown) => ({ ...shown, to: 'Bob' }))
  expect(request?.args).toEqual({ eur: 500, to: 'Ann' })
  expect(request?.argsForm).toBeUndefined()
  expect(ran).toEqual([{ eur: 500, to: 'Bob' }])
  expect(calls[0]?.args).toEqual({ eur: 500, to: 'Bob' })
})

test('what a person writes where the schema transforms is what runs', async () => {
  expect((await edited(cents, five, () => ({ eur: 300, to: 'Bob' }))).ran).toEqual([{ eur: 300, to: 'Bob' }])
  expect((await edited(cents, { eur: 0, to: 'Ann' }, () => ({ eur: 7, to: 'Ann' }))).ran).toEqual([
    { eur: 7, to: 'Ann' },
  ])
  const words = z.object({ n: z.string().transform(Number) })
  expect((await edited(words, { n: '5' }, () => ({ n: 7 }))).ran).toEqual([{ n: 7 }])
  const whole = z.object({ a: z.number() }).transform(({ a }) => ({ b: a * 2 }))
  expect((await edited(whole, { a: 5 }, () => ({ b: 11 }))).ran).toEqual([{ b: 11 }])
  const secret = z.object({ eur: z.number().overwrite((eur) => eur * 100) })
  expect((await edited(secret, { eur: 5 }, () => ({ eur: 600 }))).ran).toEqual([{ eur: 600 }])
})

test.each<[string, SchemaSource, unknown, unknown, RegExp]>([
  ['another kind', cents, five, { eur: '300', to: 'Ann' }, /\/eur must be a number/],
  ['a member that the schema does not know', cents, five, { eur: 5, to: 'Ann', more: 1 }, /\/more/],
  ['a plain member of a wrong type', cents, five, { eur: 5, to: 7 }, /\/to/],
  ['a missing member', cents, five, { eur: 5 }, /\/to/],
  [
    'an item that was not shown',
    z.object({ all: z.array(z.number().transform((each) => each * 2)) }),
    { all: [1] },
    { all: [2, 4] },
    /\/all\/1 cannot be checked/,
  ],
  [
    'what the schema would cut',
    z.object({ to: z.string().trim() }),
    { to: 'Ann' },
    { to: ' Bob ' },
    /would make \{"to":"Bob"\} of them/,
  ],
  [
    'what the schema would drop',
    z.object({ to: z.string() }),
    { to: 'Ann' },
    { to: 'Bob', cc: 'Eve' },
    /would make/,
  ],
])('an edit that cannot be run as it was written is refused: %s', async (_name, schema, args, edit, says) => {
  const { ran, calls } = await edited(schema, args, () => edit)
  expect(ran).toEqual([])
  expect(calls[0]?.end).toMatchObject({ code: 'declined', message: expect.stringMatching(says) })
})

test("where the schema's output is no JSON, the edit is of what it takes, and the request says so", async () => {
  const schema = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) })
  const later = '2027-01-02T03:04:05Z'
  const { request, ran, calls } = await edited(schema, { at: '2026-01-02T03:04:05Z' }, () => ({ at: later }))
  expect(request).toMatchObject({ args: { at: '2026-01-02T03:04:05Z' }, argsForm: 'input' })
  expect(ran).toEqual([{ at: new Date(later) }])
  expect(calls[0]).toMatchObject({ args: { at: later }, reparse: true })
})

test('an edit in input form stays one, also where the schema gives JSON for it', async () => {
  const schema = z.object({
    at: z.union([z.number().transform((n) => n * 100), z.string().transform((text) => new Date(text))]),
  })
  const { ran } = await edited(schema, { at: '2026-01-02T03:04:05Z' }, () => ({ at: 5 }))
  expect(ran).toEqual([{ at: 500 }])
})

test('conversions of edited arguments are recorded, in the event and in the state', async () => {
  const conversion = [{ pointer: '/page', from: '7', to: 7 }]
  const { ran, calls, events } = await edited(z.object({ page: z.number() }), { page: 1 }, () => ({
    page: '7',
  }))
  expect(ran).toEqual([{ page: 7 }])
  expect(calls[0]?.coerced).toEqual(conversion)
  const event = events.find(({ event: { type } }) => type === 'approval.edited')?.event
  expect(event).toMatchObject({ coerced: conversion })
})

test('the note about edited arguments is short, and stands before the result, whose last line stays the last', async () => {
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    toolClass: 'external',
    schema: z.object({ text: z.string() }),
    execute: () => 'line\n'.repeat(20_000),
  })
  const approvals = () => ({ approved: true, editedArgs: { text: 'x'.repeat(100_000) } })
  const { told } = await play({ tools: [pay], approvals }, [calling('pay', { text: 'a' })])
  const [text = ''] = told
  expect(text).toMatch(/^\[The person who approved the call .*\.\.\. and 99511 more characters\]\n\nline\n/)
  expect(text.length).toBeLessThan(33_000)
  expect(text.split('\n').at(-1)).toMatch(/read_result reads parts of sha256:/)
})

test('an answer on a session that was removed says so', async () => {
  const store = memoryStore()
  const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })
  const model = scriptedModel([calling('pay'), 'Done.', 'Again.'])
  const made = agent({ name: 'a', model, tools: [pay], approvals: () => suspend(), store })
  const session = await made.startSession()
  const { tickets } = await session.run('go')
  await made.removeSession(session.id)
  const gone = { code: 'SESSION_NOT_FOUND', message: expect.stringContaining(session.id) }
  await expect(session.decide(tickets[0] ?? '', { approved: true })).rejects.toMatchObject(gone)
})

test('a run on a session that was removed says so', async () => {
  const made = agent({ name: 'a', model: scriptedModel(['One.', 'Two.']), store: memoryStore() })
  const session = await made.startSession()
  await session.run('go')
  await made.removeSession(session.id)
  await expect(session.run('again')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})
