import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  agentTool,
  isToolpostError,
  scriptedModel,
  sequence,
  suspend,
  type Tool,
  type ToolContext,
  tool,
} from '../../src/index.ts'
import {
  decide,
  findEventsByType,
  getToolResults,
  manualClock,
  model,
  runTest,
  type TestRun,
  type TestStep,
  user,
  wait,
} from '../../src/testing.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000
const hour = 60 * minute

function agentWith(tools: readonly Tool[], over: Partial<AgentConfig> = {}) {
  return agent({ name: 'clerk', model: scriptedModel([]), tools, ...over })
}

const calls = (name: string) => model({ toolCalls: [{ name }] })

/** A tool that puts its call off so often, each time for so long. */
function deferring(delayMs: number, times = 1): Tool {
  let left = times
  return tool({
    name: 'check',
    description: 'Checks',
    toolClass: 'read',
    execute: (_args, context: ToolContext) => {
      left -= 1
      return left < 0 ? 'ready' : context.retryAfter(delayMs)
    },
  })
}

const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'external', execute: () => 'paid' })

/** When the first event of a type stands in the log, in milliseconds from the test's beginning. */
function afterMs({ events }: TestRun, type: string): number | undefined {
  const found = events.find((event) => event.type === type)
  return found === undefined ? undefined : found.at - start
}

async function refusal(steps: readonly TestStep[], over: Partial<AgentConfig> = {}, options = {}) {
  const thrown = await runTest(agentWith([pay], over), steps, options).catch((error: unknown) => error)
  if (!isToolpostError(thrown)) throw new Error('The script was not refused.', { cause: thrown })
  return thrown
}

describe('time that passes while a run rests', () => {
  test('brings on a call that was put off for as long as the process waits, and no sooner', async () => {
    const steps = [user('Go.'), calls('check'), wait(minute - 1), wait(1), model('Done.')]
    const run = await runTest(agentWith([deferring(minute)]), steps)
    expect(run).toMatchObject({ status: 'completed', output: 'Done.' })
    expect(afterMs(run, 'call.completed')).toBe(minute)
  })

  test.each([1, 3])('brings on a call that was put off for hours, %i times', async (times) => {
    const steps = [user('Go.'), calls('check'), ...Array(times).fill(wait(5 * hour)), model('Done.')]
    const run = await runTest(agentWith([deferring(5 * hour, times)]), steps)
    expect(run.status).toBe('completed')
    expect(afterMs(run, 'call.completed')).toBe(times * 5 * hour)
  })

  test('that does not suffice leaves the run waiting', async () => {
    const steps = [user('Go.'), calls('check'), wait(hour), wait(3 * hour)]
    const run = await runTest(agentWith([deferring(5 * hour)]), steps)
    expect(run).toMatchObject({ status: 'waiting', iterations: 1 })
  })

  test.each([
    ['that was left to somebody else', () => suspend()],
    ['that the handler has not answered', () => new Promise<never>(() => {})],
  ])('lets an ask expire %s', async (_which, approvals) => {
    const steps = [user('Pay.'), calls('pay'), wait(10 * minute), model('Nobody answered.')]
    const run = await runTest(agentWith([pay], { approvals, askExpiryMs: 10 * minute }), steps)
    expect(run).toMatchObject({ status: 'completed', output: 'Nobody answered.' })
    const [decision] = findEventsByType(run.events, 'approval_decided')
    expect(decision).toMatchObject({ approved: false, category: 'expired', waitedMs: 10 * minute })
  })

  test('makes the default of a question its answer', async () => {
    const ask = tool({
      name: 'ask',
      description: 'Asks',
      yieldSchema: { type: 'string' },
      yieldTimeout: hour,
      yieldDefault: 'window',
    })
    const over = { inputs: () => suspend() }
    const steps = [user('Go.'), calls('ask'), wait(hour), model('A window, then.')]
    const run = await runTest(agentWith([ask], over), steps)
    expect(getToolResults(run.events)).toMatchObject([{ result: 'window' }])
  })

  test('passes before a decision that stands behind it, and after one that stands before it', async () => {
    const over = { approvals: () => suspend(), askExpiryMs: 10 * minute }
    const decided = decide({ pay: { approved: true } })
    const late = [user('Pay.'), calls('pay'), wait(minute), decided, model('Paid.')]
    const run = await runTest(agentWith([pay], over), late)
    expect(findEventsByType(run.events, 'approval_decided')).toMatchObject([{ waitedMs: minute }])
    const early = [user('Pay.'), calls('pay'), decided, wait(20 * minute), model('Paid.')]
    const [at] = findEventsByType((await runTest(agentWith([pay], over), early)).events, 'approval_decided')
    expect(at).toMatchObject({ approved: true, waitedMs: 0 })
    const tooLate = [user('Pay.'), calls('pay'), wait(20 * minute), decided, model('Paid.')]
    expect((await refusal(tooLate, over)).message).toContain('Step 4, decide({ pay }), answers nothing')
  })

  test('ends a run whose time is over, driven or at rest', async () => {
    const driven = [user('Pay.'), calls('pay'), wait(minute)]
    const pending = { approvals: () => new Promise<never>(() => {}), timeoutMs: minute }
    const stopped = await runTest(agentWith([pay], pending), driven)
    expect(stopped).toMatchObject({ status: 'cancelled', result: { code: 'RUN_TIMEOUT' } })
    const resting = await runTest(agentWith([pay], { ...pending, approvals: () => suspend() }), driven)
    expect(resting).toMatchObject({ status: 'cancelled', result: { code: 'RUN_TIMEOUT', tickets: [] } })
  })
})

describe('time that passes while a run goes on', () => {
  test('passes while the model is asked, and the answer comes when it has', async () => {
    const run = await runTest(agentWith([]), [user('Hi.'), wait(7 * minute), wait(minute), model('Hello.')])
    expect(run.output).toBe('Hello.')
    expect(afterMs(run, 'run.ended')).toBe(8 * minute)
  })

  test('is the time of a tool that takes it, of its timeout and of its retries', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      toolClass: 'read',
      timeout: 30_000,
      execute: () => clock.sleep(minute),
    })
    let tries = 0
    const flaky = tool({
      name: 'flaky',
      description: 'Flaky',
      toolClass: 'read',
      retry: { maxAttempts: 3, initialDelayMs: 5_000, maxDelayMs: 5_000, backoffMultiplier: 1 },
      execute: () => {
        tries += 1
        if (tries < 3) throw new Error('not yet')
        return tries
      },
    })
    const steps = [
      user('Go.'),
      ...[calls('slow'), wait(minute)],
      ...[calls('flaky'), wait(5_000), wait(5_000), model('Done.')],
    ]
    const run = await runTest(agentWith([slow, flaky]), steps, { clock })
    expect(getToolResults(run.events)).toMatchObject([{ timedOut: true }, { result: 3, retryCount: 2 }])
    expect(clock.now()).toBe(start + minute + 10_000)
  })

  test('stops a run that shows no sign of life, and one that the model keeps too long', async () => {
    const hung = tool({
      name: 'hung',
      description: 'Hangs',
      toolClass: 'read',
      execute: (_args, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    const idle = { idle: { timeoutMs: minute } }
    const quiet = await runTest(agentWith([hung], idle), [user('Go.'), calls('hung'), wait(minute)])
    expect(quiet).toMatchObject({ status: 'cancelled', result: { code: 'IDLE_TIMEOUT' } })
    const kept = await runTest(agentWith([], { timeoutMs: minute }), [user('Go.'), wait(2 * minute)])
    expect(kept).toMatchObject({ status: 'cancelled', result: { code: 'RUN_TIMEOUT' } })
    expect(afterMs(kept, 'run.ended')).toBe(minute)
  })

  test('passes for the model that begins late', async () => {
    const late = model({ text: 'Hello.', delayMs: minute })
    expect(await runTest(agentWith([]), [user('Hi.'), late, wait(minute)])).toMatchObject({
      output: 'Hello.',
    })
  })

  test('passes in the runs below, and in a flow', async () => {
    const kid = agent({
      name: 'kid',
      model: scriptedModel([{ calls: [{ name: 'check' }] }, 'It is ready.'], { fromHistory: true }),
      tools: [deferring(minute)],
    })
    const helper = agentTool(kid, { name: 'helper', description: 'Helps' })
    const asked = model({ toolCalls: [{ name: 'helper', args: { input: 'x' } }] })
    const run = await runTest(agentWith([helper]), [user('Go.'), asked, wait(minute), model('Done.')])
    expect(getToolResults(run.events)).toMatchObject([{ result: 'It is ready.' }])
    expect(run.streamEvents.map(({ type }) => String(type))).not.toContain('child.event')
    let entered = 0
    const later = (_input: string, context: ToolContext) => {
      entered += 1
      return entered === 1 ? context.retryAfter(hour) : 'late'
    }
    const flow = sequence({ name: 'flow', steps: [later] })
    expect(await runTest(flow, [user('x'), wait(hour)])).toMatchObject({ output: 'late' })
  })
})

describe('time for which nothing is due', () => {
  test('passes and nothing happens, also between two runs and behind the last one', async () => {
    const steps = [
      user('Hi.'),
      model('Hello.'),
      wait(hour),
      wait(0),
      user('Again.'),
      model('Yes.'),
      wait(hour),
    ]
    const run = await runTest(agentWith([]), steps)
    const at = findEventsByType(run.events, 'run.started').map((event) => event.at - start)
    expect(at).toEqual([0, hour])
    expect(run.output).toBe('Yes.')
  })

  test('changes nothing of what happens without it', async () => {
    const without = [user('Pay.'), calls('pay'), model('Paid.')]
    const over = { approvals: () => ({ approved: true }) }
    const clock = manualClock()
    const plain = await runTest(agentWith([pay], over), without, { clock })
    const waited = await runTest(agentWith([pay], over), [...without, wait(hour)])
    expect(waited.events).toEqual(plain.events)
    expect(waited.streamEvents).toEqual(plain.streamEvents)
  })
})

describe('the clock', () => {
  test("is the test's own, and real time is no part of it", async () => {
    const before = Date.now()
    const steps = [user('Hi.'), wait(10 * minute), model('Hello.')]
    const [one, other] = await Promise.all([runTest(agentWith([]), steps), runTest(agentWith([]), steps)])
    expect(one?.events).toEqual(other?.events)
    expect(Date.now() - before).toBeLessThan(10 * minute)
  })

  test("is the agent's where that one can be moved", async () => {
    const clock = manualClock(0)
    await runTest(agentWith([], { parts: { clock } }), [user('Hi.'), model('Hello.'), wait(minute)])
    expect(clock.now()).toBe(minute)
  })

  test('that cannot be moved is refused, with the step that would move it', async () => {
    const { now, timer, sleep } = manualClock()
    const steps = [user('Hi.'), model('Hello.'), wait(minute)]
    const { message } = await refusal(steps, {}, { clock: { now, timer, sleep } })
    expect(message).toContain('Step 3, wait(60000), needs a clock that can be moved')
  })
})

test.each([
  [-1, 'not -1'],
  [Number.NaN, 'not NaN'],
  [Number.POSITIVE_INFINITY, 'not Infinity'],
  ['5', 'not "5"'],
  [undefined, 'not undefined'],
])('wait(%j) is refused with its place', async (given, said) => {
  const { code, message } = await refusal([user('Hi.'), wait(given as number), model('Hello.')])
  expect(code).toBe('INVALID_ARGUMENT')
  expect(message).toContain('Step 2, wait(...) takes a number of milliseconds, 0 or more')
  expect(message).toContain(said)
})

test('a wait before the first run is refused, and one that is left over is listed', async () => {
  expect((await refusal([wait(1), user('Hi.'), model('Hello.')])).message).toContain(
    'Step 1, wait(1), comes before the first user(...)',
  )
  const { message, details } = await refusal([user('Hi.'), model('Hello.'), model('More.'), wait(5)])
  expect(message).toContain('step 3, model("More."); step 4, wait(5)')
  expect(details).toEqual({ unusedSteps: [3, 4] })
})
