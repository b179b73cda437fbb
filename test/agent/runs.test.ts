import { expect, test } from 'vitest'
import {
  agent,
  type DriverRequest,
  memoryStore,
  type RunEvent,
  type RunResult,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import { calling, play } from '../support/play.ts'

/** Reads a stream to its end: what came by, and the result. */
async function watch(stream: AsyncGenerator<RunEvent, RunResult, undefined>) {
  const events: RunEvent[] = []
  let next = await stream.next()
  while (!next.done) {
    events.push(next.value)
    next = await stream.next()
  }
  return { events, result: next.value }
}

function noting(name = 'note', toolClass: 'read' | 'write' = 'write', over: object = {}) {
  const runs: unknown[] = []
  const made = tool({
    name,
    description: 'Notes',
    toolClass,
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: (args) => {
      runs.push(args)
      return `noted ${args.n}`
    },
    ...over,
  })
  return { made, runs }
}

test.each(['length', 'filter', 'other'] as const)(
  'an answer that ended with %s executes none of its calls, however whole they look [faults/F7]',
  async (finish) => {
    const { made, runs } = noting()
    const { result, calls } = await play({ tools: [made], mode: 'auto' }, [
      { text: 'I will', calls: [{ name: 'note', args: { n: 1 } }], finish },
    ])
    expect(runs).toEqual([])
    expect(calls).toEqual([])
    expect(result).toMatchObject({ status: 'cut_short', text: 'I will' })
  },
)

test('two calls of one tool in an answer both run, in order [faults/F15]', async () => {
  const { made, runs } = noting()
  const step = { calls: [1, 2].map((n) => ({ name: 'note', args: { n } })) }
  const { told } = await play({ tools: [made], mode: 'auto' }, [step])
  expect(runs).toEqual([{ n: 1 }, { n: 2 }])
  expect(told).toEqual(['noted 1', 'noted 2'])
})

test('a call id that is used twice, in a step or later, gets a number, and no result is swapped [faults/F16]', async () => {
  const { made } = noting()
  const requests: DriverRequest[] = []
  const steps = [
    { calls: [1, 2].map((n) => ({ id: 'same', name: 'note', args: { n } })) },
    { calls: [{ id: 'same', name: 'note', args: { n: 3 } }] },
    { calls: [{ id: '', name: 'note', args: { n: 4 } }] },
    'done',
  ]
  const model = scriptedModel((request, step) => {
    requests.push(request)
    return steps[step - 1] as 'done'
  })
  const session = await agent({ name: 'a', model, tools: [made] }).startSession('auto')
  await session.run('go')
  const results = requests
    .at(-1)
    ?.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  expect(results?.map(({ modelCallId, text }) => [modelCallId, text])).toEqual([
    ['same', 'noted 1'],
    ['same_2', 'noted 2'],
    ['same_3', 'noted 3'],
    ['call', 'noted 4'],
  ])
})

test('the same call twice in one answer is an error for the second, unless the tool says otherwise [faults/F18]', async () => {
  const step = { calls: [1, 1, 1].map((n) => ({ name: 'note', args: { n } })) }
  const strict = noting()
  const { calls } = await play({ tools: [strict.made], mode: 'auto' }, [step])
  expect(strict.runs).toHaveLength(1)
  expect(calls.map((call) => call.end)).toMatchObject([
    { status: 'completed' },
    { code: 'duplicate_call' },
    { code: 'duplicate_call' },
  ])
  const sharing = noting('note', 'write', { dedupe: 'share' })
  const shared = await play({ tools: [sharing.made], mode: 'auto' }, [step])
  expect(sharing.runs).toHaveLength(1)
  expect(shared.told).toEqual(['noted 1', 'noted 1', 'noted 1'])
  const running = noting('note', 'write', { dedupe: 'run' })
  await play({ tools: [running.made], mode: 'auto' }, [step])
  expect(running.runs).toHaveLength(3)
  const reading = noting('note', 'read')
  await play({ tools: [reading.made] }, [step])
  expect(reading.runs).toHaveLength(3)
})

test('the gate is the same whether a run is streamed, awaited, resumed or handed in by another loop [faults/F24]', async () => {
  const ways = {
    stream: async (made: ReturnType<typeof guarded>) =>
      (await watch((await made.startSession()).stream('go'))).result,
    run: async (made: ReturnType<typeof guarded>) => (await made.startSession()).run('go'),
    step: async (made: ReturnType<typeof guarded>) =>
      (await made.startSession()).step({ calls: [{ name: 'note', arguments: { n: 1 } }] }),
  }
  const runs: unknown[] = []
  const guarded = () => {
    const { made } = noting('note', 'write', { execute: (args: unknown) => runs.push(args) })
    return agent({ name: 'a', model: scriptedModel([calling('note', { n: 1 }), 'done']), tools: [made] })
  }
  for (const way of Object.values(ways)) await way(guarded())
  expect(runs).toEqual([])
})

test('another loop hands in a step and gets its results, repaired, refused and run alike', async () => {
  const { made } = noting('note', 'read')
  const session = await agent({ name: 'a', model: scriptedModel([]), tools: [made] }).startSession()
  const { results, status } = await session.step({
    text: 'Let me see',
    calls: [
      { id: 'a', name: 'note', arguments: '{"n":1}' },
      { id: 'b', name: 'note', arguments: { n: 'x' } },
      { name: 'nothing', arguments: {} },
    ],
  })
  expect(status).toBe('completed')
  expect(results).toMatchObject([
    { id: 'a', status: 'completed', text: 'noted 1', isError: false },
    { id: 'b', status: 'refused', code: 'invalid_arguments', isError: true },
    { id: 'call-3', status: 'refused', code: 'unknown_tool', isError: true },
  ])
})

test('after a model failed, what ran stays run, and the next turn goes on from the log [faults/F33]', async () => {
  const { made, runs } = noting()
  const model = scriptedModel([calling('note', { n: 1 }), { error: 'HTTP 500' }, 'fine now'])
  const asked: string[] = []
  const approvals = ({ id }: { id: string }) => {
    asked.push(id)
    return { approved: true }
  }
  const session = await agent({ name: 'a', model, tools: [made], approvals }).startSession()
  expect(await session.run('go')).toMatchObject({
    status: 'failed',
    text: expect.stringContaining('HTTP 500'),
  })
  expect(await session.run('go on')).toMatchObject({ status: 'completed', text: 'fine now' })
  expect(runs).toHaveLength(1)
  expect(asked).toHaveLength(1)
})

test('a model that breaks off in the middle of a call runs nothing', async () => {
  const { made, runs } = noting()
  const { result } = await play({ tools: [made], mode: 'auto' }, [
    { calls: [{ name: 'note', args: { n: 1 } }], breakOff: true },
  ])
  expect(runs).toEqual([])
  expect(result.status).toBe('failed')
})

test('cancelling reaches the model and every tool that runs; settled results stay [faults/F57]', async () => {
  const stop = new AbortController()
  const reasons: unknown[] = []
  const waiting = (name: string) =>
    tool({
      name,
      description: 'Waits',
      toolClass: 'read',
      parallel: true,
      execute: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason)
            reject(signal.reason)
          })
          if (name === 'b') stop.abort(new Error('enough'))
        }),
    })
  const first = noting('first', 'read')
  const model = scriptedModel([
    calling('first', { n: 1 }),
    { calls: [{ name: 'a' }, { name: 'b' }] },
    'never',
  ])
  const session = await agent({
    name: 'x',
    model,
    tools: [first.made, waiting('a'), waiting('b')],
  }).startSession()
  const result = await session.run('go', { signal: stop.signal })
  expect(result).toMatchObject({ status: 'cancelled', text: 'Stopped: enough' })
  expect(reasons).toHaveLength(2)
  const ends = [...session.state.calls.values()].map((call) => [call.name, call.end?.status])
  expect(ends).toEqual([
    ['first', 'completed'],
    ['a', 'failed'],
    ['b', 'failed'],
  ])
  let aborted = false
  const slow = scriptedModel(async (request: DriverRequest) => {
    expect(request.messages.length).toBeGreaterThan(0)
    stopModel.abort(new Error('stop'))
    return new Promise<string>(() => undefined)
  })
  const stopModel = new AbortController()
  stopModel.signal.addEventListener('abort', () => {
    aborted = true
  })
  const second = await agent({ name: 'x', model: slow }).startSession()
  expect((await second.run('go', { signal: stopModel.signal })).status).toBe('cancelled')
  expect(aborted).toBe(true)
})

test('calls of an answer that has no more steps are refused, and the run ends as step_limit', async () => {
  const { made, runs } = noting()
  const { result, calls } = await play({ tools: [made], mode: 'auto', stepsMax: 2 }, [
    calling('note', { n: 1 }),
    calling('note', { n: 2 }),
  ])
  expect(runs).toEqual([{ n: 1 }])
  expect(calls[1]?.end).toMatchObject({ code: 'step_limit' })
  expect(result.status).toBe('step_limit')
})

test('the thirty-third call of an answer is refused, the thirty-two before it run', async () => {
  const { made, runs } = noting()
  const step = { calls: Array.from({ length: 33 }, (_each, n) => ({ name: 'note', args: { n } })) }
  const { calls } = await play({ tools: [made], mode: 'auto' }, [step])
  expect(runs).toHaveLength(32)
  expect(calls[32]?.end).toMatchObject({ code: 'over_budget', category: 'budget' })
})

test('parallel tools of a step overlap, all others run one at a time in order', async () => {
  const trace: string[] = []
  const timed = (name: string, parallel: boolean) =>
    tool({
      name,
      description: 'Timed',
      toolClass: 'read',
      parallel,
      execute: async () => {
        trace.push(`${name} starts`)
        await new Promise((resolve) => setImmediate(resolve))
        await new Promise((resolve) => setImmediate(resolve))
        trace.push(`${name} ends`)
      },
    })
  const tools = [timed('p1', true), timed('p2', true), timed('s1', false), timed('s2', false)]
  await play({ tools }, [{ calls: ['p1', 'p2', 's1', 's2'].map((name) => ({ name })) }])
  expect(trace.slice(0, 2)).toEqual(['p1 starts', 'p2 starts'])
  expect(trace.slice(4)).toEqual(['s1 starts', 's1 ends', 's2 starts', 's2 ends'])
})

test('every call ends in exactly one outcome [tools-and-approvals/one-outcome]', async () => {
  const ok = noting('ok', 'read')
  const bad = noting('bad', 'read', {
    execute: () => {
      throw new Error('bad')
    },
  })
  const asks = noting('asks', 'write')
  const step = {
    calls: [
      { name: 'ok' },
      { name: 'bad' },
      { name: 'asks' },
      { name: 'none' },
      { name: 'ok', argumentsText: '{' },
    ],
  }
  const { events, calls } = await play({ tools: [ok.made, bad.made, asks.made] }, [step, step])
  const ends = new Map<string, number>()
  for (const { event } of events) {
    if (!['call.refused', 'call.cancelled', 'call.completed', 'call.failed'].includes(event.type)) continue
    const { call } = event as { call: string }
    ends.set(call, (ends.get(call) ?? 0) + 1)
  }
  expect([...ends.values()]).toEqual(calls.map(() => 1))
})

test('a stream gives the facts in the order of the log, with the deltas of the model between them', async () => {
  const { made } = noting('note', 'read')
  const model = scriptedModel([{ text: 'one two', calls: [{ name: 'note', args: { n: 1 } }] }, 'three'])
  const session = await agent({ name: 'a', model, tools: [made] }).startSession()
  const { events, result } = await watch(session.stream('go'))
  const types = events.map(({ type }) => type).filter((type) => type !== 'text.delta')
  expect(types).toEqual([
    'run.started',
    'message.added',
    'tools.offered',
    'call.delta',
    'message.added',
    'call.proposed',
    'call.started',
    'call.completed',
    'message.added',
    'run.ended',
  ])
  expect(events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).join('')).toBe(
    'one twothree',
  )
  const sequences = events.flatMap((event) => ('sequence' in event ? [event.sequence] : []))
  expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
  expect(result.text).toBe('three')
})

test('leaving the stream early stops the run and ends it as cancelled', async () => {
  const { made } = noting('note', 'read')
  const model = scriptedModel([calling('note', { n: 1 }), 'never heard'])
  const session = await agent({ name: 'a', model, tools: [made] }).startSession()
  for await (const event of session.stream('go')) if (event.type === 'call.completed') break
  const [run] = session.state.runs.values()
  expect(run?.ended?.status).toBe('cancelled')
})

test('a session takes one input at a time: no newer one overtakes a run [tools-in-an-agent/turn-superseded]', async () => {
  const { made } = noting()
  const model = scriptedModel([calling('note', { n: 1 }), 'done'])
  const session = await agent({ name: 'a', model, tools: [made], approvals: () => suspend() }).startSession()
  expect((await session.run('go')).status).toBe('waiting')
  await expect(session.run('more')).rejects.toMatchObject({ code: 'RUN_OPEN' })
})

test('a session that another process owns is busy, and its asks can be answered all the same', async () => {
  const store = memoryStore()
  const { made, runs } = noting()
  let ask: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const handler = (_request: unknown, signal: AbortSignal) =>
    new Promise<{ approved: boolean }>((resolve) => {
      ask?.()
      signal.addEventListener('abort', () => resolve({ approved: false }))
    })
  const one = agent({
    name: 'a',
    model: scriptedModel([calling('note', { n: 1 }), 'done']),
    tools: [made],
    store,
    approvals: handler,
  })
  const two = agent({ name: 'a', model: scriptedModel([]), tools: [made], store })
  const session = await one.startSession()
  const running = session.run('go')
  await asked
  const same = await two.openSession(session.id)
  await expect(watch(same.resume())).rejects.toMatchObject({ code: 'SESSION_BUSY' })
  const [ticket] = same.state.tickets.keys()
  await two.decide(ticket as string, { approved: true }, { id: 'bob', method: 'library' })
  expect((await running).status).toBe('completed')
  expect(runs).toEqual([{ n: 1 }])
  const late = two.decide(ticket as string, { approved: false }, { id: 'eve', method: 'library' })
  await expect(late).rejects.toMatchObject({
    code: 'TICKET_DECIDED',
    message: expect.stringContaining('bob'),
  })
})

test('context names the call, the run, the session and the agent [tools-in-an-agent/context-names-call] [tools-in-an-agent/context-names-run] [tools-and-approvals/context-describes-call]', async () => {
  let seen: Record<string, unknown> = {}
  const inspect = tool({
    name: 'inspect',
    description: 'Inspects',
    toolClass: 'read',
    schema: { type: 'object', properties: { note: { type: 'string' } } },
    execute: (args, context) => {
      expect(context.args).toBe(args)
      seen = { ...context, aborted: context.signal.aborted }
    },
  })
  const { session, result, calls } = await play({ tools: [inspect] }, [calling('inspect', { note: 'x' })])
  expect(seen).toMatchObject({
    toolName: 'inspect',
    callId: calls[0]?.id,
    idempotencyKey: calls[0]?.id,
    invocationId: result.run,
    runnable: { name: 'player' },
    session: { id: session.id, subject: 'local' },
    attempt: 1,
    aborted: false,
    args: { note: 'x' },
  })
})

test('the one signature: arguments first, context second [tools-in-an-agent/execute-signature] [tools-in-an-agent/context-signal]', async () => {
  const lengths: number[] = []
  const counted = tool({
    name: 'counted',
    description: 'Counts',
    toolClass: 'read',
    execute: (...given) => {
      lengths.push(given.length)
      expect(given[1].signal).toBeInstanceOf(AbortSignal)
    },
  })
  await play({ tools: [counted] }, [calling('counted')])
  expect(lengths).toEqual([2])
})

test('progress reaches the stream and is kept nowhere', async () => {
  const slow = tool({
    name: 'slow',
    description: 'Slow',
    toolClass: 'read',
    execute: (_args, { progress }) => progress({ message: 'half', fraction: 0.5 }),
  })
  const session = await agent({
    name: 'a',
    model: scriptedModel([calling('slow'), 'done']),
    tools: [slow],
  }).startSession()
  const { events } = await watch(session.stream('go'))
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'call.progressed', progress: { message: 'half', fraction: 0.5 } }),
  )
  expect(JSON.stringify(await session.events())).not.toContain('half')
})

test('history over the bound is cut by the compaction rule, and no call is parted from its result', async () => {
  const requests: DriverRequest[] = []
  const { made } = noting('note', 'read')
  const model = scriptedModel((request, step) => {
    requests.push(request)
    return step < 30 ? calling('note', { n: step }) : 'done'
  })
  const session = await agent({
    name: 'a',
    model,
    tools: [made],
    stepsMax: 100,
    history: { entriesMax: 5 },
  }).startSession()
  await session.run('the first words')
  const messages = requests.at(-1)?.messages ?? []
  expect(messages[0]).toMatchObject({
    role: 'user',
    text: expect.stringMatching(/^the first words\n\n\[\d+ earlier messages/),
  })
  expect(messages).toHaveLength(11)
  const called = messages.flatMap((each) =>
    each.role === 'assistant'
      ? each.parts.flatMap((part) => (part.kind === 'call' ? [part.modelCallId] : []))
      : [],
  )
  const answered = messages.flatMap((each) =>
    each.role === 'tool' ? each.results.map((result) => result.modelCallId) : [],
  )
  expect(answered).toEqual(called)
})
