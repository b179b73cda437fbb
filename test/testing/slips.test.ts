import { describe, expect, test } from 'vitest'
import { agent, scriptedModel, tool } from '../../src/index.ts'
import { evaluate, input, model, result, runTest, user } from '../../src/testing.ts'
import { wireServer } from '../../src/testing-wire.ts'

const look = tool({ name: 't', description: 'Look', toolClass: 'read', execute: () => 1 })
const looker = agent({ name: 'looker', model: scriptedModel([]), tools: [look] })
const calls = model({ toolCalls: [{ name: 't' }] })

/** What an argument is taken for that its type does not allow. */
function slip<T>(value: unknown): T {
  return value as T
}

function refused(...parts: readonly string[]) {
  return expect.objectContaining({
    code: 'INVALID_ARGUMENT',
    message: expect.toSatisfy((message: string) => parts.every((part) => message.includes(part))),
  })
}

describe('a slip of the pen in a script is refused where it stands', () => {
  test.each([
    [
      'a key',
      model(slip({ toolcalls: [] })),
      ['Step 2, model(...) has no "toolcalls"', 'text, reasoning, toolCalls'],
    ],
    ['a key of another form', model(slip({ calls: [] })), ['no "calls"', 'toolCalls']],
    ['a number', model(slip(5)), ['Step 2, model(...) takes a text or an object with', 'not 5']],
    ['nothing', model(slip(undefined)), ['Step 2', 'not undefined']],
    [
      'calls that are no list',
      model(slip({ toolCalls: {} })),
      ['Step 2, model(...), toolCalls must be a list'],
    ],
    [
      'a call that is none',
      model(slip({ toolCalls: ['t'] })),
      ['toolCalls[0] takes an object with name, args'],
    ],
    [
      'a key of a call',
      model(slip({ toolCalls: [{ name: 't' }, { nam: 't' }] })),
      ['Step 2, model(...), toolCalls[1] has no "nam"; there are name, args, argumentsText, id.'],
    ],
    [
      'a call without a name',
      model(slip({ toolCalls: [{ args: {} }] })),
      ['toolCalls[0] needs a text as "name"'],
    ],
    [
      'arguments that are no text',
      model(slip({ toolCalls: [{ name: 't', argumentsText: {} }] })),
      ['"argumentsText"'],
    ],
    ['a text that is none', model(slip({ text: 5 })), ['has 5 as "text"; it must be a text']],
    ['an unknown finish', model(slip({ finish: 'done' })), ['"finish"', 'one of stop, calls, length']],
    ['an error that is none', model(slip({ error: { message: 'x' } })), ['"error"']],
    ['a break that is none', model(slip({ breakOff: 'yes' })), ['"breakOff"', 'true or left out']],
    [
      'a key of the usage',
      model(slip({ usage: { input: 1 } })),
      ['Step 2, model(...), usage has no "input"', 'inputTokens'],
    ],
    ['a count that is none', model(slip({ usage: { inputTokens: '1' } })), ['"inputTokens"']],
    ['what the user says', user(slip({ text: 'x' })), ['Step 2, user(...) takes a text']],
    [
      'results that are none',
      result(slip(5)),
      ['Step 2, result(...) takes an object with a value for each tool'],
    ],
    ['results in a list', result(slip([1])), ['Step 2, result(...) takes an object']],
    [
      'a step that was not made',
      slip<ReturnType<typeof user>>({ step: 'usr' }),
      ['Step 2 is no step', 'decide(...)'],
    ],
  ] as const)('%s', async (_says, step, parts) => {
    await expect(runTest(looker, [user('x'), step])).rejects.toEqual(refused(...parts))
  })

  test.each([
    ['a function as a result', result({ t: () => 1 }), 'Step 3, result(...), for "t", takes a value'],
    ['a function in a list', result({ t: [() => 1] }), 'Step 3, result(...), for "t", takes a value'],
    ['a function as an input', input({ t: () => 1 }), 'Step 3, input(...), for "t", takes a value'],
  ])('%s', async (_says, step, part) => {
    await expect(runTest(looker, [user('x'), calls, step, model('z')])).rejects.toEqual(refused(part))
  })

  test.each([
    ['an unknown option', { foo: 1 }, 'runTest() has no "foo"; there are mode, subject'],
    ['options that are none', 5, 'runTest() takes an object with mode, subject'],
    ['a mode', { mode: 'sometimes' }, 'no tool mode "sometimes"'],
    ['approvals', { approvals: {} }, '"approvals" must be a function'],
    ['a clock', { clock: Date }, '"clock" must be a clock'],
    ['a signal', { signal: {} }, '"signal" must be an AbortSignal'],
  ])('%s', async (_says, options, part) => {
    await expect(runTest(looker, [user('x'), model('z')], slip(options))).rejects.toEqual(refused(part))
    if (part.includes('runTest') || part.includes('clock')) return
    await expect(evaluate(looker, [{ name: 'a', input: 'x' }], slip(options))).rejects.toEqual(refused(part))
  })

  test('what is no agent and no list of steps', async () => {
    for (const none of [{}, null, 'looker', [looker]]) {
      await expect(runTest(slip(none), [user('x')])).rejects.toEqual(refused('must be an agent'))
      await expect(evaluate(slip(none), [{ name: 'a', input: 'x' }])).rejects.toEqual(
        refused('must be an agent'),
      )
    }
    await expect(runTest(looker, slip(user('x')))).rejects.toEqual(refused('A script is a list of steps'))
  })

  test('what is no function of an evaluation', async () => {
    const cases = [{ name: 'a', input: 'x' }]
    await expect(evaluate(looker, cases, slip({ judge: 5 }))).rejects.toEqual(refused('"judge"'))
    await expect(evaluate(looker, cases, slip({ results: [] }))).rejects.toEqual(refused('"results"'))
    await expect(evaluate(looker, slip([{ ...cases[0], expect: 5 }]))).rejects.toEqual(refused('"expect"'))
  })
})

describe("a slip of the pen in a server's options is refused before it listens", () => {
  test.each([
    ['a text as the script', { script: 'x' }, '"script" must be a list of steps or a function'],
    ['no script', {}, '"script" must be'],
    ['no options', undefined, 'wireServer() takes an object with script, models'],
    ['an unknown option', { script: [], port: 1 }, 'wireServer() has no "port"; there are script, models'],
    [
      'a key of a step',
      { script: ['a', { callz: [] }] },
      'Step 2 of the script has no "callz"; there are text',
    ],
    ['a step that is none', { script: [5] }, 'Step 1 of the script takes a text or an object'],
    [
      'a key of a call',
      { script: [{ calls: [{ nam: 't' }] }] },
      'Step 1 of the script, calls[0] has no "nam"',
    ],
    [
      'arguments that no model can write',
      { script: ['a', { calls: [{ name: 't', args: { at: () => 1 } }] }] },
      'Step 2 of the script, calls[0] has "args" that no model could write: /at is a function.',
    ],
    ['a status that refuses nothing', { script: [{ status: 200 }] }, 'an HTTP status from 400 to 599'],
    ['a place to cut that is none', { script: [{ text: 'x', cutAfterBytes: -1 }] }, '"cutAfterBytes"'],
    ['an error that is no text', { script: [{ error: new Error('x') }] }, '"error"; it must be a text'],
    ["what a server's step does not play", { script: [{ providerCalls: [] }] }, 'no "providerCalls"'],
    ['models that are no names', { script: [], models: 'gpt-5' }, '"models" must be a list of names'],
    ['a model without a name', { script: [], models: [''] }, '"models" must be a list of names'],
  ])('%s', async (_says, options, part) => {
    await expect(wireServer(slip(options))).rejects.toEqual(refused(part))
  })
})
