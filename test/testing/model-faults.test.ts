import { expect, test } from 'vitest'
import { agent, scriptedModel, tool } from '../../src/index.ts'
import {
  findEventsByType,
  getToolCalls,
  getToolResults,
  manualClock,
  model,
  runTest,
  user,
} from '../../src/testing.ts'

const look = tool({
  name: 'look',
  description: 'Look something up',
  toolClass: 'read',
  schema: { type: 'object', properties: { at: { type: 'string' } } },
  execute: (args) => args,
})
const looker = agent({ name: 'looker', model: scriptedModel([]), tools: [look] })

test('a model step can fail after what it says [tools-in-an-agent/kit-model-faults]', async () => {
  const run = await runTest(looker, [user('Hi'), model({ text: 'Wel', error: 'overloaded' })])
  expect(run).toMatchObject({ status: 'failed', output: undefined })
  expect(run.result.text).toContain('overloaded')
  expect(findEventsByType(run.streamEvents, 'text.delta')).toMatchObject([{ delta: 'Wel' }])
})

test('a model step can call several tools at once [tools-in-an-agent/kit-model-faults]', async () => {
  const toolCalls = ['a', 'b', 'c'].map((at) => ({ name: 'look', args: { at } }))
  const run = await runTest(looker, [user('Look'), model({ toolCalls }), model('Done.')])
  expect(getToolCalls(run.events).map((call) => call.args)).toEqual([{ at: 'a' }, { at: 'b' }, { at: 'c' }])
  expect(getToolResults(run.events).map((each) => each.result)).toEqual([
    { at: 'a' },
    { at: 'b' },
    { at: 'c' },
  ])
  expect(run.iterations).toBe(2)
})

test('a model step waits on the clock of the run [tools-in-an-agent/kit-model-faults]', async () => {
  const clock = manualClock()
  const begun = clock.now()
  const running = runTest(looker, [user('Hi'), model({ text: 'At last.', delayMs: 5_000 })], { clock })
  await clock.advance(4_999)
  expect(clock.sleeping).toBeGreaterThan(0)
  await clock.advance(1)
  const run = await running
  expect(run.output).toBe('At last.')
  expect(findEventsByType(run.events, 'run.ended').map(({ at }) => at - begun)).toEqual([5_000])
})

test('a run that is stopped does not wait for the rest of a delay', async () => {
  const clock = manualClock()
  const controller = new AbortController()
  const running = runTest(looker, [user('Hi'), model({ text: 'Never.', delayMs: 60_000 })], {
    clock,
    signal: controller.signal,
  })
  await clock.advance(1_000)
  controller.abort(new Error('Enough'))
  expect((await running).status).toBe('cancelled')
})

test('a model step that breaks off with words shown fails the run, and is asked again without any', async () => {
  const shown = await runTest(looker, [user('Hi'), model({ text: 'Wel', breakOff: true })])
  expect(shown.status).toBe('failed')
  expect(shown.result.text).toContain('broke off')
  const clock = manualClock()
  const running = runTest(looker, [user('Hi'), model({ breakOff: true }), model('Again.')], { clock })
  await clock.advance(10_000)
  expect(await running).toMatchObject({ status: 'completed', output: 'Again.' })
})

test('a delay that is no number of milliseconds is refused', async () => {
  for (const delayMs of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    await expect(runTest(looker, [user('Hi'), model({ delayMs })])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^Step 2, model\(\.\.\.\) has .* as "delayMs"/),
    })
})

test('the faults of a step are named where the step is', async () => {
  const steps = [user('Hi'), model('Hello.'), model({ text: 'x', breakOff: true, delayMs: 5 })]
  await expect(runTest(looker, steps)).rejects.toThrow(
    'step 3, model({ text: "x", breakOff: true, delayMs: 5 })',
  )
})
