import { describe, expect, test } from 'vitest'
import {
  type AgentConfig,
  agent,
  type Driver,
  inputGuardrail,
  outputGuardrail,
  scriptedModel,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

function start(hooks: AgentConfig['hooks'], script: readonly ScriptStep[], over: Partial<AgentConfig> = {}) {
  return agent({
    name: 'clerk',
    model: scriptedModel(script),
    ...(hooks ? { hooks } : {}),
    ...over,
  }).startSession()
}

const noHomework = {
  name: 'no homework',
  check: ({ input }: { input: string }) => (/homework/.test(input) ? 'It is homework.' : undefined),
}

describe('an input guardrail', () => {
  test('that trips ends the run as refused with its name and reason, and no model is asked', async () => {
    const session = await start(inputGuardrail(noHomework), [])
    expect(await session.run('Do my homework.')).toMatchObject({
      status: 'refused',
      text: 'The guardrail "no homework" stopped the run: It is homework.',
      steps: 0,
    })
  })

  test('that lets pass changes nothing, and the session goes on after one that tripped', async () => {
    const session = await start(inputGuardrail(noHomework), ['Hello.'])
    await session.run('Do my homework.')
    expect(await session.run('Hi')).toMatchObject({ status: 'completed', text: 'Hello.' })
  })

  test('in parallel lets the model be asked, and its trip discards the answer: nothing was shown, written or run', async () => {
    const entered: string[] = []
    const buy = tool({ name: 'buy', description: 'Buy', execute: () => void entered.push('bought') })
    const order: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const model: Driver = {
      name: 'noted',
      async *propose() {
        order.push('model asked')
        yield { type: 'text', delta: 'Gladly' }
        resolve()
        const parts = [{ kind: 'call' as const, modelCallId: 'c', name: 'buy', argumentsText: '{}' }]
        yield { type: 'finish', reason: 'calls', parts, usage: {} }
      },
    }
    const check = async () => {
      await promise
      order.push('checked')
      return 'No.'
    }
    const guard = inputGuardrail({ name: 'slow', check, parallel: true })
    const session = await start(guard, [], { model, tools: [buy] })
    const shown: string[] = []
    for await (const event of session.stream('Buy it.')) shown.push(event.type)
    expect(order).toEqual(['model asked', 'checked'])
    expect(shown).toEqual(['run.started', 'message.added', 'tools.offered', 'run.ended'])
    expect(entered).toEqual([])
    expect([...session.state.runs.values()][0]?.ended).toMatchObject({ status: 'refused' })
  })

  test('in parallel that passes lets the answer through', async () => {
    const guard = inputGuardrail({ ...noHomework, parallel: true })
    const session = await start(guard, ['Hello.', 'Again.', 'Gladly.'])
    expect((await session.run('Hi')).text).toBe('Hello.')
    expect((await session.run('Hi')).text).toBe('Again.')
    expect((await session.run('My homework')).status).toBe('refused')
  })

  test.each([false, true])('that cannot check does not let pass (parallel: %s)', async (parallel) => {
    const check = () => Promise.reject(new Error('no list'))
    const session = await start(inputGuardrail({ name: 'broken', check, parallel }), ['Hello.'])
    const { status, text } = await session.run('Hi')
    expect(status).toBe('failed')
    expect(text).toContain('of "broken" failed: no list')
    const odd = await start(inputGuardrail({ name: 'odd', check: () => true as never, parallel }), ['Hello.'])
    expect((await odd.run('Hi')).text).toContain('its check gave something else than a reason or nothing.')
  })
})

test('guardrails that stand outside see the text that a hook gave in the model’s place', async () => {
  const early = { beforeRun: () => 'The code is 4711.' }
  const guards = [
    inputGuardrail({ ...noHomework, parallel: true }),
    outputGuardrail({
      name: 'no codes',
      check: ({ text }) => (text.includes('4711') ? 'A code.' : undefined),
    }),
  ]
  const session = await start([...guards, early], [])
  expect(await session.run('Hi')).toMatchObject({
    status: 'refused',
    text: expect.stringContaining('"no codes"'),
  })
  expect((await (await start([early, ...guards], [])).run('Hi')).status).toBe('completed')
})

test('the tokens of an answer that was discarded are counted', async () => {
  const guard = outputGuardrail({ name: 'all', check: () => 'No.' })
  const session = await start(guard, [{ text: 'Hello.', usage: { inputTokens: 5, outputTokens: 2 } }])
  expect(await session.run('Hi')).toMatchObject({
    status: 'refused',
    usage: { inputTokens: 5, outputTokens: 2 },
  })
})

describe('an output guardrail', () => {
  test('that trips keeps the answer from being shown, written down and run', async () => {
    const entered: string[] = []
    const buy = tool({ name: 'buy', description: 'Buy', execute: () => void entered.push('bought') })
    const guard = outputGuardrail({
      name: 'no secrets',
      check: ({ text }) => (text.includes('4711') ? 'It tells the code.' : undefined),
    })
    const script: ScriptStep[] = [{ text: 'The code is 4711.', calls: [{ name: 'buy' }] }]
    const session = await start(guard, script, { tools: [buy] })
    const shown: string[] = []
    for await (const event of session.stream('Which code?')) shown.push(JSON.stringify(event))
    expect(shown.join()).not.toContain('4711')
    expect(JSON.stringify(await session.events())).not.toContain('4711')
    expect(entered).toEqual([])
    expect([...session.state.runs.values()][0]?.ended).toMatchObject({
      status: 'refused',
      text: 'The guardrail "no secrets" stopped the run: It tells the code.',
    })
  })

  test('sees what the hooks within it made of the answer', async () => {
    const guard = outputGuardrail({ name: 'all', check: ({ text }) => `Saw "${text}".` })
    const redacting = { afterModel: ({ text }: { text: string }) => text.replace('4711', '****') }
    expect((await (await start([guard, redacting], ['It is 4711.'])).run('Hi')).text).toContain(
      'Saw "It is ****."',
    )
    expect((await (await start([redacting, guard], ['It is 4711.'])).run('Hi')).text).toContain(
      'Saw "It is 4711."',
    )
  })
})

test.each([
  () => inputGuardrail({ name: '', check: () => undefined }),
  () => inputGuardrail({ name: 'x', check: 5 as never }),
  () => inputGuardrail({ name: 'x', check: () => undefined, paralel: true } as never),
  () => outputGuardrail({ name: 'x', check: () => undefined, parallel: true } as never),
  () => outputGuardrail(undefined as never),
])('a guardrail that is put together wrongly is refused', (make) => {
  expect(make).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('guardrail') }),
  )
})

test.each([
  () => inputGuardrail({ name: 'x', check: () => null }),
  () => inputGuardrail({ name: 'x', check: () => null, parallel: true }),
  () => outputGuardrail({ name: 'x', check: async () => null }),
])('a guardrail whose check gives null lets pass', async (make) => {
  expect(await (await start(make(), ['Fine.'])).run('Hi')).toMatchObject({
    status: 'completed',
    text: 'Fine.',
  })
})

const passing = (): undefined => undefined

test.each([
  [{ name: 'g' }, 'The guardrail "g" needs a "check"'],
  [{ check: passing }, 'A guardrail needs a "name"'],
  [{ name: 'g', check: passing, chekc: 1 }, 'A guardrail has no "chekc"'],
  [undefined, 'A guardrail needs a "name"'],
])('a guardrail %j says what is missing', (wrong, sentence) => {
  for (const make of [inputGuardrail, outputGuardrail])
    expect(() => make(wrong as never)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(sentence) }),
    )
})
