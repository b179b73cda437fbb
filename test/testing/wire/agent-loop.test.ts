import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agent, type Driver, tool } from '../../../src/index.ts'
import { getToolResults } from '../../../src/testing.ts'
import { type WireStep, wireServer } from '../../../src/testing-wire.ts'
import { keepNothing, providers } from '../../models/providers.ts'
import { wireNames } from './post.ts'

const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }
const summary = { openai: { reasoningSummary: 'auto' } }

/** The real providers, with and without what they give out of their reasoning. */
const drivers: Record<string, (url: string) => Driver> = {
  ...providers,
  'openai.responses, nothing kept': (url) => {
    const providerOptions = { openai: { ...keepNothing.openai, ...summary.openai } }
    return providers['openai.responses'](url, { providerOptions })
  },
  'openai.responses, summary': (url) => providers['openai.responses'](url, { providerOptions: summary }),
  'anthropic.messages, thinking': (url) =>
    providers['anthropic.messages'](url, { providerOptions: thinking }),
}

const script: readonly WireStep[] = [
  {
    reasoning: 'Both want money.',
    text: 'I pay both.',
    calls: [
      { name: 'pay', args: { customer: 'Ann', amount: 5 } },
      { name: 'pay', args: { customer: 'Bob', amount: 900 } },
    ],
  },
  { reasoning: 'Bob must wait.', calls: [{ name: 'balance' }] },
  'Ann has her money, Bob has to wait.',
]

function payer(model: Driver) {
  const paid: unknown[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pay a customer',
    toolClass: 'external',
    schema: z.object({ customer: z.string(), amount: z.number() }),
    execute: (args) => {
      paid.push(args)
      return { receipt: `R-${args.amount}` }
    },
  })
  const balance = tool({ name: 'balance', description: 'What is left', toolClass: 'read', execute: () => 95 })
  const made = agent({
    name: 'payer',
    model,
    instructions: 'Pay whoever asks.',
    tools: [pay, balance],
    approvals: ({ args }) => {
      const { amount } = args as { amount: number }
      return amount > 100 ? { approved: false, reason: 'Too much.' } : { approved: true }
    },
  })
  return { made, paid }
}

describe.each(Object.entries(drivers))('over %s', (_name, driver) => {
  test('a loop with an approval and a denied call is taken, request by request', async () => {
    await using server = await wireServer({ script })
    const { made, paid } = payer(driver(server.url))
    const session = await made.startSession('ask')
    const result = await session.run('Ann wants 5 and Bob wants 900.')
    expect(result).toMatchObject({ status: 'completed', text: 'Ann has her money, Bob has to wait.' })
    expect(paid).toEqual([{ customer: 'Ann', amount: 5 }])
    expect(getToolResults(await session.events())).toMatchObject([
      { name: 'pay', error: expect.stringContaining('Too much.') },
      { name: 'pay', result: { receipt: 'R-5' } },
      { name: 'balance', result: 95 },
    ])
    expect(server.requests.map((request) => request.refused)).toEqual([undefined, undefined, undefined])
    expect(server.remaining()).toBe(0)
  })

  test('a second turn of the same session is taken too', async () => {
    await using server = await wireServer({ script: [...script, ...script] })
    const { made } = payer(driver(server.url))
    const session = await made.startSession('ask')
    await session.run('Ann wants 5 and Bob wants 900.')
    expect(await session.run('Once more.')).toMatchObject({ status: 'completed' })
    expect(server.requests.filter((request) => request.refused)).toEqual([])
  })
})

test.each(wireNames)('over %s, reasoning that is not asked for changes nothing', async (name) => {
  await using server = await wireServer({ script: [{ reasoning: 'Hm.', text: 'Hello.' }] })
  const { made } = payer(providers[name](server.url))
  const session = await made.startSession()
  expect(await session.run('Hi')).toMatchObject({ status: 'completed', text: 'Hello.' })
})

test.each(wireNames)('over %s, a run ends with the words of the server that refuses', async (name) => {
  await using server = await wireServer({ script: [{ status: 400, error: 'No more for today.' }] })
  const { made } = payer(providers[name](server.url))
  const session = await made.startSession()
  const result = await session.run('Hi')
  expect(result).toMatchObject({ status: 'failed', text: expect.stringContaining('No more for today.') })
})

test.each(wireNames)('over %s, a run that needs more than the script has fails and says so', async (name) => {
  await using server = await wireServer({ script: [{ calls: [{ name: 'balance' }] }] })
  const { made } = payer(providers[name](server.url))
  const session = await made.startSession()
  const result = await session.run('Hi')
  expect(result).toMatchObject({ status: 'failed' })
  expect(result.text).toContain('The script has 1 steps and is asked for step 2.')
})
