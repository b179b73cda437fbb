import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type AgentConfig,
  type AssistantPart,
  agent,
  applicationTool,
  type Driver,
  memoryStore,
  scriptedModel,
  suspend,
  type Tool,
  type ToolConfig,
  tool,
} from '../../../src/index.ts'
import type { ScriptStep } from '../../../src/models/script-step.ts'
import { exportCassette, formatReplay, getToolResults, replay } from '../../../src/testing.ts'

const amount = { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] } as const

function payTool(more: Partial<ToolConfig<typeof amount>> = {}): Tool {
  return tool({
    name: 'pay',
    description: 'Pay an amount',
    toolClass: 'external',
    schema: amount,
    execute: (args) => `paid ${args.amount}`,
    ...more,
  })
}

function agentWith(script: readonly ScriptStep[], more: Partial<AgentConfig> = {}) {
  const approvals = () => ({ approved: true })
  return agent({ name: 'teller', model: scriptedModel(script), tools: [payTool()], approvals, ...more })
}

/** The same agent on another day: nothing of it may act. */
function later(more: Partial<AgentConfig> = {}) {
  const never = () => {
    throw new Error('Nothing acts in a replay.')
  }
  return agentWith([], { tools: [payTool({ execute: never })], approvals: never, ...more })
}

const pay = (value: unknown = 5): ScriptStep => ({ calls: [{ name: 'pay', args: { amount: value } }] })

async function recorded(script: readonly ScriptStep[], more: Partial<AgentConfig> = {}) {
  const session = await agentWith(script, more).startSession()
  await session.run('Pay 5.')
  return await exportCassette(session)
}

/** What differs, as `at: sentence`. */
async function told(...[on, cassette, options]: Parameters<typeof replay>): Promise<string[]> {
  const { differences } = await replay(on, cassette, options)
  return differences.map(({ at, sentence }) => `${at}: ${sentence}`)
}

test('a run replays with neither its model nor its tools nor who approves [tools-in-an-agent/record-replay]', async () => {
  const report = await replay(later(), await recorded([pay(), pay(7), 'Both are paid.']))
  expect(report).toMatchObject({ same: true, differences: [], runs: 1, steps: 3, calls: 2 })
  expect(getToolResults(report.events).map(({ result }) => result)).toEqual(['paid 5', 'paid 7'])
  expect(formatReplay(report)).toBe('Everything is as it was recorded: 1 run, 3 steps, 2 calls.')
})

describe('a changed decision', () => {
  const deny = { id: 'no-pay', tool: 'pay', verdict: 'deny', reason: 'Payments are closed.' } as const

  test('that denies what ran is shown, and the recorded outcome is not given', async () => {
    const cassette = await recorded([pay(), 'Paid.'], { approvals: undefined!, defaultToolMode: 'ask' })
    expect(cassette.runs[0]?.steps[0]?.calls[0]?.outcome).toMatchObject({ status: 'refused' })
    const ran = await recorded([pay(), 'Paid.'])
    const report = await replay(later({ rules: [deny] }), ran)
    expect(report.same).toBe(false)
    expect(report.differences).toContainEqual({
      run: 1,
      step: 1,
      call: 1,
      tool: 'pay',
      at: 'decision',
      before: { verdict: 'ask', reason: expect.any(String) },
      after: { verdict: 'deny', reason: 'Payments are closed.' },
      sentence: 'It asked, and now it is denied: Payments are closed. Its recorded result was not given.',
    })
    expect(getToolResults(report.events)).toMatchObject([{ error: expect.stringContaining('closed') }])
    expect(formatReplay(report)).toContain('  + {"verdict":"deny","reason":"Payments are closed."}')
  })

  test('that denies is told with what the model is no longer shown, once', async () => {
    const said = await told(later({ rules: [deny] }), await recorded([pay(), pay(6), 'Paid.']))
    expect(said.filter((each) => each.startsWith('offered'))).toEqual([
      'offered: The model is shown other tools: - pay (external, ask).',
    ])
  })

  test('that no longer asks is shown, and the recorded outcome is given', async () => {
    const report = await replay(
      later({ tools: [payTool({ toolClass: 'read' })] }),
      await recorded([pay(), 'Paid.']),
    )
    const sentences = report.differences.filter(({ at }) => at === 'decision').map(({ sentence }) => sentence)
    expect(sentences).toEqual([expect.stringMatching(/^It asked, and now it runs/)])
    expect(getToolResults(report.events)).toMatchObject([{ result: 'paid 5' }])
  })

  test('that asks now is shown, and declined, as nobody has answered it', async () => {
    const cassette = await recorded([pay(), 'Paid.'], { tools: [payTool({ toolClass: 'read' })] })
    const report = await replay(later(), cassette)
    expect(report.differences.find(({ at }) => at === 'decision')?.sentence).toMatch(
      /^It ran, and now it asks: .* so it was declined, and its recorded result was not given\.$/,
    )
    expect(getToolResults(report.events)).toMatchObject([{ error: expect.stringContaining('declined') }])
  })

  test('that runs what was denied is shown: the recording has no result of it', async () => {
    const cassette = await recorded([pay(), 'No.'], { rules: [deny] })
    const said = await told(later({ tools: [payTool({ toolClass: 'read' })] }), cassette)
    expect(said).toContainEqual(
      expect.stringMatching(
        /^decision: It was denied, and now it runs: .* The recording has no result of it\.$/,
      ),
    )
  })

  test('of a remembered answer is one: it no longer covers the second call', async () => {
    const cassette = await recorded([pay(), pay(7), 'Paid.'], {
      approvals: () => ({ approved: true, forSession: true }),
    })
    expect(await told(later(), cassette)).toEqual([])
    const said = await told(later({ tools: [payTool({ remember: 'none' })] }), cassette)
    expect(said.filter((each) => each.startsWith('decision'))).toEqual([
      'decision: An ask about it, or the answer, is another one.',
      expect.stringMatching(/^decision: It ran, and now it asks/),
    ])
  })
})

describe('a changed tool', () => {
  test('that is gone is shown at its first call', async () => {
    const report = await replay(later({ tools: [] }), await recorded([pay(), pay(6), 'Paid.']))
    expect(report.differences.filter(({ at }) => at === 'tool')).toMatchObject([
      { run: 1, step: 1, call: 1, sentence: 'The tool "pay" is no longer there.', after: null },
    ])
    expect(report.differences.filter(({ at }) => at === 'decision')).toHaveLength(2)
  })

  test('whose schema takes the arguments no longer is shown with the fault', async () => {
    const schema = { ...amount, properties: { amount: { type: 'integer', maximum: 3 } } } as const
    const said = await told(
      later({ tools: [payTool({ schema } as object)] }),
      await recorded([pay(), 'Paid.']),
    )
    expect(said).toEqual([
      'tool: The tool "pay" is another version than the one that was recorded.',
      expect.stringMatching(/^decision: It asked, and now it is refused: Invalid arguments: \/amount/),
    ])
  })

  test('that prepares other arguments is shown with both', async () => {
    const tools = [payTool({ prepare: (args) => ({ amount: args.amount * 2 }) })]
    const report = await replay(later({ tools }), await recorded([pay(), 'Paid.']))
    expect(report.differences.filter(({ at }) => at === 'arguments')).toMatchObject([
      { before: { amount: 5 }, after: { amount: 10 } },
    ])
  })

  test('is asked to finalize recorded results only when that is wanted', async () => {
    const cassette = await recorded([pay(), 'Paid.'])
    const changed = later({ tools: [payTool({ finalize: (_args, { result }) => `${result}!` })] })
    expect((await told(changed, cassette)).filter((each) => each.startsWith('result'))).toEqual([])
    expect((await replay(changed, cassette, { finalize: true })).differences).toContainEqual(
      expect.objectContaining({
        at: 'result',
        before: { status: 'completed', kind: 'text', text: 'paid 5' },
        after: { status: 'completed', kind: 'text', text: 'paid 5!' },
      }),
    )
  })
})

describe('a tool that asks a person for a value', () => {
  const question = { type: 'object', properties: { pin: { type: 'integer' } }, required: ['pin'] } as const
  const stopping = (more: object = {}) =>
    payTool({ yieldSchema: question, execute: () => 'paid with a pin', ...more })

  async function asked(answer: 'given' | 'declined' | 'open') {
    const session = await agentWith([pay(), 'Paid.'], { tools: [stopping()] }).startSession()
    const waiting = await session.run('Pay 5.')
    expect(waiting.status).toBe('waiting')
    const [ticket] = waiting.tickets as [string]
    if (answer === 'given') await session.answer(ticket, { pin: 1234 })
    if (answer === 'declined') await session.decide(ticket, { approved: false, reason: 'No.' })
    if (answer !== 'open') for await (const _event of session.resume());
    return await exportCassette(session)
  }

  test.each(['given', 'declined', 'open'] as const)('replays with its answer %s', async (answer) => {
    const cassette = await asked(answer)
    expect(cassette.runs[0]?.steps[0]?.calls[0]?.asks.map(({ input }) => input)).toEqual([undefined, true])
    expect(await told(agentWith([], { tools: [stopping()] }), cassette)).toEqual([])
  })

  test('that takes the answer no longer is shown, and gets no result', async () => {
    const yieldSchema = { ...question, required: ['pin', 'card'] } as const
    const report = await replay(agentWith([], { tools: [stopping({ yieldSchema })] }), await asked('given'))
    expect(report.differences.map(({ at }) => at)).toContain('result')
    expect(getToolResults(report.events)).toMatchObject([{ error: expect.stringContaining('card') }])
  })
})

describe('a run', () => {
  test('that only talked replays', async () => {
    expect(await told(later(), await recorded(['Good day.']))).toEqual([])
  })

  test('whose tools failed and ended it replays, and its output with it', async () => {
    const tools = [
      payTool({ execute: () => Promise.reject(new Error('No money')) }),
      tool({
        name: 'done',
        description: 'End',
        toolClass: 'read',
        execute: (_args, context) => context.output({ ok: 12345678901234567890n }),
      }),
    ]
    const cassette = await recorded([pay(), { calls: [{ name: 'done' }] }], { tools })
    expect(JSON.parse(JSON.stringify(cassette.runs[0]?.ended))).toMatchObject({
      outputJson: '{"ok":12345678901234567890}',
    })
    expect(await told(agentWith([], { tools }), cassette)).toEqual([])
  })

  test('that waits is exported so, and its replay waits at the same ask', async () => {
    const session = await agentWith([pay(), 'Paid.'], { approvals: () => suspend() }).startSession()
    expect((await session.run('Pay.')).status).toBe('waiting')
    const cassette = await exportCassette(session)
    expect(cassette.runs[0]).not.toHaveProperty('ended')
    const report = await replay(later(), cassette)
    expect(report.same).toBe(true)
    expect(report.events.at(-1)?.type).toBe('approval.requested')
    const said = await told(later({ tools: [payTool({ toolClass: 'read' })] }), cassette)
    expect(said).toContainEqual(expect.stringMatching(/^decision: It asked, and now it runs/))
  })

  test('that has fewer steps now ends otherwise, and says from where it was not played', async () => {
    const said = await told(later({ stepsMax: 2 }), await recorded([pay(), pay(6), pay(7), 'Paid.']))
    expect(said.at(-1)).toBe(
      'ending: The run ended as completed, and now it ends as step_limit. The recorded answers from step 3 on were not asked for.',
    )
  })

  test('that would go on now has no further answer', async () => {
    const cassette = await recorded([pay(), pay(6)], { stepsMax: 2 })
    expect((await told(later(), cassette)).at(-1)).toBe(
      'ending: The run ended as step_limit, and now it ends as failed.',
    )
  })

  test('whose model failed, or which was stopped, replays', async () => {
    expect(await told(later(), await recorded([pay(), { error: 'overloaded' }]))).toEqual([])
    const controller = new AbortController()
    const session = await agentWith([pay(), 'Paid.'], {
      approvals: () => {
        controller.abort(new Error('The user left.'))
        return suspend()
      },
    }).startSession()
    expect((await session.run('Pay.', { signal: controller.signal })).status).toBe('cancelled')
    expect(await told(later(), await exportCassette(session))).toEqual([])
  })

  test('of another loop replays', async () => {
    const session = await agentWith([]).startSession()
    await session.step({ calls: [{ id: 'one', name: 'pay', arguments: { amount: 1 } }] })
    expect(await told(later(), await exportCassette(session))).toEqual([])
  })

  test('with edited arguments replays, and an edit that no longer passes is shown', async () => {
    const approvals = () => ({ approved: true, editedArgs: { amount: 4 } })
    const cassette = await recorded([pay(), 'Paid.'], { approvals })
    expect(await told(later(), cassette)).toEqual([])
    const schema = { ...amount, properties: { amount: { type: 'integer', minimum: 5 } } } as const
    const said = await told(later({ tools: [payTool({ schema } as object)] }), cassette)
    expect(said).toContain('decision: An ask about it, or the answer, is another one.')
  })

  test('with a schema that transforms replays its edits as they were', async () => {
    const trim = tool({
      name: 'trim',
      description: 'Trim',
      toolClass: 'external',
      schema: z.object({ text: z.string().transform((text) => text.length) }),
      execute: ({ text }) => text,
    })
    const script = [{ calls: [{ name: 'trim', args: { text: 'four' } }] }, 'Done.']
    const approvals = () => ({ approved: true, editedArgs: { text: 7 } })
    const cassette = await recorded(script, { tools: [trim], approvals })
    expect(cassette.runs[0]?.steps[0]?.calls[0]?.asks[0]?.answer?.editedJson).toBe('{"text":7}')
    expect(await told(agentWith([], { tools: [trim] }), cassette)).toEqual([])
  })

  test('stands at the time of its recording: a grant that has expired since held then', async () => {
    const expiresAt = Date.now() + 60_000
    const cassette = await recorded([pay(), 'Paid.'], { grant: { subject: 'local', expiresAt } })
    const clock = { now: () => expiresAt + 1, timer: () => () => undefined, sleep: async () => undefined }
    expect(await told(later({ grant: { subject: 'local', expiresAt }, parts: { clock } }), cassette)).toEqual(
      [],
    )
  })

  test('keeps what a provider attached to its answer', async () => {
    const parts: AssistantPart[] = [
      { kind: 'reasoning', text: 'Hm.', provider: { x: { signature: 'abc' } } },
      { kind: 'text', text: 'Good day.' },
    ]
    const model: Driver = {
      name: 'x/y',
      async *propose() {
        yield { type: 'finish', reason: 'stop', parts, usage: { inputTokens: 3 } }
      },
    }
    const cassette = await recorded([], { model })
    expect(cassette.runs[0]?.steps[0]).toMatchObject({ usage: { inputTokens: 3 } })
    const { events } = await replay(later(), cassette)
    expect(events.find(({ type }) => type === 'usage.recorded')).toMatchObject({ usage: { inputTokens: 3 } })
    expect(events.findLast(({ type }) => type === 'message.added')).toMatchObject({ message: { parts } })
  })
})

test('a replay leaves the store of its agent alone', async () => {
  const store = memoryStore()
  await replay(later({ store }), await recorded([pay(), 'Paid.']))
  expect(await store.list({ kind: 'session' })).toEqual([])
})

test('a run whose output was refused replays with its corrections, and with another schema it says so', async () => {
  const output = z.object({ total: z.number() })
  const script = ['{}', pay(), '{"total":"much"}', '{"total":5}']
  const cassette = await recorded(script, { output })
  expect(await replay(later({ output }), cassette)).toMatchObject({ same: true, differences: [], steps: 4 })
  const failed = await recorded(['{}', '[]', 'no'], { output })
  expect(await replay(later({ output }), failed)).toMatchObject({ same: true, differences: [], steps: 3 })
  expect(await replay(later({ output: z.object({}) }), cassette)).toMatchObject({ same: false })
})

test('a call that was handed out is replayed with what was given for it, and nothing is handed out', async () => {
  const look = applicationTool({
    name: 'look',
    description: 'Look it up',
    inputSchema: { type: 'object' },
    requiresApproval: false,
  })
  const script = [{ calls: [{ name: 'look', args: {} }] }, 'Done.']
  const made = agentWith(script, { tools: [look] })
  const session = await made.startSession()
  const running = session.run('Look.')
  let ticket: string | undefined
  while (ticket === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    ticket = [...session.state.calls.values()][0]?.execution?.ticket
  }
  await made.redeem(ticket, { output: 'found' }, { by: { id: 'shop', method: 'application' } })
  await running
  const report = await replay(later({ tools: [look] }), await exportCassette(session))
  expect(formatReplay(report)).not.toContain('differs')
  expect(report.differences).toEqual([])
})
