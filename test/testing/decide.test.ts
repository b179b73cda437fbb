import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  ApprovalDecision,
  agent,
  type RunEvent,
  type RunResult,
  scriptedModel,
  suspend,
  tool,
} from '../../src/index.ts'
import {
  decide,
  findEventsByType,
  getToolResults,
  input,
  model,
  result,
  runTest,
  type TestStep,
  user,
} from '../../src/testing.ts'

const pay = tool({
  name: 'pay',
  description: 'Pay somebody',
  toolClass: 'external',
  schema: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ amount }),
})
const wire = tool({
  name: 'wire',
  description: 'Send money',
  toolClass: 'external',
  yieldSchema: z.string(),
  execute: (_args, context) => `sent with ${String(context.input)}`,
})
const stop = tool({
  name: 'stop',
  description: 'End',
  toolClass: 'external',
  execute: (_args, { output }) => output('over'),
})
const teller = agent({ name: 'teller', model: scriptedModel([]), tools: [pay, wire, stop] })
const asking = { mode: 'ask', approvals: () => suspend() } as const

const pays = (...amounts: readonly number[]) =>
  model({ toolCalls: amounts.map((amount) => ({ name: 'pay', args: { amount } })) })

async function seen(stream: AsyncGenerator<RunEvent, RunResult, undefined>): Promise<RunResult> {
  let next = await stream.next()
  while (next.done !== true) next = await stream.next()
  return next.value
}

describe('decide(...)', () => {
  test.each([
    ['a handler that leaves it open', asking],
    ['no handler', { mode: 'ask' }],
    ['a handler that would refuse', { mode: 'ask', approvals: () => ({ approved: false }) }],
    ['no mode and no handler', {}],
  ] as const)('approves a call and the run goes on, with %s', async (_says, options) => {
    const steps = [user('Pay'), pays(5), decide({ pay: { approved: true } }), model('Paid.')]
    const run = await runTest(teller, steps, options)
    expect(run).toMatchObject({ status: 'completed', output: 'Paid.' })
    expect(getToolResults(run.events)).toMatchObject([{ name: 'pay', result: { amount: 5 } }])
    expect(findEventsByType(run.events, 'approval_decided')).toMatchObject([{ name: 'pay', approved: true }])
  })

  test('takes a list with one decision for each call, an edit and an error among them', async () => {
    const run = await runTest(
      teller,
      [
        user('Pay'),
        decide({ pay: [ApprovalDecision.approve({ editedArgs: { amount: 1 } }), new Error('Too much.')] }),
        pays(5, 900),
        model('Half of it.'),
      ],
      asking,
    )
    expect(getToolResults(run.events)).toMatchObject([
      { callId: 'call_2', error: expect.stringContaining('Too much.') },
      { callId: 'call_1', result: { amount: 1 } },
    ])
  })

  test('goes with results and inputs, and leaves to the handler what it does not name', async () => {
    const run = await runTest(
      teller,
      [
        user('Both'),
        model({ toolCalls: [{ name: 'wire' }, { name: 'pay', args: { amount: 7 } }] }),
        decide({ wire: { approved: true } }),
        input({ wire: 'a token' }),
        result({ pay: 'scripted' }),
        model('Done.'),
      ],
      { mode: 'ask', approvals: ({ tool: { name } }) => ({ approved: name === 'pay' }) },
    )
    expect(run.status).toBe('completed')
    expect(getToolResults(run.events).map((each) => each.result)).toEqual(['scripted', 'sent with a token'])
  })

  test('that answers nothing, or is no decision, is refused', async () => {
    const about = (...steps: readonly TestStep[]) => runTest(teller, [user('Pay'), ...steps], asking)
    await expect(about(pays(5), decide({ stop: { approved: true } }))).rejects.toThrow(
      'Step 3, decide({ stop }), stands beside no model step that calls "stop".',
    )
    await expect(about(pays(5), decide({ pay: [] }))).rejects.toThrow('lists 0 values for "pay"')
    const idle = runTest(teller, [user('Pay'), pays(5), decide({ pay: { approved: true } }), model('No.')], {
      mode: 'off',
    })
    await expect(idle).rejects.toThrow(
      'Step 3, decide({ pay }), answers nothing: the run was over (completed: No.), and no call of "pay" asked for approval there.',
    )
    for (const wrong of [true, null, { aproved: true }, { approved: 'yes' }, () => ({ approved: true })])
      await expect(about(pays(5), decide({ pay: wrong as never }))).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(
          'Step 3, decide(...), for "pay", takes { approved: true | false, ... }',
        ),
      })
  })
})

describe('a script that ends while the run waits', () => {
  test('gives a session that goes on by hand, and says so when it has no answer left', async () => {
    const run = await runTest(teller, [user('Pay'), pays(3), result({ pay: 'scripted' })], asking)
    expect(run).toMatchObject({ status: 'waiting', result: { tickets: ['ask_1'] } })
    await run.session.decide('ask_1', { approved: true })
    const resumed = await seen(run.session.resume())
    expect(getToolResults(await run.session.events())).toMatchObject([{ result: 'scripted' }])
    expect(resumed).toMatchObject({
      status: 'failed',
      text: expect.stringContaining(
        'The script ran out: it ended with step 2, model({ toolCalls: [pay] }), where the run waited for ask_1, an approval of "pay", and the model was asked once more (pay returned "scripted") after that. Add decide({ pay: { approved: true } }) and a model(...) step to it.',
      ),
    })
  })

  test('needs no answer of the model when the tool ends the run', async () => {
    const run = await runTest(teller, [user('Stop'), model({ toolCalls: [{ name: 'stop' }] })], asking)
    await run.session.decide('ask_1', { approved: true })
    expect(await seen(run.session.resume())).toMatchObject({ status: 'completed', output: 'over' })
  })

  test('waits again for whom it does not answer', async () => {
    const both = model({ toolCalls: [{ name: 'pay', args: { amount: 1 } }, { name: 'stop' }] })
    const run = await runTest(teller, [user('Go'), both, decide({ pay: { approved: true } })], asking)
    expect(run).toMatchObject({ status: 'waiting', result: { tickets: ['ask_2'] } })
    const left = runTest(
      teller,
      [user('Go'), both, decide({ pay: { approved: true } }), model('Done')],
      asking,
    )
    await expect(left).rejects.toThrow('It waits for ask_2, an approval of "stop".')
  })
})

test('a step that is proposed can be copied, whatever the tool is called', async () => {
  const odd = agent({ name: 'odd', model: scriptedModel([]), tools: [{ ...pay, name: 'bank.pay' }] })
  const asks = [user('Pay'), model({ toolCalls: [{ name: 'bank.pay', args: { amount: 1 } }] })]
  const left = runTest(odd, [...asks, model('Done.')], asking)
  await expect(left).rejects.toThrow('after step 2: decide({ "bank.pay": { approved: true } }).')
})

test('a session whose script is over says what to add when it is run by hand', async () => {
  const run = await runTest(teller, [user('Hi'), model('Hello.')])
  expect((await run.session.run('More?')).text).toContain(
    'it ended with step 2, model("Hello."), and the model was asked once more (the user said "More?") after that. Add user(...) and model(...) steps to it.',
  )
})
