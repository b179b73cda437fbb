import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  ApprovalDecision,
  agent,
  applicationTool,
  isToolpostError,
  scriptedModel,
  sequence,
  suspend,
  type Tool,
  tool,
} from '../../src/index.ts'
import {
  findEventsByType,
  getToolCalls,
  getToolResults,
  input,
  manualClock,
  model,
  result,
  runTest,
  type TestOptions,
  type TestStep,
  user,
} from '../../src/testing.ts'

const warehouse: Record<string, number> = { 'ADK-1': 12, 'ADK-2': 0 }

/** A tool that counts how often it runs. */
function stockTool(): { checkStock: Tool; runs: () => number } {
  let runs = 0
  const checkStock = tool({
    name: 'check_stock',
    description: 'Look up how many units of a SKU the warehouse holds',
    toolClass: 'read',
    schema: z.object({ sku: z.string(), quantity: z.number().int().positive() }),
    execute: ({ sku, quantity }) => {
      runs += 1
      return { sku, canFulfil: (warehouse[sku] ?? 0) >= quantity }
    },
  })
  return { checkStock, runs: () => runs }
}

/** An agent whose own model must never be asked. */
function agentWith(tools: readonly Tool[], more: Partial<Parameters<typeof agent>[0]> = {}) {
  return agent({ name: 'shopkeeper', model: scriptedModel([]), tools, ...more })
}

const look = (sku: string, quantity: unknown = 3) =>
  model({ toolCalls: [{ name: 'check_stock', args: { sku, quantity } }] })

async function refusal(steps: readonly TestStep[], tools = [stockTool().checkStock], options?: TestOptions) {
  const thrown = await runTest(agentWith(tools), steps, options).catch((error: unknown) => error)
  if (!isToolpostError(thrown)) throw new Error('The script was not refused.', { cause: thrown })
  return thrown
}

test('a script of user, model and tool completes, and the finders give the one result [approvals/M6]', async () => {
  const run = await runTest(agentWith([stockTool().checkStock]), [
    user('Can I have 3 of ADK-1?'),
    look('ADK-1', '3'),
    model('Yes.'),
  ])
  expect(run).toMatchObject({ status: 'completed', iterations: 2, output: 'Yes.', result: { text: 'Yes.' } })
  expect(findEventsByType(run.events, 'tool_result')).toMatchObject([
    { name: 'check_stock', callId: 'call_1', result: { sku: 'ADK-1', canFulfil: true } },
  ])
  expect(getToolCalls(run.events)).toMatchObject([
    { callId: 'call_1', args: { sku: 'ADK-1', quantity: '3' } },
  ])
  expect(getToolResults(run.events)).toHaveLength(1)
  expect(await run.session.events()).toHaveLength(run.events.length)
})

test('bad arguments, a throw and a timeout are results that tell themselves apart', async () => {
  const clock = manualClock()
  const slow = tool({
    name: 'slow_report',
    description: 'Build the report',
    timeout: 25,
    execute: async (_args, { signal }) => {
      await clock.sleep(400, signal)
      return 'never'
    },
  })
  const charge = tool({
    name: 'charge',
    description: 'Charge the card',
    execute: () => {
      throw new Error('Card declined')
    },
  })
  const running = runTest(
    agentWith([stockTool().checkStock, slow, charge]),
    [
      user('Go'),
      model({ toolCalls: [{ name: 'check_stock', args: { sku: 'ADK-1' } }, { name: 'slow_report' }] }),
      model({ toolCalls: [{ name: 'charge' }] }),
      model('Nothing worked.'),
    ],
    { clock },
  )
  await clock.advance(25)
  await clock.advance(10_000)
  const { events, status } = await running
  expect(status).toBe('completed')
  expect(getToolResults(events)).toMatchObject([
    { name: 'check_stock', error: expect.stringMatching(/^Invalid arguments: /), durationMs: 0 },
    { name: 'slow_report', error: expect.stringContaining('25'), timedOut: true },
    { name: 'charge', error: 'Card declined' },
  ])
  expect(getToolResults(events).filter((each) => 'result' in each)).toEqual([])
})

describe('a result in place of a tool', () => {
  test('is what the model is told, and the tool does not run [approvals/M8]', async () => {
    const { checkStock, runs } = stockTool()
    const run = await runTest(agentWith([checkStock]), [
      user('Stock?'),
      look('ADK-1'),
      result({ check_stock: { onHand: 99 } }),
      look('ADK-2', 1),
      model('Plenty.'),
    ])
    expect(getToolResults(run.events).map((each) => each.result)).toEqual([
      { onHand: 99 },
      { sku: 'ADK-2', canFulfil: false },
    ])
    expect(runs()).toBe(1)
  })

  test('may stand before the answer with the calls, and may be a list with one for each call', async () => {
    const { checkStock, runs } = stockTool()
    const two = model({
      toolCalls: ['ADK-1', 'ADK-2'].map((sku) => ({ name: 'check_stock', args: { sku, quantity: 1 } })),
    })
    const run = await runTest(agentWith([checkStock]), [
      user('Stock?'),
      result({ check_stock: ['first', 'second'] }),
      two,
      two,
      result({ check_stock: 'both' }),
      model('So it is.'),
    ])
    expect(getToolResults(run.events).map((each) => each.result)).toEqual(['first', 'second', 'both', 'both'])
    expect(runs()).toBe(0)
  })

  test('that is an error fails the call as a throw does', async () => {
    const run = await runTest(agentWith([stockTool().checkStock]), [
      user('Stock?'),
      look('ADK-1'),
      result({ check_stock: new Error('The warehouse burned down') }),
      model('Oh.'),
    ])
    expect(getToolResults(run.events)).toMatchObject([{ error: 'The warehouse burned down' }])
  })

  test('spares a call none of its way: arguments, policy, asks and finalize', async () => {
    let runs = 0
    const pay = tool({
      name: 'pay',
      description: 'Pay somebody',
      toolClass: 'external',
      schema: z.object({ amount: z.number() }),
      execute: () => {
        runs += 1
      },
      finalize: (_args, context) => `shaped ${String(context.result)}`,
    })
    const asked: unknown[] = []
    const paying = (amount: unknown) => model({ toolCalls: [{ name: 'pay', args: { amount } }] })
    const run = await runTest(
      agentWith([pay]),
      [
        user('Pay'),
        paying('a lot'),
        result({ pay: 'never seen' }),
        paying(900),
        result({ pay: 'never seen' }),
        paying(5),
        result({ pay: 'receipt' }),
        model('Paid.'),
      ],
      {
        approvals: ({ args }) => {
          asked.push(args)
          return (args as { amount: number }).amount > 100
            ? ApprovalDecision.deny('Too much.')
            : { approved: true }
        },
      },
    )
    expect(asked).toEqual([{ amount: 900 }, { amount: 5 }])
    expect(getToolResults(run.events)).toMatchObject([
      { error: expect.stringMatching(/^Invalid arguments: /) },
      { error: expect.stringContaining('Too much.') },
      { result: 'shaped receipt' },
    ])
    expect(runs).toBe(0)
  })

  test('is refused where no answer beside it calls the tool, or the list has another length', async () => {
    expect(await refusal([user('Hi'), model('Yes'), result({ check_stock: 1 })])).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'Step 3, result({ check_stock }), stands beside no model step that calls "check_stock".',
    })
    const short = await refusal([user('Hi'), look('A'), result({ check_stock: [1, 2] }), model('Yes')])
    expect(short.message).toContain('lists 2 values for "check_stock", which is called 1 times there')
    const twice = [
      user('Hi'),
      look('A'),
      result({ check_stock: 1 }),
      result({ check_stock: 2 }),
      model('Yes'),
    ]
    expect((await refusal(twice)).message).toContain('a second result of "check_stock"')
  })
})

describe('a script that runs out', () => {
  test('fails with the step it ran out after and what the model was asked [approvals/M9]', async () => {
    const thrown = await refusal([user('Can I have 3 of ADK-1?'), look('ADK-1')])
    expect(thrown).toMatchObject({
      code: 'SCRIPT_EXHAUSTED',
      message:
        'The script ran out: after step 2, model({ toolCalls: [check_stock] }), the model was asked once more (check_stock returned "{\\"sku\\":\\"ADK-1\\",\\"canFulfil\\":true}"), and this turn has no model step left. Add a model(...) step there.',
      details: { afterStep: 2 },
    })
  })

  test('fails in the turn that is too short, not with the answers of the next one', async () => {
    const thrown = await refusal([user('Hello'), user('Anybody?'), model('Here.')])
    expect(thrown).toMatchObject({
      code: 'SCRIPT_EXHAUSTED',
      message: expect.stringContaining(
        'after step 1, user("Hello"), the model was asked once more (the user said "Hello")',
      ),
    })
  })
})

describe('a script with steps left', () => {
  test('fails and lists them [approvals/M10]', async () => {
    const thrown = await refusal([
      user('Hello'),
      model('Hi.'),
      look('ADK-1'),
      result({ check_stock: 1 }),
      model('One.'),
      user('Thanks'),
    ])
    expect(thrown).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message:
        'The run was over (completed: Hi.) after step 2, model("Hi."), and the script has steps left: step 3, model({ toolCalls: [check_stock] }); step 4, result({ check_stock }); step 5, model("One."); step 6, user("Thanks").',
      details: { unusedSteps: [3, 4, 5, 6] },
    })
  })

  test('fails when the run rests on an ask, and passes when the script ends there', async () => {
    const pay = tool({ name: 'pay', description: 'Pay', toolClass: 'external', execute: () => 'paid' })
    const approvals = () => suspend()
    const calls = model({ toolCalls: [{ name: 'pay' }] })
    const run = await runTest(agentWith([pay]), [user('Pay'), calls], { approvals })
    expect(run).toMatchObject({ status: 'waiting', output: undefined, result: { tickets: ['ask_1'] } })
    const left = await refusal([user('Pay'), calls, user('And?'), model('Done')], [pay], { approvals })
    expect(left).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message:
        'The run waits after step 2, model({ toolCalls: [pay] }), and the script has steps left: step 3, user("And?"); step 4, model("Done"). It waits for ask_1, an approval of "pay". Answer in the script, after step 2: decide({ pay: { approved: true } }).',
      details: { unusedSteps: [3, 4] },
    })
  })

  test('fails when a failing model leaves them', async () => {
    const thrown = await refusal([user('Hello'), model({ text: 'Wel', error: 'overloaded' }), model('Come.')])
    expect(thrown.message).toContain('step 3, model("Come.")')
    expect(thrown.message).toContain('overloaded')
  })
})

test('what is no step is refused', async () => {
  const steps = [user('Hi'), 'Hello.' as unknown as TestStep]
  expect((await refusal(steps)).message).toContain('Step 2 is no step; make it with user(...)')
})

test('a result belongs to its own turn', async () => {
  const steps = [user('A?'), look('A'), model('No.'), user('B?'), result({ check_stock: 1 }), model('No.')]
  expect((await refusal(steps)).message).toContain('Step 5, result({ check_stock }), stands beside no model')
})

test('a script begins with what the user says', async () => {
  expect((await refusal([model('Hi'), user('Hello')])).message).toContain('comes before the first user(...)')
  expect((await refusal([])).message).toContain('needs a user(...) step')
})

test('a script may have turns, which are runs of one session', async () => {
  const run = await runTest(agentWith([stockTool().checkStock]), [
    user('ADK-1?'),
    look('ADK-1'),
    model('12.'),
    user('And ADK-2?'),
    look('ADK-2', 1),
    result({ check_stock: 'none' }),
    model('None.'),
  ])
  expect(run.session.state.runs.size).toBe(2)
  expect(findEventsByType(run.events, 'user').map((event) => event.text)).toEqual(['ADK-1?', 'And ADK-2?'])
  expect(getToolResults(run.events).map((each) => each.result)).toEqual([
    { sku: 'ADK-1', canFulfil: true },
    'none',
  ])
  expect(run).toMatchObject({ status: 'completed', iterations: 2, output: 'None.' })
})

test('a failing model ends the run, and the script says so', async () => {
  const run = await runTest(agentWith([]), [user('Hello'), model({ error: new Error('overloaded') })])
  expect(run).toMatchObject({ status: 'failed', output: undefined, iterations: 0 })
  expect(run.result.text).toContain('overloaded')
})

test('what a tool ends the run with is the output', async () => {
  const done = tool({ name: 'done', description: 'End', execute: (_args, { output }) => output({ n: 1 }) })
  const run = await runTest(agentWith([done]), [user('End'), model({ toolCalls: [{ name: 'done' }] })])
  expect(run.output).toEqual({ n: 1 })
  expect(getToolResults(run.events)).toMatchObject([{ result: { n: 1 }, output: true }])
})

test('two at once share nothing, and the agent given is left as it was', async () => {
  const { checkStock, runs } = stockTool()
  const own = scriptedModel(['My own words.'])
  const shared = agentWith([checkStock], { model: own })
  const script = (sku: string, ...more: TestStep[]) => [
    user(sku),
    look(sku, 1),
    ...more,
    model(`Done ${sku}.`),
  ]
  const [first, second] = await Promise.all([
    runTest(shared, script('ADK-1')),
    runTest(shared, script('ADK-2', result({ check_stock: 'scripted' }))),
  ])
  expect(first.events.map((event) => event.type)).toEqual(second.events.map((event) => event.type))
  expect([first.output, second.output]).toEqual(['Done ADK-1.', 'Done ADK-2.'])
  expect(first.session.id).toBe(second.session.id)
  expect(getToolResults(second.events)).toMatchObject([{ callId: 'call_1', result: 'scripted' }])
  expect(runs()).toBe(1)
  expect(own.remaining()).toBe(1)
  await expect(shared.openSession(first.session.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  const session = await shared.startSession()
  expect(await session.run('Hello')).toMatchObject({ text: 'My own words.' })
})

test('the mode, the subject and the id of the session can be chosen', async () => {
  const run = await runTest(agentWith([stockTool().checkStock]), [user('Hi'), look('A'), model('No.')], {
    mode: 'off',
    subject: 'ann',
    sessionId: 'mine',
  })
  expect(run.session.state).toMatchObject({ id: 'mine', subject: 'ann', mode: 'off' })
  expect(findEventsByType(run.events, 'tool_denied')).toMatchObject([
    { name: 'check_stock', category: 'mode' },
  ])
})

test('a signal stops the run', async () => {
  const controller = new AbortController()
  const stopping = tool({
    name: 'stopping',
    description: 'Stops',
    execute: (_args, { signal }) => {
      controller.abort(new Error('Enough'))
      signal.throwIfAborted()
    },
  })
  const run = await runTest(
    agentWith([stopping]),
    [user('Go'), model({ toolCalls: [{ name: 'stopping' }] })],
    { signal: controller.signal },
  )
  expect(run.status).toBe('cancelled')
})

test('the stream has the words as they came, between the facts', async () => {
  const run = await runTest(agentWith([]), [user('Hi'), model({ reasoning: 'Greet.', text: 'Good day.' })])
  expect(findEventsByType(run.streamEvents, 'text.delta').map((delta) => delta.delta)).toEqual([
    'Good ',
    'day.',
  ])
  expect(findEventsByType(run.streamEvents, 'run.ended')).toHaveLength(1)
})

describe('input(...)', () => {
  const verdict = z.object({ approved: z.boolean(), note: z.string().optional() })
  const book = tool({
    name: 'book',
    description: 'Book a room',
    schema: z.object({ room: z.string() }),
    yieldSchema: verdict,
    prepare: ({ room }) => ({ room: room.toUpperCase() }),
    execute: ({ room }, context) => ({ room, ...(context.input as z.infer<typeof verdict>) }),
  })
  const desk = agent({ name: 'desk', model: scriptedModel([]), tools: [book] })
  const call = (room: string) => ({ name: 'book', args: { room } })

  test('answers two questions of one tool in order [approvals/M7]', async () => {
    const run = await runTest(desk, [
      user('Two rooms.'),
      model({ toolCalls: [call('a'), call('b')] }),
      input({ book: [{ approved: true }, { approved: false, note: 'taken' }] }),
      model('Done.'),
    ])
    expect(run.status).toBe('completed')
    expect(findEventsByType(run.events, 'tool_yield')).toMatchObject([
      { name: 'book', args: { room: 'A' } },
      { name: 'book', args: { room: 'B' } },
    ])
    expect(findEventsByType(run.events, 'tool_input').map((each) => each.input)).toEqual([
      { approved: true },
      { approved: false, note: 'taken' },
    ])
    expect(getToolResults(run.events).map((each) => each.result)).toEqual([
      { room: 'A', approved: true },
      { room: 'B', approved: false, note: 'taken' },
    ])
  })

  test('declines with an error, answers in later steps too, and leaves what it does not name waiting', async () => {
    const run = await runTest(desk, [
      user('One after another.'),
      model({ toolCalls: [call('a')] }),
      input({ book: new Error('Not today.') }),
      model({ toolCalls: [call('b')] }),
      input({ book: { approved: true } }),
      model({ toolCalls: [call('c')] }),
    ]).catch((error: unknown) => error as Error)
    expect(run).toMatchObject({ status: 'waiting' })
    const { events } = run as { events: Parameters<typeof getToolResults>[0] }
    expect(getToolResults(events)).toMatchObject([
      { error: expect.stringContaining('Not today.') },
      { result: { room: 'B', approved: true } },
    ])
  })

  test('that does not pass, or stands where nobody asks, fails the test and says why', async () => {
    const asking = [user('Book.'), model({ toolCalls: [call('a')] })]
    await expect(
      runTest(desk, [...asking, input({ book: { approved: 'x' } }), model('Done.')]),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(runTest(desk, [...asking, input({ other: 1 })])).rejects.toThrow(
      'Step 3, input({ other }), stands beside no model step that calls "other".',
    )
    await expect(runTest(desk, [...asking, input({ book: [1, 2] })])).rejects.toThrow(
      'lists 2 values for "book"',
    )
    await expect(runTest(desk, [...asking, model('Done.')])).rejects.toThrow(
      'It waits for ask_1, an input for "book". Answer in the script, after step 2: input({ book: ... }).',
    )
    await expect(
      runTest(agentWith([stockTool().checkStock]), [
        user('Stock?'),
        look('ADK-1'),
        input({ check_stock: 1 }),
        model('Yes.'),
      ]),
    ).rejects.toThrow(
      'Step 3, input({ check_stock }), answers nothing: the run was over (completed: Yes.), and no call of "check_stock" stopped to ask there.',
    )
  })

  test("comes before the agent's own handler", async () => {
    const asked: unknown[] = []
    const own = agent({
      name: 'desk',
      model: scriptedModel([]),
      tools: [book],
      inputs: ({ args }) => {
        asked.push(args)
        return { approved: false }
      },
    })
    const run = await runTest(own, [
      user('Two.'),
      model({ toolCalls: [call('a')] }),
      input({ book: { approved: true } }),
      model({ toolCalls: [call('b')] }),
      model('Done.'),
    ])
    expect(getToolResults(run.events).map((each) => each.result)).toEqual([
      { room: 'A', approved: true },
      { room: 'B', approved: false },
    ])
    expect(asked).toEqual([{ room: 'B' }])
  })
})

describe('a flow', () => {
  const shout = sequence({ name: 'shout', steps: [(said) => said.toUpperCase()] })

  test('keeps its own script', async () => {
    const run = await runTest(shout, [user('hi'), user('ho')])
    expect(run).toMatchObject({ status: 'completed', output: 'HO' })
    expect(getToolCalls(run.events).map(({ name }) => name)).toEqual(['1_function', '1_function'])
  })

  test('refuses what a script says in its place', async () => {
    await expect(runTest(shout, [user('hi'), model('HO')])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^Step 2, model\("HO"\), has no effect on the flow "shout": /),
    })
  })
})

test("an application's tool gives what the script says; without a result of it the call fails and says so", async () => {
  const look = applicationTool({
    name: 'look',
    description: 'Look it up',
    inputSchema: { type: 'object' },
    requiresApproval: false,
  })
  const play = async (given: readonly TestStep[]) => {
    const steps = [
      user('Look.'),
      model({ toolCalls: [{ name: 'look', args: {} }] }),
      ...given,
      model('Done.'),
    ]
    const { session } = await runTest(agentWith([look]), steps)
    return [...session.state.calls.values()].map(({ end }) => end)
  }
  expect(await play([result({ look: 'found' })])).toMatchObject([{ text: { inline: 'found' } }])
  const [unscripted] = await play([])
  expect(unscripted).toMatchObject({ status: 'failed', code: 'not_scripted' })
})
