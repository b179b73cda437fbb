import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, scriptedModel, suspend, tool } from '../../src/index.ts'
import { matchers, model, type RunMatchers, runTest, type TestRun, user } from '../../src/testing.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends RunMatchers<R> {}
}

expect.extend(matchers)

const look = tool({
  name: 'look',
  description: 'Look up a SKU',
  toolClass: 'read',
  schema: z.object({ sku: z.string(), quantity: z.number().int().optional() }),
  execute: ({ sku }) => ({ sku, onHand: 12, shelves: [{ row: 1 }, { row: 2 }] }),
})
const pay = tool({ name: 'pay', description: 'Pay', toolClass: 'external', execute: () => 'paid' })
const shop = agent({ name: 'shop', model: scriptedModel([]), tools: [look, pay] })

const looking = (args: unknown) => ({ name: 'look', args })

/** A run with a good call, a bad one, and one that a person declined. */
function wholeRun(): Promise<TestRun> {
  return runTest(
    shop,
    [
      user('Look and pay'),
      model({ toolCalls: [looking({ sku: 'A', quantity: '3' }), looking({ quantity: 1 })] }),
      model({ toolCalls: [{ name: 'pay' }] }),
      model('Not paid.'),
    ],
    { approvals: () => ({ approved: false, reason: 'Too much.' }) },
  )
}

const quietRun = () => runTest(shop, [user('Hi'), model('Hello.')])
const failedRun = () => runTest(shop, [user('Hi'), model({ error: 'overloaded' })])
const waitingRun = () =>
  runTest(shop, [user('Pay'), model({ toolCalls: [{ name: 'pay' }] })], { approvals: () => suspend() })

/** What an assertion throws. */
function complaint(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The assertion holds.')
}

test('matchers find what a run did [tools-in-an-agent/kit-matchers]', async () => {
  const run = await wholeRun()
  expect(run).toHaveCompleted()
  expect(run).toHaveEndedAs('completed')
  expect(run).toHaveAnswered('Not paid.')
  expect(run).toHaveAnswered(/paid/)
  expect(run).toHaveCalledTool('look')
  expect(run).toHaveCalledTool('look', { sku: 'A' })
  expect(run).toHaveCalledTools(['look', 'look', 'pay'])
  expect(run).toHaveCalledTools([{ name: 'look', args: { sku: expect.any(String) } }, 'look', 'pay'])
  expect(run).toHaveAsked('pay')
  expect(run).toHaveRefused('pay')
  expect(run).toHaveRefused('pay', 'declined')
  expect(run).toHaveRefused('look', 'invalid_arguments')
  expect(run).toHaveResult('look')
  expect(run).toHaveResult('look', { onHand: 12, shelves: [{ row: 1 }, { row: expect.any(Number) }] })
})

test('matchers do not find what a run did not [tools-in-an-agent/kit-matchers]', async () => {
  const run = await quietRun()
  expect(run).not.toHaveEndedAs('failed')
  expect(run).not.toHaveAnswered('Hello')
  expect(run).not.toHaveAnswered(/paid/)
  expect(run).not.toHaveCalledTool('look')
  expect(run).not.toHaveCalledTools(['look'])
  expect(run).toHaveCalledTools([])
  expect(run).not.toHaveAsked('pay')
  expect(run).not.toHaveRefused('pay')
  expect(run).not.toHaveResult('look')
  expect(await failedRun()).not.toHaveCompleted()
  expect(await failedRun()).not.toHaveAnswered(/overloaded/)
  expect(await waitingRun()).toHaveEndedAs('waiting')
})

describe('a matcher that fails', () => {
  test('shows what was there instead', async () => {
    const run = await wholeRun()
    const calls = 'It called look({"sku":"A","quantity":"3"}), look({"quantity":1}), pay({}).'
    expect(complaint(() => expect(run).toHaveCalledTool('look', { sku: /^B/ }))).toBe(
      `Expected the run to have called look({"sku":"/^B/"}). ${calls}`,
    )
    expect(complaint(() => expect(run).toHaveCalledTools(['pay', 'look']))).toBe(
      `Expected the run to have called exactly, in this order: pay, look. ${calls}`,
    )
    expect(complaint(() => expect(run).toHaveAnswered('Paid.'))).toBe(
      'Expected the run to have answered "Paid.". It ended as completed: "Not paid.".',
    )
    expect(complaint(() => expect(run).toHaveRefused('pay', 'mode'))).toContain(
      'Expected the run to have refused a call of pay as "mode". It refused look (invalid_arguments: ',
    )
    expect(complaint(() => expect(run).toHaveAsked('look'))).toBe(
      `Expected the run to have asked about a call of look. It asked about pay. ${calls}`,
    )
    expect(complaint(() => expect(run).toHaveResult('look', { onHand: 13 }))).toContain(
      'the result {"onHand":13} of look. It had the error "Invalid arguments: /sku: Invalid input: expected string, received undefined", {"sku":"A",',
    )
  })

  test('says so when there was nothing', async () => {
    const run = await quietRun()
    expect(complaint(() => expect(run).toHaveCalledTool('look'))).toContain('It called no tool.')
    expect(complaint(() => expect(run).toHaveCalledTools(['look']))).toContain('It called no tool.')
    expect(complaint(() => expect(run).toHaveRefused('look'))).toContain('It refused no call.')
    expect(complaint(() => expect(run).toHaveAsked('look'))).toContain('It asked about no call.')
    expect(complaint(() => expect(run).toHaveResult('look'))).toContain('look came back with nothing.')
  })

  test('says how the run ended instead', async () => {
    const [failed, waiting] = [await failedRun(), await waitingRun()]
    expect(complaint(() => expect(failed).toHaveCompleted())).toMatch(
      /^Expected the run to have ended as completed\. It ended as failed: ".*overloaded/,
    )
    expect(complaint(() => expect(waiting).toHaveCompleted())).toBe(
      'Expected the run to have ended as completed. It is waiting for answers to ask_1.',
    )
    expect(complaint(() => expect(failed).toHaveEndedAs('waiting'))).toContain('to be waiting.')
  })

  test('turned round says what was there after all', async () => {
    const run = await quietRun()
    expect(complaint(() => expect(run).not.toHaveCompleted())).toBe(
      'Expected the run not to have ended as completed. It ended as completed: "Hello.".',
    )
  })

  test('refuses what is no run, such as a promise of one', () => {
    const promise = quietRun()
    expect(() => matchers.toHaveCompleted(promise as unknown as TestRun)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('await it') }),
    )
  })
})
