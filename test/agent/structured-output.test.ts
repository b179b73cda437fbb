import { setImmediate as stored } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type AgentConfig,
  agent,
  agentTool,
  type DriverRequest,
  memoryStore,
  outputGuardrail,
  type SchemaSource,
  type Session,
  type Store,
  scriptedModel,
  sequence,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { crashingStore } from '../support/crashing-store.ts'
import { finish, mortal, places } from '../support/places.ts'
import { calling } from '../support/play.ts'

const invoice = z.object({ total: z.number(), currency: z.enum(['EUR', 'USD']) })

interface Made {
  readonly requests: DriverRequest[]
  readonly session: Session
}

async function start(script: readonly ScriptStep[], config: Partial<AgentConfig> = {}): Promise<Made> {
  const requests: DriverRequest[] = []
  const model = scriptedModel((request, step) => {
    requests.push(request)
    return script[step - 1] ?? { error: 'no further answer' }
  })
  const made = agent({ name: 'clerk', model, output: invoice, ...config })
  return { requests, session: await made.startSession('auto') }
}

function lastSaid({ requests }: Made): string {
  const last = requests.at(-1)?.messages.at(-1)
  return last?.role === 'user' ? last.text : ''
}

const right = '{"total":12,"currency":"EUR"}'

describe.each(places)('in %s', (_name, place) => {
  test('an answer that passes the schema is the output of the run [tools-in-an-agent/structured-output]', async () => {
    await using where = place()
    const { session } = await start([right], { store: where.open() })
    const result = await session.run('Read the invoice.')
    expect(result).toMatchObject({
      status: 'completed',
      text: right,
      output: { total: 12, currency: 'EUR' },
      steps: 1,
    })
    expect(result.code).toBeUndefined()
  })

  test('an answer that does not is told all of its faults and asked for again [tools-in-an-agent/structured-output]', async () => {
    await using where = place()
    const made = await start(['{"total":"a lot","currency":"GBP"}', right], { store: where.open() })
    const result = await made.session.run('Read the invoice.')
    expect(result).toMatchObject({ status: 'completed', output: { total: 12, currency: 'EUR' }, steps: 2 })
    expect(lastSaid(made)).toMatch(/\/total.*\/currency.*Answer again/)
    const types = (await made.session.events()).map(({ event }) => event.type)
    expect(types.filter((type) => type === 'output.refused')).toHaveLength(1)
    expect(made.session.state.history.map((entry) => [entry.role, entry.by])).toEqual([
      ['user', undefined],
      ['assistant', undefined],
      ['user', 'runtime'],
      ['assistant', undefined],
    ])
  })

  test('a run whose answers never pass fails with a code and the last fault [tools-in-an-agent/structured-output]', async () => {
    await using where = place()
    const made = await start(['I cannot.', '{}', '[1]', right], { store: where.open() })
    const result = await made.session.run('Read the invoice.')
    expect(result).toMatchObject({ status: 'failed', code: 'OUTPUT_INVALID', steps: 3 })
    expect(result.text).toMatch(/^The model's 3 answers did not pass the output schema; the last fault: /)
    expect(result.output).toBeUndefined()
    expect(await made.session.run('Once more.')).toMatchObject({ status: 'completed', steps: 1 })
  })

  test.each([
    ['output.refused', 'before'],
    ['output.refused', 'after'],
    ['run.ended', 'before'],
  ] as const)('a crash at %s (%s) costs no attempt and loses none', async (type, when) => {
    await using where = place()
    const script = ['{}', '{"total":1}', '[]', right]
    const make = (store: Store) => {
      const model = scriptedModel(async ({ messages }) => {
        await stored()
        return script[messages.filter(({ role }) => role === 'assistant').length] as string
      })
      // The answer is in the store before it is judged, and the judgement before the model is asked again.
      const settled = z.any().refine(async () => {
        await stored()
        return true
      })
      const output = settled.pipe(invoice)
      return agent({ name: 'clerk', model, output, store, parts: mortal() })
    }
    const { store, crashed } = crashingStore(where.open(), type, when)
    const session = await make(store).startSession('auto')
    session.run('Read the invoice.').catch(() => undefined)
    await crashed
    const resumed = await make(where.open()).openSession(session.id)
    expect((await resumed.events()).at(-1)?.event.type).toBe(when === 'after' ? type : 'message.added')
    const result = await finish(resumed.resume())
    expect(result).toMatchObject({ status: 'failed', code: 'OUTPUT_INVALID', steps: 3 })
    const refused = (await resumed.events()).filter(({ event }) => event.type === 'output.refused')
    expect(refused.map(({ event }) => 'step' in event && event.step)).toEqual([1, 2])
  })
})

describe('how an answer is read', () => {
  const plain = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] } as const

  test.each<[string, SchemaSource, string, unknown]>([
    [
      'in a code fence among words',
      invoice,
      `Here:\n\n\`\`\`json\n${right}\n\`\`\``,
      { total: 12, currency: 'EUR' },
    ],
    ['among words', invoice, `It is ${right}.`, { total: 12, currency: 'EUR' }],
    ['converted without loss', invoice, '{"total":"12","currency":"EUR"}', { total: 12, currency: 'EUR' }],
    ['converted by a plain JSON Schema too', plain, '{"total":"12"}', { total: 12 }],
    ['with its defaults', z.object({ page: z.number().default(1) }), '{}', { page: 1 }],
    ['as it stands, where a text is wanted', z.string(), '"quoted" {"a":1}', '"quoted" {"a":1}'],
    ['as one of some texts', z.enum(['yes', 'no']), ' yes\n', 'yes'],
    ['as one of some texts that was quoted', z.enum(['yes', 'no']), '"no"', 'no'],
    [
      'as a text where no JSON is in it',
      z.union([z.string(), plainZod()]),
      'I do not know.',
      'I do not know.',
    ],
    ['as JSON before it is a text', z.union([z.string(), plainZod()]), '{"total":1}', { total: 1 }],
    ['as a number', z.number(), '42', 42],
    ['as nothing at all', z.null(), 'null', null],
    [
      'as it was written, where the schema gives no JSON',
      z.iso.date().pipe(z.coerce.date()),
      '2026-01-31',
      '2026-01-31',
    ],
  ])('%s', async (_how, output, said, value) => {
    const { session } = await start([said], { output })
    expect(await session.run('go')).toMatchObject({ status: 'completed', output: value, text: said })
  })

  function plainZod() {
    return z.object({ total: z.number() })
  }

  test('of two values none is taken', async () => {
    const made = await start([`${right} or ${right}`, right])
    await made.session.run('go')
    expect(lastSaid(made)).toContain('cannot be read as one JSON value: More than one JSON object or array')
  })

  test('a check that throws is a fault like another', async () => {
    const output = z.number().refine(() => {
      throw new Error('no table')
    })
    const { session } = await start(['1'], { output, outputAttempts: 1 })
    const result = await session.run('go')
    expect(result).toMatchObject({ status: 'failed', code: 'OUTPUT_INVALID' })
    expect(result.text).toContain("The model's answer does not pass the output schema; the last fault:")
    expect(result.text).toContain('no table')
  })

  test('an answer that was cut short is no output', async () => {
    const { session } = await start([{ text: right, finish: 'length' }])
    const result = await session.run('go')
    expect(result.status).toBe('cut_short')
    expect(result.output).toBeUndefined()
  })
})

describe('the bounds', () => {
  test('every attempt is a step: the run ends at its last one', async () => {
    const { session } = await start(['{}', '{}', right], { stepsMax: 2 })
    expect(await session.run('go')).toMatchObject({ status: 'step_limit', steps: 2 })
  })

  test('steps with calls between cost no attempt', async () => {
    const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen' })
    const script = ['{}', calling('look'), '[]', calling('look'), right]
    const { session } = await start(script, { tools: [look] })
    expect(await session.run('go')).toMatchObject({ status: 'completed', steps: 5 })
  })

  test('a run that is stopped while its output is checked is cancelled, and refuses nothing', async () => {
    const controller = new AbortController()
    const output = z.number().refine(async () => {
      controller.abort(new Error('enough'))
      return await new Promise<boolean>(() => undefined)
    })
    const { session } = await start(['1'], { output })
    const result = await session.run('go', { signal: controller.signal })
    expect(result.status).toBe('cancelled')
    expect((await session.events()).some(({ event }) => event.type === 'output.refused')).toBe(false)
  })
})

describe('a tool that ends the run', () => {
  const ending = (give: (context: { output(value: unknown): unknown; end(): unknown }) => unknown) =>
    tool({
      name: 'finish',
      description: 'Finishes',
      toolClass: 'read',
      schema: { type: 'object', properties: { total: { type: 'number' } } },
      execute: (_args, context) => give(context),
    })

  test('is held to the schema: what does not pass fails the call, and the model can mend it', async () => {
    let value: unknown = { total: 'much' }
    const made = await start([calling('finish'), calling('finish')], {
      tools: [ending((context) => context.output(value))],
      hooks: {
        name: 'mends',
        afterModel: ({ step }) => {
          if (step === 2) value = { total: 3, currency: 'USD' }
        },
      },
    })
    const result = await made.session.run('go')
    expect(result).toMatchObject({ status: 'completed', output: { total: 3, currency: 'USD' }, steps: 2 })
    const [failed] = [...made.session.state.calls.values()]
    expect(failed?.end).toMatchObject({ status: 'failed', code: 'invalid_output' })
    expect(failed?.end).toMatchObject({ message: expect.stringMatching(/\/total.*\/currency/) })
  })

  test.each([
    ['nothing', undefined],
    ['no JSON', () => 1],
  ])('cannot end it with %s', async (_what, value) => {
    const { session } = await start([calling('finish'), right], {
      tools: [ending((context) => context.output(value))],
    })
    expect(await session.run('go')).toMatchObject({ status: 'completed', text: right })
    expect([...session.state.calls.values()][0]?.end).toMatchObject({ code: 'invalid_output' })
  })

  test('can end it without an output', async () => {
    const { session } = await start([calling('finish')], { tools: [ending((context) => context.end())] })
    const result = await session.run('go')
    expect(result.status).toBe('completed')
    expect(result.output).toBeUndefined()
  })
})

describe('among other agents', () => {
  const child = () => agent({ name: 'reader', model: scriptedModel(['{}', right]), output: invoice })

  test("a child's output is what its caller is given", async () => {
    const read = agentTool(child(), { name: 'read', description: 'Reads' })
    const { session } = await start([calling('read', { input: 'go' }), 'done'], {
      output: z.string(),
      tools: [read],
    })
    expect(await session.run('go')).toMatchObject({ status: 'completed', output: 'done' })
    expect([...session.state.calls.values()][0]?.end).toMatchObject({ text: { inline: right } })
  })

  test("a flow's last part gives the flow its output", async () => {
    const flow = sequence({ name: 'flow', steps: [child()] })
    const result = await (await flow.startSession()).run('go')
    expect(result).toMatchObject({ status: 'completed', output: { total: 12, currency: 'EUR' } })
  })

  test('what another loop hands in has no output of ours', async () => {
    const { session } = await start([])
    expect(await session.step({ text: 'Just words.', calls: [] })).toMatchObject({ status: 'completed' })
  })

  test('a guardrail refuses an answer before it is read as the output', async () => {
    const guard = outputGuardrail({
      name: 'no money',
      check: ({ text }) => (/total/.test(text) ? 'Money.' : undefined),
    })
    const { session } = await start([right], { hooks: guard })
    expect(await session.run('go')).toMatchObject({ status: 'refused', steps: 0 })
  })

  test('what a hook says in the place of the model is read like its words', async () => {
    const { session } = await start([right], { hooks: { name: 'early', beforeRun: () => 'Hello.' } })
    expect(await session.run('go')).toMatchObject({ status: 'completed', output: { total: 12 }, steps: 2 })
  })
})

describe('what the model is told', () => {
  test('the instructions and the request name the schema', async () => {
    const { session, requests } = await start([right], { instructions: 'Read invoices.' })
    await session.run('go')
    const [system] = requests[0]?.messages ?? []
    expect(system).toMatchObject({
      role: 'system',
      text: expect.stringMatching(/^Read invoices\.\n\nWhen you are done/),
    })
    expect(system).toMatchObject({ text: expect.stringContaining('"currency"') })
    expect(requests[0]?.outputSchema).toMatchObject({ type: 'object', required: ['total', 'currency'] })
  })

  test('without a schema nothing is added', async () => {
    const { session, requests } = await start(['Hello.'], { output: undefined as never })
    expect((await session.run('go')).output).toBeUndefined()
    expect(requests[0]?.messages).toHaveLength(1)
    expect(requests[0]).not.toHaveProperty('outputSchema')
  })
})

describe('the options', () => {
  const model = scriptedModel([])

  test('a schema that cannot be used is refused when the agent is made', () => {
    expect(() => agent({ name: 'a', model, output: { type: 'thing' } as never })).toThrow(
      expect.objectContaining({
        code: 'INVALID_SCHEMA',
        message: expect.stringContaining('The "output" of an agent'),
      }),
    )
  })

  test.each([{ outputAttempts: 2 }, { output: z.string(), outputAttempts: 0 }])(
    '%o is refused',
    (options) => {
      expect(() => agent({ name: 'a', model, ...options })).toThrow(
        expect.objectContaining({
          code: 'INVALID_AGENT',
          message: expect.stringContaining('outputAttempts'),
        }),
      )
    },
  )
})

test('another output schema is another agent: a run that is taken up notices', async () => {
  const store = memoryStore()
  const pay = tool({ name: 'pay', description: 'Pays', toolClass: 'write', execute: () => 'paid' })
  const model = scriptedModel([calling('pay')])
  const make = (output: z.ZodType, use: Store) =>
    agent({ name: 'clerk', model, tools: [pay], output, onChange: 'refuse', store: use, parts: mortal() })
  const { store: crashing, crashed } = crashingStore(store, 'call.started', 'before')
  const session = await make(invoice, crashing).startSession('auto')
  session.run('go').catch(() => undefined)
  await crashed
  const other = await make(z.string(), store).openSession(session.id)
  await expect(finish(other.resume())).rejects.toThrow('the output schema changed')
})
