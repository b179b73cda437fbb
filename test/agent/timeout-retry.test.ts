import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agent, scriptedModel, tool } from '../../src/index.ts'
import { retryDelayMs } from '../../src/runtime/attempt.ts'
import { manualClock } from '../../src/testing.ts'
import { calling, play } from '../support/play.ts'

const retry = { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 8, backoffMultiplier: 2 }

function flaky(failures: number, over: object = {}) {
  const keys: string[] = []
  const made = tool({
    name: 'fetch_rate',
    description: 'Fetches',
    retry,
    execute: (_args, { attempt, idempotencyKey }) => {
      keys.push(idempotencyKey)
      if (attempt <= failures) throw new Error(`upstream 503 (attempt ${attempt})`)
      return { attempts: attempt }
    },
    ...over,
  })
  return { made, keys }
}

test('two failures and a success are one result [approvals/I1]', async () => {
  const { told, events } = await play({ tools: [flaky(2).made] }, [calling('fetch_rate')])
  expect(told).toEqual(['{"attempts":3}'])
  const outcomes = events.filter(
    ({ event }) => event.type === 'call.completed' || event.type === 'call.failed',
  )
  expect(outcomes.map(({ event }) => event)).toMatchObject([{ type: 'call.completed', tries: 3 }])
})

test('every try has the same idempotency key [tools-in-an-agent/one-key-all-tries]', async () => {
  const { made, keys } = flaky(2)
  await play({ tools: [made] }, [calling('fetch_rate')])
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('when every try fails, the last error is the one result [approvals/I2]', async () => {
  const { made, keys } = flaky(9)
  const { told } = await play({ tools: [made] }, [calling('fetch_rate')])
  expect(told).toEqual(['Error: upstream 503 (attempt 3)'])
  expect(keys).toHaveLength(3)
})

test('an error that is not retryable ends the tries [approvals/I3]', async () => {
  const { made, keys } = flaky(9, { retry: { ...retry, retryableErrors: () => false } })
  await play({ tools: [made] }, [calling('fetch_rate')])
  expect(keys).toHaveLength(1)
})

test('a call over its time fails with the name and the budget, while the tool is told to stop [approvals/I4] [tools-in-an-agent/timeout-aborts]', async () => {
  let aborted: unknown
  const clock = manualClock()
  const slow = tool({
    name: 'slow_report',
    description: 'Slow',
    timeout: 25,
    execute: async (_args, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted = signal.reason
      })
      await clock.sleep(400)
      return 'too late'
    },
  })
  const session = await agent({
    name: 'a',
    model: scriptedModel([calling('slow_report'), 'done']),
    tools: [slow],
    parts: { clock },
  }).startSession()
  const running = session.run('go')
  await clock.advance(200)
  await running
  const [call] = session.state.calls.values()
  expect(call?.end).toMatchObject({
    status: 'failed',
    code: 'timed_out',
    timedOut: true,
    message: 'Tool "slow_report" timed out after 25 ms',
  })
  expect(aborted).toBeInstanceOf(Error)
})

test('an effect that an abandoned tool may still have is uncertain, and its late success is recorded, not lost [faults/F58]', async () => {
  const clock = manualClock()
  const slow = tool({
    name: 'slow_report',
    description: 'Slow',
    timeout: 25,
    execute: async () => {
      await clock.sleep(400)
      return 'after all'
    },
  })
  const model = scriptedModel([calling('slow_report'), 'done'])
  const session = await agent({ name: 'a', model, tools: [slow], parts: { clock } }).startSession()
  const running = session.run('go')
  await clock.advance(200)
  await running
  const call = () => [...session.state.calls.values()][0]
  expect(call()?.end).toMatchObject({ effect: 'uncertain' })
  expect(session.state.uncertain.size).toBe(1)
  await clock.advance(300)
  expect(call()?.late).toMatchObject({ status: 'completed', text: { inline: 'after all' } })
  expect(session.state.uncertain.size).toBe(0)
})

test('a tool that acknowledges the abort by throwing has no uncertain effect', async () => {
  const clock = manualClock()
  const polite = tool({
    name: 'polite',
    description: 'Polite',
    timeout: 25,
    execute: (_args, { signal }) => clock.sleep(400, signal),
  })
  const model = scriptedModel([calling('polite'), 'done'])
  const session = await agent({ name: 'a', model, tools: [polite], parts: { clock } }).startSession()
  const running = session.run('go')
  await clock.advance(200)
  await running
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'timed_out', effect: 'none' })
})

test('the budget is for the whole call, not for one try [approvals/I5]', async () => {
  const clock = manualClock()
  let tries = 0
  const failing = tool({
    name: 'failing',
    description: 'Fails slowly',
    timeout: 100,
    retry: { maxAttempts: 5, initialDelayMs: 1, maxDelayMs: 1, backoffMultiplier: 1 },
    execute: async (_args, { signal }) => {
      tries += 1
      await clock.sleep(60, signal)
      throw new Error('no')
    },
  })
  const model = scriptedModel([calling('failing'), 'done'])
  const session = await agent({ name: 'a', model, tools: [failing], parts: { clock } }).startSession()
  const running = session.run('go')
  await clock.advance(1_000)
  await running
  expect(tries).toBe(2)
  expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'timed_out' })
})

test('the record of a throw is its message exactly [approvals/I6]', async () => {
  const charge = tool({
    name: 'charge_card',
    description: 'Charges',
    execute: () => {
      throw new Error('Card declined for 40')
    },
  })
  const { calls } = await play({ tools: [charge] }, [calling('charge_card')])
  expect(calls[0]?.end).toMatchObject({ message: 'Card declined for 40' })
})

test('a message that merely says "timed out" is no timeout [tools-in-an-agent/timed-out-is-known]', async () => {
  const said = tool({
    name: 'say',
    description: 'Says',
    timeout: 5_000,
    execute: () => {
      throw new Error('the upstream timed out')
    },
  })
  const { calls } = await play({ tools: [said] }, [calling('say')])
  expect(calls[0]?.end).toEqual({
    status: 'failed',
    code: 'tool_error',
    message: 'the upstream timed out',
    effect: 'none',
  })
})

test('three tools that fail in three ways leave a run that completes [approvals/I7]', async () => {
  const clock = manualClock()
  const slow = tool({ name: 'slow', description: 'Slow', timeout: 25, execute: () => clock.sleep(400) })
  const bad = tool({
    name: 'bad',
    description: 'Bad',
    execute: () => {
      throw new Error('bad')
    },
  })
  const model = scriptedModel([calling('fetch_rate'), calling('slow'), calling('bad'), 'done'])
  const session = await agent({
    name: 'a',
    model,
    tools: [flaky(9).made, slow, bad],
    parts: { clock },
  }).startSession()
  const running = session.run('go')
  await clock.advance(1_000)
  expect(await running).toMatchObject({ status: 'completed', text: 'done', steps: 4 })
})

test('delays grow and stay between the first and the longest [approvals/I12]', () => {
  const policy = fc.record({
    initialDelayMs: fc.integer({ min: 0, max: 1_000 }),
    more: fc.integer({ min: 0, max: 60_000 }),
    backoffMultiplier: fc.double({ min: 1, max: 10, noNaN: true }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  fc.assert(
    fc.property(
      policy,
      fc.integer({ min: 1, max: 20 }),
      ({ initialDelayMs, more, backoffMultiplier, random }, failures) => {
        const maxDelayMs = initialDelayMs + more
        const at = (n: number, dice: number) =>
          retryDelayMs({ maxAttempts: 99, initialDelayMs, maxDelayMs, backoffMultiplier }, n, dice)
        const delay = at(failures, random)
        expect(delay).toBeGreaterThanOrEqual(initialDelayMs)
        expect(delay).toBeLessThanOrEqual(maxDelayMs)
        expect(at(failures + 1, 0)).toBeGreaterThanOrEqual(delay - 1e-6 * delay)
      },
    ),
  )
})

test.each([
  [
    'a getter that throws',
    Object.defineProperty({}, 'message', {
      get: () => {
        throw new Error('trap')
      },
    }),
  ],
  [
    'a proxy',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap')
        },
      },
    ),
  ],
  ['a symbol', Symbol('s')],
  ['nothing', undefined],
])('a hostile thrown value is an outcome like any other: %s [faults/F63]', async (_name, thrown) => {
  const hostile = tool({
    name: 'hostile',
    description: 'Hostile',
    execute: () => {
      throw thrown
    },
  })
  const { calls, result } = await play({ tools: [hostile] }, [calling('hostile')])
  expect(calls[0]?.end).toMatchObject({ status: 'failed', code: 'tool_error' })
  expect(result.status).toBe('completed')
})
