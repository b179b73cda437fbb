import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  type Driver,
  type ModelErrorContext,
  scriptedModel,
  type Tool,
  type ToolFailure,
  ToolpostError,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { manualClock } from '../../src/testing.ts'

/** A driver that fails so often, then answers. */
function failing(times: number, error: () => Error, before = '') {
  let requests = 0
  const driver: Driver = {
    name: 'failing',
    async *propose() {
      requests += 1
      if (requests > times) {
        yield { type: 'finish', reason: 'stop', parts: [{ kind: 'text', text: 'Here.' }], usage: {} }
        return
      }
      if (before !== '') yield { type: 'text', delta: before }
      throw error()
    },
  }
  return { driver, requests: () => requests }
}

const temporary = () => new ToolpostError('MODEL_FAILED', 'Busy.', { details: { retryable: true } })
const lasting = () => new Error('No such model.')

async function run(over: Partial<AgentConfig> & Pick<AgentConfig, 'model'>) {
  const clock = manualClock(0)
  const session = await agent({ name: 'clerk', parts: { clock }, ...over }).startSession()
  const running = session.run('Go.')
  await clock.advance(600_000)
  return { ...(await running), session }
}

describe('a model that fails', () => {
  test('fails the run, is asked again, or is stood in for, as its handler says [tools-in-an-agent/error-handlers]', async () => {
    const contexts: Omit<ModelErrorContext, 'signal'>[] = []
    const note = ({ attempt, step, shown }: ModelErrorContext) => void contexts.push({ attempt, step, shown })
    const failed = await run({
      model: failing(1, lasting).driver,
      onModelError: (_error, context) => {
        note(context)
        return 'fail'
      },
    })
    expect(failed).toMatchObject({ status: 'failed', text: 'The model failed: No such model.' })
    const again = await run({
      model: failing(2, lasting).driver,
      onModelError: (error, context) => {
        expect(error).toEqual(lasting())
        note(context)
        return 'retry'
      },
    })
    expect(again).toMatchObject({ status: 'completed', text: 'Here.' })
    const answered = await run({
      model: failing(9, lasting).driver,
      onModelError: () => ({ answer: 'I cannot say now.' }),
    })
    expect(answered).toMatchObject({ status: 'completed', text: 'I cannot say now.', steps: 1 })
    expect(answered.session.state.history.at(-1)).toMatchObject({ role: 'assistant', by: 'handler' })
    expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 1, 2])
    expect(contexts[0]).toEqual({ attempt: 1, step: 1, shown: false })
  })

  test('ends the run when it answers and asks again at once', async () => {
    const both = { answer: 'x', retryAfterMs: 5 }
    const { status, text } = await run({ model: failing(9, lasting).driver, onModelError: () => both })
    expect(status).toBe('failed')
    expect(text).toContain('more than one of')
  })

  test('is asked no more often than modelAttempts, whatever the handler says', async () => {
    const { driver, requests } = failing(99, lasting)
    const { status } = await run({ model: driver, modelAttempts: 4, onModelError: () => 'retry' })
    expect(status).toBe('failed')
    expect(requests()).toBe(4)
  })

  test('is asked again after exactly the time that the handler gives', async () => {
    const clock = manualClock(0)
    const { driver, requests } = failing(1, lasting)
    const made = agent({
      name: 'clerk',
      model: driver,
      parts: { clock },
      onModelError: () => ({ retryAfterMs: 7_000 }),
    })
    const running = (await made.startSession()).run('Go.')
    await clock.advance(6_999)
    expect(requests()).toBe(1)
    await clock.advance(1)
    expect((await running).text).toBe('Here.')
  })

  test.each([Number.POSITIVE_INFINITY, Number.NaN, -1])(
    'ends the run when the handler gives %s as the time to wait',
    async (retryAfterMs) => {
      const { driver } = failing(1, lasting)
      const { status, text } = await run({ model: driver, onModelError: () => ({ retryAfterMs }) })
      expect(status).toBe('failed')
      expect(text).toContain(
        `its retryAfterMs is ${retryAfterMs}; it must be a finite number of milliseconds`,
      )
    },
  )

  test.each([undefined, null])(
    'is treated as without a handler where that gives %s [application-tools/rate-retries]',
    async (nothing) => {
      const onModelError = () => nothing
      const passing = failing(1, temporary)
      expect((await run({ model: passing.driver, onModelError })).status).toBe('completed')
      const staying = failing(1, lasting)
      expect((await run({ model: staying.driver, onModelError })).status).toBe('failed')
      const shown = failing(1, temporary, 'Well')
      expect((await run({ model: shown.driver, onModelError })).status).toBe('failed')
      expect([passing, staying, shown].map(({ requests }) => requests())).toEqual([2, 1, 1])
    },
  )

  test('tells the handler whether a part of its answer was shown', async () => {
    const seen: boolean[] = []
    const over = (hooks: AgentConfig['hooks']) => ({
      model: failing(1, temporary, 'Well').driver,
      onModelError: (_error: unknown, { shown }: ModelErrorContext) => {
        seen.push(shown)
        return 'retry' as const
      },
      ...(hooks === undefined ? {} : { hooks }),
    })
    expect((await run(over(undefined))).status).toBe('completed')
    // Deltas that wait for a hook were not shown, and are dropped with the answer that broke off.
    expect((await run(over({ afterModel: () => undefined }))).status).toBe('completed')
    expect(seen).toEqual([true, false])
  })

  test.each([
    [() => Promise.reject(new Error('no idea')), 'onModelError failed: no idea'],
    [() => 'again' as never, 'onModelError failed: it answered neither'],
    [() => new Promise<undefined>(() => undefined), 'timed out after 10000 ms'],
  ])('fails the run with both sentences when the handler fails', async (onModelError, why) => {
    const { status, text } = await run({ model: failing(1, lasting).driver, onModelError })
    expect(status).toBe('failed')
    expect(text).toContain('The model failed: No such model.; and onModelError failed: ')
    expect(text).toContain(why)
  })
})

const broken = tool({
  name: 'broken',
  description: 'Fails',
  dedupe: 'run',
  execute: () => {
    throw new Error('no stock')
  },
})
const entered: string[] = []
const later = tool({ name: 'later', description: 'Comes later', execute: () => void entered.push('later') })

function runTools(tools: readonly Tool[], script: readonly ScriptStep[], over: Partial<AgentConfig>) {
  return run({ model: scriptedModel(script), tools, ...over })
}

describe('a tool that fails', () => {
  const script: ScriptStep[] = [{ calls: [{ name: 'broken' }, { name: 'later' }] }, 'Sorry.']

  test('is told to the model by default, and to none with "fail": the run ends with the tool’s code', async () => {
    entered.length = 0
    expect(await runTools([broken, later], script, {})).toMatchObject({ status: 'completed', text: 'Sorry.' })
    expect(await runTools([broken, later], script, { onToolFailure: 'tell' })).toMatchObject({
      text: 'Sorry.',
    })
    expect(entered).toEqual(['later', 'later'])
    const { session, ...result } = await runTools([broken, later], script, { onToolFailure: 'fail' })
    expect(result).toMatchObject({
      status: 'failed',
      code: 'tool_error',
      text: 'The tool "broken" failed (tool_error): no stock',
      steps: 1,
    })
    // What had not begun does not begin.
    expect(entered).toEqual(['later', 'later'])
    expect([...session.state.calls.values()].map(({ end }) => end?.status)).toEqual(['failed', 'cancelled'])
    expect((await session.events()).at(-1)?.event).toMatchObject({ type: 'run.ended', code: 'tool_error' })
  })

  test('may be judged by a function, which is asked once for every failure', async () => {
    const asked: ToolFailure[] = []
    const onToolFailure = (failure: ToolFailure) => {
      asked.push(failure)
      return asked.length < 3 ? ('tell' as const) : ('fail' as const)
    }
    const twice: ScriptStep = { calls: [{ name: 'broken' }, { name: 'broken' }] }
    const { session, ...result } = await runTools([broken], [twice, twice, 'No.'], { onToolFailure })
    expect(result).toMatchObject({ status: 'failed', steps: 2 })
    expect(asked).toHaveLength(3)
    expect(asked[0]).toEqual({
      call: expect.any(String),
      tool: 'broken',
      code: 'tool_error',
      message: 'no stock',
      effect: 'none',
      timedOut: false,
    })
    expect(session.state.calls.size).toBe(4)
  })

  test('ends the run when the function fails or answers nonsense', async () => {
    const failed = await runTools([broken], script, {
      onToolFailure: () => {
        throw new Error('no idea')
      },
    })
    expect(failed).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('onToolFailure failed: no idea'),
    })
    const odd = await runTools([broken], script, { onToolFailure: () => 'maybe' as never })
    expect(odd).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('onToolFailure answered maybe, neither "tell" nor "fail"'),
    })
    const none = await runTools([broken], script, { onToolFailure: () => ({}) as never })
    expect(none.text).toContain(
      'onToolFailure answered a value of the type object, neither "tell" nor "fail"',
    )
  })

  test.each(['its time', 'a signal'])(
    'does not end the run as failed when it is stopped by %s while the function thinks',
    async (what) => {
      const clock = manualClock(0)
      const stopped = new AbortController()
      let asked = 0
      const session = await agent({
        name: 'clerk',
        model: scriptedModel([{ calls: [{ name: 'broken' }, { name: 'broken' }] }, 'Sorry.']),
        tools: [broken],
        onToolFailure: () => {
          asked += 1
          return new Promise(() => {})
        },
        parts: { clock },
      }).startSession()
      const running = session.run(
        'Go.',
        what === 'its time' ? { timeoutMs: 300 } : { signal: stopped.signal },
      )
      await clock.advance(299)
      expect(asked).toBe(1)
      if (what !== 'its time') stopped.abort(new Error('Enough.'))
      await clock.advance(1)
      expect(await running).toMatchObject(
        what === 'its time'
          ? {
              status: 'cancelled',
              code: 'RUN_TIMEOUT',
              text: 'Stopped: The run took longer than its 300 ms.',
            }
          : { status: 'cancelled', text: 'Stopped: Enough.' },
      )
      expect(asked).toBe(1)
    },
  )

  test('ends the run when the function takes too long and nobody stops it', async () => {
    const slow = await runTools([broken], script, { onToolFailure: () => new Promise(() => {}) })
    expect(slow).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('onToolFailure failed: onToolFailure timed out'),
    })
  })

  test.each([undefined, null])('is told to the model where the function gives %s', async (nothing) => {
    const result = await runTools([broken], script, { onToolFailure: () => nothing })
    expect(result).toMatchObject({ status: 'completed' })
  })

  test.each([
    ['wrong arguments', { calls: [{ name: 'later' }, { name: 'strange', args: { a: 1 } }] }, 'unknown_tool'],
    ['a no of a person', { calls: [{ name: 'asks' }, { name: 'later' }] }, 'declined'],
  ])(
    'ends the run with %s where even a refusal does, and nothing of the step runs',
    async (_what, step, code) => {
      const ran: string[] = []
      const noting = (name: string, toolClass: 'read' | 'external') =>
        tool({ name, description: name, toolClass, execute: () => void ran.push(name) })
      const tools = [noting('later', 'read'), noting('asks', 'external')]
      const { session, ...result } = await runTools(tools, [step, 'never'], { onToolFailure: 'strict' })
      expect(result).toMatchObject({ status: 'failed', code, steps: 1 })
      expect(ran).toEqual([])
      expect(session.state.openRun).toBeUndefined()
    },
  )

  test('ends the run only after parallel neighbours that run have ended', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const slow = tool({
      name: 'slow',
      description: 'Takes its time',
      toolClass: 'read',
      parallel: true,
      execute: () => promise,
    })
    const quick = tool({
      name: 'quick',
      description: 'Fails at once',
      toolClass: 'read',
      parallel: true,
      execute: () => {
        setImmediate(() => resolve('slow and sure'))
        throw new Error('no')
      },
    })
    const both: ScriptStep = { calls: [{ name: 'slow' }, { name: 'quick' }] }
    const { session, status } = await runTools([slow, quick], [both], { onToolFailure: 'fail' })
    expect(status).toBe('failed')
    expect([...session.state.calls.values()].map(({ end }) => end?.status)).toEqual(['completed', 'failed'])
  })

  test('is left to onUncertain where nobody saw its outcome', async () => {
    const vague = tool({
      name: 'vague',
      description: 'Never ends',
      timeout: 10,
      execute: () => new Promise(() => undefined),
    })
    const vagueCall: ScriptStep = { calls: [{ name: 'vague' }] }
    const strict = { onToolFailure: 'fail', onUncertain: 'fail' } as const
    expect(await runTools([vague], [vagueCall], strict)).toMatchObject({ status: 'uncertain' })
    const { onUncertain: _, ...alone } = strict
    expect(await runTools([vague], [vagueCall], alone)).toMatchObject({ status: 'failed', code: 'timed_out' })
  })
})
