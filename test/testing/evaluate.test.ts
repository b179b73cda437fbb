import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { DriverRequest } from '../../src/core/driver.ts'
import { agent, scriptedModel, suspend, type Tool, tool } from '../../src/index.ts'
import {
  type EvaluateOptions,
  type EvaluationCase,
  evaluate,
  formatReport,
  getToolResults,
  matchers,
  type TestRun,
} from '../../src/testing.ts'

const look = tool({
  name: 'look',
  description: 'Look up a SKU',
  toolClass: 'read',
  schema: z.object({ sku: z.string() }),
  execute: ({ sku }) => ({ sku, onHand: 12 }),
})

/** A tool with an effect, which counts how often that takes place, and by which keys. */
function payTool(): { pay: Tool; keys: string[] } {
  const keys: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pay somebody',
    toolClass: 'external',
    schema: z.object({ amount: z.number() }),
    execute: (_args, { idempotencyKey }) => {
      keys.push(idempotencyKey)
      return 'paid'
    },
  })
  return { pay, keys }
}

const approvals = () => ({ approved: true })

/** What the user said last, and what came after it. */
function lastWords({ messages }: DriverRequest): { said: string; results: readonly string[] } {
  const place = messages.findLastIndex((message) => message.role === 'user')
  const said = messages[place]
  const results = messages
    .slice(place)
    .flatMap((message) => (message.role === 'tool' ? message.results.map((each) => each.text) : []))
  return { said: said?.role === 'user' ? said.text : '', results }
}

/** A model that looks up what it is asked for, pays what it is told to, and repeats everything else. */
const clerk = scriptedModel((request) => {
  const { said, results } = lastWords(request)
  if (results.length > 0) return `It is ${results.join(' and ')}.`
  if (said.startsWith('Look ')) return { calls: [{ name: 'look', args: { sku: said.slice(5) } }] }
  if (said.startsWith('Pay ')) return { calls: [{ name: 'pay', args: { amount: Number(said.slice(4)) } }] }
  return said === 'Fail' ? { error: 'overloaded' } : said
})

const shop = agent({ name: 'shop', model: clerk, tools: [look] })
const payer = (pay: Tool) => agent({ name: 'payer', model: clerk, tools: [look, pay] })

const one = (more: Partial<EvaluationCase>): readonly EvaluationCase[] => [
  { name: 'one', input: 'Hello', ...more },
]

/** The only run of the only case. */
async function oneRun(more: Partial<EvaluationCase>, options: EvaluateOptions = {}, evaluated = shop) {
  const { cases } = await evaluate(evaluated, one(more), options)
  return cases[0]!.runs[0]!
}

test('cases are run against the model of the agent and reported in their order [tools-in-an-agent/kit-evaluate]', async () => {
  const report = await evaluate(shop, [
    {
      name: 'looks',
      input: 'Look A',
      expectedCalls: [{ name: 'look', args: { sku: 'A' } }],
      expect: (run) => run.result.text.includes('12'),
    },
    { name: 'greets', input: 'Hello', expectedCalls: ['look'] },
    { name: 'repeats', input: ['One', 'Two'], expect: ({ output }) => expect(output).toBe('Two') },
  ])
  expect(report).toMatchObject({ passed: 2, failed: 1 })
  expect(report.cases).toMatchObject([
    { name: 'looks', passed: true, reasons: [] },
    {
      name: 'greets',
      passed: false,
      reasons: ['The run should call exactly, in this order: look. It called no tool.'],
    },
    { name: 'repeats', passed: true, runs: [{ attempts: 1, run: { status: 'completed' } }] },
  ])
  expect(report.cases[2]!.runs[0]!.run?.session.state.runs.size).toBe(2)
})

describe('an expectation', () => {
  test('that throws, rejects or gives false is the reason', async () => {
    const { reasons } = await oneRun({ expect: () => Promise.reject(new Error('Too polite')) })
    expect(reasons).toEqual(['Too polite'])
    const thrown = await oneRun({
      expect: () => {
        throw new Error('Too short')
      },
    })
    expect(thrown.reasons).toEqual(['Too short'])
    expect((await oneRun({ expect: async () => false })).reasons).toEqual([
      'The expectation does not hold: it gave false.',
    ])
    expect((await oneRun({ expect: () => true })).passed).toBe(true)
  })

  test('can be a matcher', async () => {
    expect.extend(matchers)
    const { reasons } = await oneRun({
      expect: (run) => expect(matchers.toHaveAnswered(run, 'Bye').pass).toBe(true),
    })
    expect(reasons).toHaveLength(1)
  })

  test('is not tried again', async () => {
    let asked = 0
    const run = await oneRun({ expect: () => ++asked > 1 }, { retries: 3 })
    expect(run).toMatchObject({ passed: false, attempts: 1 })
  })
})

describe('the end of a run', () => {
  test('that did not complete is a reason, unless it was expected', async () => {
    const { pay } = payTool()
    const asking = { input: 'Pay 5' }
    const options = { results: { pay: 'paid' }, approvals: () => suspend() }
    const { reasons } = await oneRun(asking, options, payer(pay))
    expect(reasons).toEqual(['The run should be completed at its end and is waiting.'])
    expect((await oneRun({ ...asking, expectedStatus: 'waiting' }, options, payer(pay))).passed).toBe(true)
  })

  test('leaves the inputs after it unsaid', async () => {
    const run = await oneRun({ input: ['Fail', 'Hello', 'Bye'], expectedStatus: 'failed' })
    expect(run.reasons).toEqual([
      expect.stringMatching(/failed at its end and is failed, with 2 inputs left to say: ".*overloaded/),
    ])
    expect((await oneRun({ input: 'Fail', expectedStatus: 'failed' })).passed).toBe(true)
  })
})

describe('what breaks', () => {
  test('is begun anew as often as retries say, and is no throw', async () => {
    const run = await oneRun({ input: 'Fail' }, { retries: 2 })
    expect(run).toMatchObject({ passed: false, attempts: 3, run: { status: 'failed' } })
    expect(run.reasons).toEqual([expect.stringContaining('overloaded')])
  })

  test('may hold at a later try, in a session of its own [tools-in-an-agent/kit-evaluate]', async () => {
    let asked = 0
    const flaky = scriptedModel(() => (++asked < 3 ? { error: 'overloaded' } : 'Hello.'))
    const run = await oneRun({}, { retries: 5 }, agent({ name: 'flaky', model: flaky }))
    expect(run).toMatchObject({ passed: true, attempts: 3, reasons: [] })
    expect(run.run?.session.state.runs.size).toBe(1)
  })

  test('may be the judge', async () => {
    const judge = () => Promise.reject(new Error('no judge today'))
    const run = await oneRun({}, { judge, retries: 1 })
    expect(run).toMatchObject({ passed: false, attempts: 2, reasons: ['The judge threw: no judge today'] })
    const odd = await oneRun({}, { judge: () => ({ score: 7, reason: 'great' }) })
    expect(odd.reasons).toEqual([expect.stringContaining('not {"score":7,"reason":"great"}')])
  })
})

describe('a judge', () => {
  const judge = ({ result }: TestRun, { name }: EvaluationCase) => ({
    score: result.text.length / 10,
    reason: `${name} has ${result.text.length} letters`,
  })

  test('passes what scores high enough, and the report has its scores [tools-in-an-agent/kit-evaluate]', async () => {
    const cases = [
      { name: 'short', input: 'Hi' },
      { name: 'long', input: 'Good day' },
    ]
    const { cases: found } = await evaluate(shop, cases, { judge, passAt: 0.8 })
    expect(found).toMatchObject([
      {
        passed: false,
        score: 0.2,
        reasons: ['The judge gave 0.2, and 0.8 would pass: short has 2 letters'],
      },
      { passed: true, score: 0.8, reasons: [], runs: [{ judgement: { reason: 'long has 8 letters' } }] },
    ])
  })

  test('passes a half when nothing else is said', async () => {
    expect((await oneRun({ input: 'Hello' }, { judge })).passed).toBe(true)
    expect((await oneRun({ input: 'Hell' }, { judge })).passed).toBe(false)
  })
})

test('a case that is repeated passes when all its runs do, and its score is the mean', async () => {
  let asked = 0
  const moody = agent({ name: 'moody', model: scriptedModel(() => (++asked === 2 ? 'Bye.' : 'Hello.')) })
  const judge = ({ output }: TestRun) => ({ score: output === 'Hello.' ? 1 : 0.25, reason: 'Manners' })
  const report = await evaluate(moody, one({}), { judge, repeat: 3, concurrency: 1 })
  expect(report).toMatchObject({ passed: 0, failed: 1 })
  expect(report.cases[0]).toMatchObject({
    passed: false,
    score: 0.75,
    reasons: ['Run 2: The judge gave 0.25, and 0.5 would pass: Manners'],
  })
  expect(report.cases[0]!.runs.map((run) => run.passed)).toEqual([true, false, true])
})

test.each([1, 3])('no more than %i runs are under way at a time', async (concurrency) => {
  let under = 0
  let most = 0
  const busy = tool({
    name: 'busy',
    description: 'Waits until as many as may be are there',
    toolClass: 'read',
    execute: async () => {
      most = Math.max(most, ++under)
      for (let turn = 0; turn < 200 && under < concurrency; turn += 1) await Promise.resolve()
      under -= 1
    },
  })
  const model = scriptedModel((request) =>
    lastWords(request).results.length > 0 ? 'Done.' : { calls: [{ name: 'busy' }] },
  )
  const worker = agent({ name: 'worker', model, tools: [busy] })
  const report = await evaluate(worker, one({}), { repeat: 7, concurrency })
  expect(report.passed).toBe(1)
  expect(report.cases[0]!.runs).toHaveLength(7)
  expect(most).toBeLessThanOrEqual(concurrency)
  expect(most).toBeGreaterThan(concurrency === 1 ? 0 : 1)
})

describe('tools that do more than read', () => {
  test('need a stand-in before anything runs [tools-in-an-agent/kit-evaluate]', async () => {
    const { pay, keys } = payTool()
    let asked = 0
    const unclassed = tool({ name: 'mystery', description: 'Who knows', execute: () => 'done' })
    const model = scriptedModel(() => {
      asked += 1
      return 'Hello.'
    })
    const loose = agent({ name: 'loose', model, tools: [look, pay, unclassed] })
    await expect(evaluate(loose, one({}), { results: {} })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(
        'these tools do more than read: mystery (destructive), pay (external).',
      ),
      details: { tools: ['mystery', 'pay'] },
    })
    expect([asked, keys.length]).toEqual([0, 0])
  })

  test('count by the class that an administrator gave them', async () => {
    const raised = agent({
      name: 'raised',
      model: clerk,
      tools: [look],
      contract: { tools: { look: { toolClass: 'write' } } },
    })
    await expect(evaluate(raised, one({}))).rejects.toThrow('look (write)')
  })

  test('do not run when they have one: a value, an error, or a function of the arguments', async () => {
    const { pay, keys } = payTool()
    const results = {
      pay: ({ amount }: { amount: number }) => (amount > 10 ? new Error('Declined') : { amount }),
    }
    const cases = [
      { name: 'little', input: 'Pay 5' },
      { name: 'much', input: 'Pay 50' },
    ]
    const { cases: found } = await evaluate(payer(pay), cases, { results, approvals })
    expect(found.map(({ runs }) => getToolResults(runs[0]!.run!.events))).toMatchObject([
      [{ result: { amount: 5 } }],
      [{ error: 'Declined' }],
    ])
    const throwing = { pay: () => Promise.reject(new Error('Down')) }
    const run = await oneRun({ input: 'Pay 5' }, { results: throwing, approvals }, payer(pay))
    expect(getToolResults(run.run!.events)).toMatchObject([{ error: 'Down' }])
    expect(keys).toEqual([])
  })

  test('are still judged by the policy when they have one', async () => {
    const { pay } = payTool()
    const run = await oneRun({ input: 'Pay 5' }, { results: { pay: 'paid' } }, payer(pay))
    expect(getToolResults(run.run!.events)).toMatchObject([{ error: expect.stringContaining('declined') }])
  })

  test('run when effects are allowed, each time with a key of its own', async () => {
    const { pay, keys } = payTool()
    const options = { allowEffects: true, approvals, repeat: 3 }
    const report = await evaluate(payer(pay), one({ input: 'Pay 5' }), options)
    expect(report.passed).toBe(1)
    expect(new Set(keys).size).toBe(3)
  })
})

test('the mode and the subject of the sessions can be chosen', async () => {
  const run = await oneRun({ input: 'Look A' }, { mode: 'off', subject: 'ann' })
  expect(run.run?.session.state).toMatchObject({ mode: 'off', subject: 'ann' })
  expect(getToolResults(run.run!.events)).toMatchObject([{ error: expect.any(String) }])
})

test('the agent is left as it was', async () => {
  const run = await oneRun({})
  await expect(shop.openSession(run.run!.session.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('a signal stops an evaluation, and nothing new begins', async () => {
  const controller = new AbortController()
  let asked = 0
  const model = scriptedModel(() => {
    asked += 1
    controller.abort(new Error('Enough'))
    return 'Hello.'
  })
  const stopped = evaluate(agent({ name: 'stopped', model }), one({}), {
    repeat: 20,
    concurrency: 2,
    retries: 5,
    signal: controller.signal,
  })
  await expect(stopped).rejects.toThrow('Enough')
  expect(asked).toBeLessThanOrEqual(2)
})

test.each<[string, readonly EvaluationCase[], EvaluateOptions]>([
  ['at least one case', [], {}],
  ['needs a name', [{ name: ' ', input: 'Hi' }], {}],
  ['is no case', [null as unknown as EvaluationCase], {}],
  ['Two cases are called "one"', [...one({}), ...one({})], {}],
  ['needs an input', one({ input: [] }), {}],
  ['no "inputs"', one({ inputs: 'Hi' } as Partial<EvaluationCase>), {}],
  ['no "repeats"', one({}), { repeats: 2 } as EvaluateOptions],
  ['"repeat" must be', one({}), { repeat: 0 }],
  ['"retries" must be', one({}), { retries: 0.5 }],
  ['"concurrency" must be', one({}), { concurrency: Number.POSITIVE_INFINITY }],
  ['give a judge', one({}), { passAt: 0.7 }],
  ['from 0 to 1, not 70', one({}), { passAt: 70, judge: () => ({ score: 1, reason: '' }) }],
  ['no tool mode "yolo"', one({}), { mode: 'yolo' as 'auto' }],
  ['"lok", which is no tool', one({}), { results: { lok: 1 } }],
])('what does not hold is refused before anything runs: %s', async (words, cases, options) => {
  await expect(evaluate(shop, cases, options)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(words),
  })
})

test('a report is text with a line for each case, why it failed, and the sum [tools-in-an-agent/kit-evaluate]', async () => {
  const cases = [
    { name: 'greets', input: 'Hello' },
    { name: 'is quiet', input: 'Hi', expectedCalls: ['look'] },
    {
      name: 'is \u001b[31mloud',
      input: 'Hey there',
      expect: () => {
        throw new Error('expected\n\n  more\u001b[0m')
      },
    },
  ]
  const judge = ({ result }: TestRun) => ({ score: result.text.length / 10, reason: 'Length' })
  expect(formatReport(await evaluate(shop, cases.slice(0, 1)))).toBe('passed  greets\n\n1 of 1 cases passed.')
  const report = await evaluate(shop, cases, { judge, passAt: 0.5, repeat: 2 })
  expect(formatReport(report).split('\n')).toEqual([
    'passed  greets  (2 of 2 runs, score 0.50)',
    'failed  is quiet  (0 of 2 runs, score 0.20)',
    '        Run 1: The run should call exactly, in this order: look. It called no tool.',
    '        Run 1: The judge gave 0.2, and 0.5 would pass: Length',
    '        Run 2: The run should call exactly, in this order: look. It called no tool.',
    '        Run 2: The judge gave 0.2, and 0.5 would pass: Length',
    'failed  is \\u{1b}[31mloud  (0 of 2 runs, score 0.90)',
    '        Run 1: expected',
    '',
    '          more\\u{1b}[0m',
    '        Run 2: expected',
    '',
    '          more\\u{1b}[0m',
    '',
    '1 of 3 cases passed.',
  ])
})
