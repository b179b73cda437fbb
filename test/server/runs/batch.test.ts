import { describe, expect, test } from 'vitest'
import { scriptedModel, tool } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost } from '../../../src/server/host.ts'
import { baseline, baselineHost, oneLookup, serve, typesOf } from '../support/baseline.ts'

const strict = { ...baseline, onToolFailure: 'fail' } as const
const good = { id: 'good', name: 'lookup', args: { query: 'solar' } }

function never(): Promise<never> {
  throw new Error('An execution was asked for.')
}

/** A result for every execution. */
function answering(host: ReturnType<typeof baselineHost>) {
  return async ({ executionId, runId }: { executionId: string; runId: string }) => {
    const { session } = await host.runs.find(runId, {})
    await session.redeem(executionId, { output: { passages: [] } })
  }
}

const large = { query: 'x'.repeat(128_000) }

/** What is wrong with the second call of an answer, and the code of a run that ends with it. */
const faults: readonly (readonly [string, object, string])[] = [
  ['wrong arguments', { name: 'lookup', args: { unexpected: true } }, 'INVALID_TOOL_ARGUMENTS'],
  ['arguments that are no JSON', { name: 'lookup', argumentsText: '{"query":' }, 'INVALID_TOOL_ARGUMENTS'],
  ['more than 128,000 bytes', { name: 'lookup', args: large }, 'INVALID_TOOL_CALL'],
  ['a name that the run did not select', { name: 'other' }, 'TOOL_NOT_ALLOWED'],
]

describe('nothing of an answer runs before all of it was checked', () => {
  test.each(faults)(
    'with %s the run ends, and nothing was asked for [application/B1] [application/B3] [application-tools/bounds-before-any] [application-tools/limit-call-bytes]',
    async (_what, bad, code) => {
      const host = baselineHost({}, [good, { id: 'bad', ...bad } as never])
      const events = await serve(host, strict, never)
      expect(typesOf(events)).toEqual(['run.started', 'step.started', 'run.failed'])
      expect(events.at(-1)).toMatchObject({ error: { code, retryable: false } })
      expect(events.at(-1)).not.toHaveProperty('error.outcome')
    },
  )

  test.each(faults)('with %s the model is told by default, and the run goes on', async (_what, bad, code) => {
    const host = baselineHost({}, [good, { id: 'bad', ...bad } as never])
    const events = await serve(host, baseline, answering(host))
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', result: { text: 'finished' } })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool.failed', optional: true, callId: 'bad', code }),
    )
    expect(typesOf(events)).toContain('tool.completed')
  })

  test.each([
    ['one id twice', [good, { ...good, args: { query: 'lunar' } }]],
    ['an empty id', [good, { id: '', name: 'lookup', args: { query: 'lunar' } }]],
    ['an id of 257 units', [good, { id: 'x'.repeat(257), name: 'lookup', args: { query: 'lunar' } }]],
  ])(
    'with %s the run ends; by default the later call has another id [application/B6] [application-tools/bounds-before-any] [application-tools/limit-identifiers]',
    async (_what, calls) => {
      const events = await serve(baselineHost({}, calls), strict, never)
      expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'INVALID_TOOL_CALL' } })
      const host = baselineHost({}, calls)
      const told = await serve(host, baseline, answering(host))
      expect(told.at(-1)?.type).toBe('run.completed')
      const ids = told.flatMap((event) => (event.type === 'tool.called' ? [event.call.id] : []))
      expect(new Set(ids).size).toBe(2)
    },
  )

  test('with 33 calls the run ends; 32 are taken [application/B7]', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `c${index}`,
        name: 'lookup',
        args: { query: `${index}` },
      }))
    const events = await serve(baselineHost({}, many(33)), strict, never)
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'TOOL_LIMIT' } })
    const host = baselineHost({}, many(32))
    const all = await serve(host, strict, answering(host))
    expect(typesOf(all).filter((type) => type === 'tool.completed')).toHaveLength(32)
    expect(all.at(-1)?.type).toBe('run.completed')
  })

  test("a host's own tool is not entered when another call of the answer does not pass [application/B2]", async () => {
    let entered = 0
    const own = tool({
      name: 'own',
      description: 'Counts',
      schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      execute: () => {
        entered += 1
      },
    })
    const calls = [
      { id: 'a', name: 'own', args: { query: 'ok' } },
      { id: 'b', name: 'own', args: { query: 17 } },
    ]
    const host = baselineHost({ tools: [own] }, calls)
    const request = { provider: 'double', model: 'small', input: 'x', tools: ['own'], onToolFailure: 'fail' }
    const events = await serve(host, request, never)
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } })
    expect(entered).toBe(0)
  })
})

test('calls of the last step do not run, and the smaller bound of host and request counts [application/B4]', async () => {
  const events = await serve(baselineHost({ limits: { stepsMax: 1 } }), { ...strict, maxSteps: 10 }, never)
  expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'STEP_LIMIT' } })
  const byDefault = await serve(baselineHost(), { ...baseline, maxSteps: 1 }, never)
  expect(byDefault.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'STEP_LIMIT' } })
})

test('a run has 8 steps unless it asks for another number, and 64 at most [application-tools/limit-request-fields]', async () => {
  const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen' })
  const stepsOf = async (more: object) => {
    let asked = 0
    const model = scriptedModel(() => {
      asked += 1
      return { calls: [{ name: 'look', args: { at: asked } }] }
    })
    const host = createHost({ providers: { double: { models: { small: model } } }, tools: [look] })
    const plain = { provider: 'double', model: 'small', input: 'x', tools: ['look'] }
    const events = await serve(host, { ...plain, ...more }, never)
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'STEP_LIMIT' } })
    return asked
  }
  expect([await stepsOf({}), await stepsOf({ maxSteps: 64 })]).toEqual([8, 64])
  await expect(stepsOf({ maxSteps: 65 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test("an output of a host's own tool may have more than 1,000,000 bytes, and reaches the stream whole [application-tools/limit-host-output]", async () => {
  const output = 'x'.repeat(1_000_001)
  const large = tool({ name: 'large', description: 'Tells much', toolClass: 'read', execute: () => output })
  const host = baselineHost({ tools: [large] }, [{ id: 'one', name: 'large' }])
  const request = { provider: 'double', model: 'small', input: 'x', tools: ['large'] }
  const events = await serve(host, request, never)
  expect(events.find(({ type }) => type === 'tool.completed')).toMatchObject({ output })
  expect(events.at(-1)?.type).toBe('run.completed')
})

test('usage is what the provider counted, and what it did not count is absent [application-tools/usage]', async () => {
  const usageOf = async (...usages: readonly object[]) => {
    let step = 0
    const model = scriptedModel(() => {
      const usage = usages[step]!
      step += 1
      return step < usages.length ? { calls: oneLookup, usage } : { text: 'done', usage }
    })
    const host = createHost({
      providers: { double: { models: { small: model } } },
      applicationTools: { enabled: true, requireApproval: false },
    })
    const events = await serve(host, baseline, answering(host))
    const reported = events.flatMap((event) => (event.type === 'usage.reported' ? [event.usage] : []))
    return [reported, (events.at(-1) as Extract<RunEvent, { type: 'run.completed' }>).result.usage]
  }
  expect(await usageOf({ inputTokens: 3 }, { inputTokens: 4, outputTokens: 0 })).toEqual([
    [{ inputTokens: 3 }, { inputTokens: 4, outputTokens: 0 }],
    { inputTokens: 7, outputTokens: 0 },
  ])
  expect(await usageOf({})).toEqual([[], {}])
})

test('what is executed is what was checked, whatever became of the objects that were shown [application/B11]', async () => {
  const asked: unknown[] = []
  const host = baselineHost({
    applicationTools: { enabled: true },
    approve: ({ call }) => {
      ;(call.arguments as { query: string }).query = 'changed'
      return true
    },
  })
  for await (const event of host.stream(baseline)) {
    if (event.type === 'tool.called') {
      try {
        ;(event.call.arguments as { query: string }).query = 'changed'
      } catch {
        // It may be frozen.
      }
    }
    if (event.type !== 'tool.execution.requested') continue
    asked.push(event.execution.call.arguments)
    const { session } = await host.runs.find(event.runId, {})
    expect(session.state.calls.values().next().value?.args).toEqual({ query: 'solar' })
    await session.redeem(event.execution.executionId, { output: { passages: [] } })
  }
  expect(asked).toEqual([{ query: 'solar' }])
})

test('the conversation before and the bound of an answer reach the model', async () => {
  const seen: unknown[] = []
  const model = scriptedModel((request) => {
    seen.push(
      request.messages.map((message) => [message.role, 'text' in message ? message.text : 'parts']),
      request.outputTokensMax,
    )
    return 'done'
  })
  const host = createHost({ providers: { double: { models: { small: model } } } })
  const history = [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'A model.' },
  ]
  const request = {
    provider: 'double',
    model: 'small',
    input: 'Go on.',
    instructions: 'Be short.',
    history,
    maxOutputTokens: 77,
  }
  expect(await host.run(request)).toMatchObject({ text: 'done', steps: 1, finishReason: 'stop' })
  expect(seen).toEqual([
    [
      ['system', 'Be short.'],
      ['user', 'Who are you?'],
      ['assistant', 'parts'],
      ['user', 'Go on.'],
    ],
    77,
  ])
  expect(await host.run({ provider: 'double', model: 'small', input: 'x' })).toMatchObject({ text: 'done' })
  expect(seen.at(-1)).toBe(4_096)
  expect(oneLookup).toHaveLength(1)
})
