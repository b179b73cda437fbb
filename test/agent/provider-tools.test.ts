import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, test } from 'vitest'
import { keptParts } from '../../src/agent/provider-record.ts'
import {
  type AgentConfig,
  type AgentToolDeclaration,
  agent,
  type DriverPart,
  type DriverRequest,
  type EventOf,
  providerTool,
  type RunEvent,
  scriptedModel,
  type ToolMode,
  tool,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'

const look = tool({ name: 'look', description: 'Looks', toolClass: 'read', execute: () => 'seen' })

/** Runs an agent once and gives what its model was asked for, and what the log and the onlooker were given. */
async function playOnce(
  config: Partial<AgentConfig> & { mode?: ToolMode },
  steps: readonly ScriptStep[] = ['Done.'],
) {
  const { mode, ...rest } = config
  const requests: DriverRequest[] = []
  const model = scriptedModel((request, stepNumber) => {
    requests.push(request)
    return steps[stepNumber - 1] ?? 'Done.'
  })
  const session = await agent({ name: 'a', model, ...rest }).startSession(mode === undefined ? {} : { mode })
  const seen: RunEvent[] = []
  const stream = session.stream('Go.')
  for await (const event of stream) seen.push(event)
  const log = (await session.events()).map(({ event }) => event)
  const offered = log.flatMap((event) => (event.type === 'tools.offered' ? event.tools : []))
  const warnings = seen.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
  return { session, requests, log, offered, warnings }
}

function answers(log: readonly { type: string }[]): EventOf<'message.added'>['message'][] {
  return log.flatMap((event) =>
    event.type === 'message.added' ? [(event as EventOf<'message.added'>).message] : [],
  )
}

describe('a tool that the provider runs', () => {
  const search: AgentToolDeclaration = { type: 'web_search', args: { maxUses: 2 } }

  test('is offered beside those that are run here, and the log says so, where nothing governs the agent', async () => {
    const { requests, offered } = await playOnce({ tools: [search, look] })
    expect(requests[0]?.providerTools).toEqual([
      { id: 'scripted.web_search', name: 'web_search', args: { maxUses: 2 } },
    ])
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['look'])
    expect(offered).toEqual([
      { name: 'look', verdict: 'run', toolClass: 'read' },
      { name: 'web_search', verdict: 'run', toolClass: 'destructive', provider: 'scripted.web_search' },
    ])
  })

  test('is hidden in ask mode unless the policy lets its class run, since no call can be held [approvals/M3]', async () => {
    const shown = async (mode: ToolMode, toolClass?: 'read' | 'sensitive' | 'write' | 'external') => {
      const classed = toolClass === undefined ? search : { type: 'web_search' as const, toolClass }
      const { requests } = await playOnce({ mode, tools: [classed, look] })
      return requests[0]?.providerTools?.map(({ name }) => name) ?? []
    }
    expect(await shown('ask')).toEqual([])
    expect(await shown('auto')).toEqual([])
    expect(await shown('ask', 'sensitive')).toEqual([])
    expect(await shown('auto', 'external')).toEqual([])
    expect(await shown('off', 'read')).toEqual([])
    expect(await shown('ask', 'read')).toEqual(['web_search'])
    expect(await shown('auto', 'write')).toEqual(['web_search'])
  })

  test('is under contract, kill list, grant and rules like every other', async () => {
    const tools = [{ type: 'web_search', toolClass: 'read' }, look] as const
    const shown = async (config: Partial<AgentConfig>) =>
      (await playOnce({ tools, mode: 'auto', ...config })).requests[0]?.providerTools?.length ?? 0
    expect(await shown({})).toBe(1)
    expect(await shown({ contract: { tools: { look: {} } } })).toBe(0)
    expect(await shown({ contract: { tools: { web_search: { toolClass: 'external' } } } })).toBe(0)
    expect(await shown({ contract: { tools: { web_search: {} } } })).toBe(1)
    expect(await shown({ killed: [{ kind: 'tool', name: 'web_search' }] })).toBe(0)
    expect(await shown({ killed: [{ kind: 'server', name: 'scripted' }] })).toBe(0)
    expect(await shown({ grant: { subject: 'local', tools: ['look'] } })).toBe(0)
    expect(await shown({ profile: { tools: ['look'] } })).toBe(0)
  })

  test('is hidden by a rule about arguments too, because nobody sees them', async () => {
    const rule = {
      id: 'r1',
      tool: 'web_search',
      when: { path: '/query', eq: 'secrets' },
      verdict: 'ask',
      reason: 'Ask about secrets.',
    } as const
    const tools = [{ type: 'web_search', toolClass: 'read' }] as const
    const { requests } = await playOnce({ tools, mode: 'auto', rules: [rule] })
    expect(requests[0]?.providerTools).toBeUndefined()
  })

  test('stands among the tools of its agent with its class', () => {
    const made = agent({
      name: 'a',
      model: scriptedModel([]),
      tools: [search, look],
      contract: { tools: {} },
    })
    expect(made.tools.map(({ name, toolClass }) => [name, toolClass])).toEqual([
      ['look', 'read'],
      ['web_search', 'destructive'],
    ])
    expect(made.providerTools.map(({ id }) => id)).toEqual(['scripted.web_search'])
  })

  test('is never run, judged or counted as a call, and what it did goes back to the model', async () => {
    const found = { found: ['a page'] }
    const { requests, log, session } = await playOnce({ tools: [search, look] }, [
      {
        providerCalls: [{ name: 'web_search', args: { query: 'shelf' }, result: found }],
        calls: [{ name: 'look' }],
      },
    ])
    const told = { at: 'scripted', modelCallId: 'provided-1-1', name: 'web_search' }
    const parts = [
      { kind: 'provider-call', ...told, argumentsText: '{"query":"shelf"}' },
      { kind: 'provider-result', ...told, value: found, isError: false },
      { kind: 'call', modelCallId: 'call-1-1', name: 'look', argumentsText: '{}' },
    ]
    expect(answers(log)[1]).toMatchObject({ parts })
    expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', parts })
    expect([...session.state.calls.values()].map(({ name }) => name)).toEqual(['look'])
  })

  test('that was not offered is left out of the log with a warning', async () => {
    const { log, warnings } = await playOnce({ tools: [look] }, [
      { providerCalls: [{ name: 'web_search' }], text: 'I looked.' },
    ])
    expect(answers(log)[1]).toMatchObject({ parts: [{ kind: 'text', text: 'I looked.' }] })
    expect(warnings).toEqual([expect.stringMatching(/"web_search".*not offered/)])
  })

  test('whose result is larger than the log takes is left out with its call', async () => {
    const result = { page: 'x'.repeat(2_097_153) }
    const { log, warnings } = await playOnce({ tools: [search] }, [
      { providerCalls: [{ name: 'web_search', result }], text: 'Long.' },
    ])
    expect(answers(log)[1]).toMatchObject({ parts: [{ kind: 'text', text: 'Long.' }] })
    expect(warnings).toHaveLength(1)
  })

  test('whose mode changes is offered anew, and the log says it again', async () => {
    const session = await agent({
      name: 'a',
      model: scriptedModel(['one', 'two']),
      tools: [{ type: 'web_search', toolClass: 'write' }],
    }).startSession('auto')
    await session.run('Go.')
    session.toolMode = 'ask'
    await session.run('Go on.')
    const lists = (await session.events()).flatMap(({ event }) =>
      event.type === 'tools.offered' ? [event.tools.map(({ name }) => name)] : [],
    )
    expect(lists).toEqual([['web_search'], []])
  })
})

describe('what any driver says of tools and files of its provider', () => {
  const own = { at: 'x', modelCallId: 'p1', name: 'web_search' }
  const digest = `sha256:${'a'.repeat(64)}`

  async function said(part: unknown) {
    const driver = {
      name: 'house/one',
      async *propose() {
        yield { type: 'finish', reason: 'stop', parts: [part], usage: {} } as DriverPart
      },
    }
    const tools = [providerTool({ id: 'house.web_search' })]
    const session = await agent({ name: 'a', model: driver, tools, modelAttempts: 1 }).startSession()
    const { status, text } = await session.run('Go.')
    const [, answer] = answers((await session.events()).map(({ event }) => event))
    return { status, text, parts: answer?.role === 'assistant' ? answer.parts : undefined }
  }

  test.each([
    ['a call without its name', { kind: 'provider-call', ...own, name: 7, argumentsText: '{}' }],
    ['a call without arguments', { kind: 'provider-call', ...own }],
    ['a result that is no JSON', { kind: 'provider-result', ...own, value: () => 1 }],
    ['a file without bytes', { kind: 'made-file', mediaType: 'image/png', bytes: 'AQID' }],
    ['a file of no digest', { kind: 'file', file: { digest: 'x', mediaType: 'image/png', bytes: 1 } }],
    ['a file of no size', { kind: 'file', file: { digest, mediaType: 'image/png', bytes: -1 } }],
    ['a part of no kind', { kind: 'toString' }],
  ])('fails the run when it cannot be read: %s', async (_what, part) => {
    expect(await said(part)).toMatchObject({ status: 'failed', text: expect.stringContaining('part 1') })
  })

  test('is kept to what a log holds', async () => {
    const source = { kind: 'source', url: `https://a.example/${'x'.repeat(9_000)}`, title: 'y'.repeat(2_000) }
    expect((await said(source)).parts).toEqual([{ kind: 'source', title: 'y'.repeat(1_000) }])
    const file = { digest, mediaType: 'image/png', bytes: 3, width: 2, height: 1 }
    expect((await said({ kind: 'file', file: { ...file, more: 'than that' } })).parts).toEqual([
      { kind: 'file', file },
    ])
  })

  test('is left out where an answer was cut short before a result came', async () => {
    const { log, warnings } = await playOnce({ tools: [{ type: 'web_search' }] }, [
      { providerCalls: [{ name: 'web_search', id: 'whole' }], text: 'Half', finish: 'length' },
    ])
    expect(answers(log)[1]).toMatchObject({ parts: [{ modelCallId: 'whole' }, { modelCallId: 'whole' }, {}] })
    expect(warnings).toEqual([])
    const call = { kind: 'provider-call', ...own, argumentsText: '{}' } as const
    expect(keptParts([call], [{ name: 'web_search' }], 'length').parts).toEqual([])
    expect(keptParts([call], [{ name: 'web_search' }], 'calls').parts).toEqual([call])
    expect(keptParts([{ ...call, name: 'mcp.find' }], [{ name: 'mcp' }], 'stop').parts).toHaveLength(1)
  })
})

describe('the id of a provider tool', () => {
  const openai = createOpenAI({ apiKey: 'none' })
  const anthropic = createAnthropic({ apiKey: 'none' })
  const idsOf = (config: Pick<AgentConfig, 'model' | 'tools'>) =>
    agent({ name: 'a', ...config }).providerTools.map(({ id, name }) => [id, name])

  test('follows from the provider of the model', () => {
    const tools = [{ type: 'web_search' }] as const
    expect(idsOf({ model: openai.responses('gpt-5'), tools })).toEqual([['openai.web_search', 'web_search']])
    expect(idsOf({ model: anthropic('claude-sonnet-4-5'), tools })).toEqual([
      ['anthropic.web_search_20250305', 'web_search'],
    ])
    expect(idsOf({ model: openai('gpt-5'), tools: [{ type: 'image_generation' }] })).toEqual([
      ['openai.image_generation', 'image_generation'],
    ])
  })

  test('may be given, and its name follows from it', () => {
    const tools = [
      providerTool({ id: 'anthropic.web_search_20260209' }),
      providerTool({ id: 'anthropic.web_fetch_20250910', name: 'fetch' }),
    ]
    expect(idsOf({ model: anthropic('claude-sonnet-4-5'), tools })).toEqual([
      ['anthropic.web_fetch_20250910', 'fetch'],
      ['anthropic.web_search_20260209', 'web_search'],
    ])
  })

  test("is that of the provider package's own object", () => {
    const tools = [openai.tools.webSearch({ searchContextSize: 'low' })] as unknown as AgentToolDeclaration[]
    const made = agent({ name: 'a', model: openai('gpt-5'), tools })
    expect(made.providerTools).toMatchObject([
      { id: 'openai.web_search', args: { searchContextSize: 'low' } },
    ])
  })

  test.each([
    [
      'a kind that the provider does not run',
      { model: anthropic('c'), tools: [{ type: 'image_generation' }] },
      /runs web_search/,
    ],
    [
      'another provider',
      { model: anthropic('c'), tools: [providerTool({ id: 'openai.web_search' })] },
      /runs at openai/,
    ],
    [
      'an interface without such tools',
      { model: openai.chat('gpt-4.1'), tools: [{ type: 'web_search' }] },
      /not known to run/,
    ],
    [
      'an id for that interface',
      { model: openai.chat('gpt-4.1'), tools: [providerTool({ id: 'openai.web_search' })] },
      /Responses API/,
    ],
    ['a word that is no kind', { model: openai('g'), tools: [{ type: 'telepathy' }] }, /is no tool/],
    ['a kind and an id', { model: openai('g'), tools: [{ type: 'web_search', id: 'openai.mcp' }] }, /both/],
    [
      'a tool that the application has to run',
      { model: openai('g'), tools: [openai.tools.localShell({} as never)] },
      /run itself/,
    ],
  ])('is refused for %s', (_what, config, sentence) => {
    expect(() => agent({ name: 'a', ...config } as AgentConfig)).toThrow(
      expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringMatching(sentence) }),
    )
  })

  test('and its name are checked when it is declared', () => {
    for (const config of [
      { id: 'web_search' },
      { id: 'openai.web_search', name: '1st' },
      { id: 'openai.web_search', args: { when: new Date(0) } },
      { id: 'openai.web_search', toolClass: 'harmless' },
      { id: 'openai.web_search', arg: {} },
    ]) {
      expect(() => providerTool(config as never)).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }))
    }
    const twice = { ...look, name: 'web_search' }
    expect(() =>
      agent({ name: 'a', model: scriptedModel([]), tools: [twice, { type: 'web_search' }] }),
    ).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }))
    const reserved = providerTool({ id: 'scripted.any', name: 'read_result' })
    expect(() => agent({ name: 'a', model: scriptedModel([]), tools: [reserved] })).toThrow(
      expect.objectContaining({ code: 'RESERVED_NAME' }),
    )
  })
})
