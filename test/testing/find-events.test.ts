import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aliasTable } from '../../src/core/aliases.ts'
import { eventTable } from '../../src/core/event-table.ts'
import { plainJson } from '../../src/core/json/encode.ts'
import { agent, scriptedModel, tool } from '../../src/index.ts'
import { findEventsByType, getToolCalls, getToolResults, model, runTest, user } from '../../src/testing.ts'

/** The one result of a tool that returns a value. */
async function resultOf(value: unknown) {
  const give = tool({ name: 'give', description: 'Gives', execute: () => value })
  const giver = agent({ name: 'giver', model: scriptedModel([]), tools: [give] })
  const run = await runTest(giver, [user('Give'), model({ toolCalls: [{ name: 'give' }] }), model('Given.')])
  return getToolResults(run.events)[0]
}

describe('the result of a call', () => {
  test.each([
    ['a text as it is', 'hello', 'hello'],
    ['a text that looks like JSON as a text', '{"a":1}', '{"a":1}'],
    ['an object', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['a number', 0, 0],
    ['an empty text', '', ''],
    ['a date as its text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a large whole number, exactly', 9007199254740993n, 9007199254740993n],
    ['nothing as null', undefined, null],
    ['null as null', null, null],
  ])('is %s', async (_says, value, expected) => {
    expect((await resultOf(value))?.result).toEqual(expected)
  })

  test('is what JSON says of the value, whatever it is', async () => {
    const values = fc.anything().filter((value) => value !== null && value !== undefined)
    const property = fc.asyncProperty(values, async (value) => {
      expect((await resultOf(value))?.result).toEqual(plainJson(value))
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('of a value too large for the log is the preview that the model read', async () => {
    const found = (await resultOf({ text: 'x'.repeat(2_000_000) }))?.result
    expect(found).toEqual(expect.stringContaining('xxx'))
    expect(String(found).length).toBeLessThan(1_000_000)
  })
})

test('tries after the first one are counted', async () => {
  let tries = 0
  const flaky = tool({
    name: 'flaky',
    description: 'Fails twice',
    retry: { maxAttempts: 3, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1 },
    execute: () => {
      tries += 1
      if (tries < 3) throw new Error('not yet')
      return tries
    },
  })
  const trying = agent({ name: 'trying', model: scriptedModel([]), tools: [flaky] })
  const run = await runTest(trying, [user('Try'), model({ toolCalls: [{ name: 'flaky' }] }), model('Done.')])
  expect(getToolResults(run.events)).toMatchObject([{ result: 3, retryCount: 2 }])
})

test('decisions are found with the tool that they are about', async () => {
  const pay = tool({ name: 'pay', description: 'Pay', toolClass: 'external', execute: () => 'paid' })
  const payer = agent({ name: 'payer', model: scriptedModel([]), tools: [pay] })
  const run = await runTest(payer, [user('Pay'), model({ toolCalls: [{ name: 'pay' }] }), model('Paid.')], {
    approvals: () => ({ approved: false, reason: 'Not today.' }),
  })
  expect(findEventsByType(run.events, 'approval_decided')).toMatchObject([
    { name: 'pay', callId: 'call_1', approved: false, reason: 'Not today.', by: { method: 'handler' } },
  ])
  expect(findEventsByType(run.events, 'tool_denied')).toEqual([])
  expect(findEventsByType(run.events, 'assistant').map((event) => event.text)).toEqual(['', 'Paid.'])
})

test('arguments that are no JSON are found as they were written; calls and results of one tool can be asked for [tools-in-an-agent/kit-finders]', async () => {
  const one = tool({ name: 'one', description: 'One', execute: () => 1 })
  const two = tool({ name: 'two', description: 'Two', execute: () => 2 })
  const both = agent({ name: 'both', model: scriptedModel([]), tools: [one, two] })
  const toolCalls = [
    { name: 'one', argumentsText: '{bad' },
    { name: 'two', id: 'mine' },
  ]
  const { events } = await runTest(both, [user('Go'), model({ toolCalls }), model('Done.')])
  expect(getToolCalls(events, 'one')).toMatchObject([{ name: 'one', args: '{bad' }])
  expect(getToolResults(events, 'two')).toMatchObject([{ name: 'two', result: 2 }])
  expect(findEventsByType(events, 'call.proposed').map((event) => event.modelCallId)).toContain('mine')
})

test('events are found in a stored log as in a flat one, by our own names too', async () => {
  const idle = agent({ name: 'idle', model: scriptedModel([]) })
  const run = await runTest(idle, [user('Hi'), model('Hello.')])
  const stored = await run.session.events()
  for (const type of Object.keys(eventTable) as (keyof typeof eventTable)[])
    expect(findEventsByType(stored, type)).toEqual(findEventsByType(run.events, type))
  expect(findEventsByType(stored, 'user')).toEqual([
    { type: 'user', text: 'Hi', sequence: 3, at: expect.any(Number) },
  ])
})

test('a type that does not exist is refused, not answered with nothing', () => {
  expect(() => findEventsByType([], 'tool_results' as 'tool_result')).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('tool_result,') }),
  )
})

test('the end of a call without its beginning is refused', async () => {
  const give = tool({ name: 'give', description: 'Gives', execute: () => 1 })
  const giver = agent({ name: 'giver', model: scriptedModel([]), tools: [give] })
  const run = await runTest(giver, [user('Give'), model({ toolCalls: [{ name: 'give' }] }), model('Given.')])
  const late = run.events.filter((event) => event.type !== 'call.proposed')
  expect(() => findEventsByType(late, 'tool_result')).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('"call_1"') }),
  )
})

test('every alias names events that there are', () => {
  expect(
    Object.values(aliasTable)
      .flat()
      .filter((type) => !(type in eventTable)),
  ).toEqual([])
})
