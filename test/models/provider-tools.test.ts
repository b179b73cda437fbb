import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { base64Of } from '../../src/core/json/base64.ts'
import type { DriverRequest, ModelMessage } from '../../src/index.ts'
import { aiSdkDriver } from '../../src/models/ai-sdk.ts'
import type { AiSdkModel } from '../../src/models/ai-sdk-model.ts'
import { answerOf, ask } from './answer-of.ts'
import { keepNothing, providers } from './providers.ts'
import { sseServer } from './sse-server.ts'
import { finish, streamModel } from './stream-model.ts'
import { event, wireFormats } from './wire-formats.ts'

const responses = wireFormats['openai.responses']
const anthropic = wireFormats['anthropic.messages']

const openaiSearch = {
  id: 'openai.web_search',
  name: 'web_search',
  args: { searchContextSize: 'low' },
} as const
const anthropicSearch = {
  id: 'anthropic.web_search_20250305',
  name: 'web_search',
  args: { maxUses: 3 },
} as const

/** What OpenAI streams when it has searched. */
const openaiSearched = [
  ...responses.start,
  event('response.output_item.added', {
    output_index: 0,
    item: { type: 'web_search_call', id: 'ws_1', status: 'in_progress' },
  }),
  event('response.web_search_call.searching', { output_index: 0, item_id: 'ws_1' }),
  event('response.output_item.done', {
    output_index: 0,
    item: {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: {
        type: 'search',
        query: 'shelf life of oats',
        sources: [{ type: 'url', url: 'https://oats.example/shelf' }],
      },
    },
  }),
  ...responses.text(1, ['A year', ' or so.']),
  ...responses.finish('stop'),
]

/** What Anthropic streams when it has searched; the last words come with `end`. */
const anthropicSearched = (end: readonly string[]) => [
  ...anthropic.start,
  event('content_block_start', {
    index: 0,
    content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  }),
  event('content_block_delta', {
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"query":"oats"}' },
  }),
  event('content_block_stop', { index: 0 }),
  event('content_block_start', {
    index: 1,
    content_block: {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [
        {
          type: 'web_search_result',
          url: 'https://oats.example/shelf',
          title: 'Oats',
          page_age: 'a year',
          encrypted_content: 'c2VjcmV0',
        },
      ],
    },
  }),
  event('content_block_stop', { index: 1 }),
  ...end,
]

const paused = [
  event('message_delta', { delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 5 } }),
  event('message_stop', {}),
]

function followedBy(request: DriverRequest, parts: ModelMessage & { role: 'assistant' }): DriverRequest {
  return { ...request, messages: [...request.messages, parts, { role: 'user', text: 'And rye?' }] }
}

describe("a search of OpenAI's", () => {
  test('is asked for in the words of its interface, kept with its sources, and referred to later', async () => {
    await using server = await sseServer([
      { events: openaiSearched },
      { events: [...responses.start, ...responses.text(0, ['Less.']), ...responses.finish('stop')] },
    ])
    const driver = providers['openai.responses'](server.url)
    const request = ask('How long do oats keep?', { providerTools: [openaiSearch] })
    const { finish: said } = await answerOf(driver, request)
    expect(server.requests[0]).toMatchObject({
      tools: [{ type: 'web_search', search_context_size: 'low' }],
      include: ['web_search_call.action.sources'],
    })
    const own = { at: 'openai.responses', modelCallId: 'ws_1', name: 'web_search' }
    expect(said).toMatchObject({
      reason: 'stop',
      parts: [
        { kind: 'provider-call', ...own, argumentsText: '{}' },
        {
          kind: 'provider-result',
          ...own,
          value: {
            action: { type: 'search', query: 'shelf life of oats' },
            sources: [{ type: 'url', url: 'https://oats.example/shelf' }],
          },
          isError: false,
        },
        { kind: 'source', url: 'https://oats.example/shelf' },
        { kind: 'text', text: 'A year or so.' },
      ],
    })
    await answerOf(driver, followedBy(request, { role: 'assistant', parts: said.parts }))
    expect(server.requests[1]?.input).toMatchObject([
      { role: 'user' },
      { type: 'item_reference', id: 'ws_1' },
      { role: 'assistant' },
      { role: 'user' },
    ])
  })

  test('is sent back whole where the provider keeps nothing', async () => {
    await using server = await sseServer([
      { events: openaiSearched },
      { events: [...responses.start, ...responses.text(0, ['Less.']), ...responses.finish('stop')] },
    ])
    const driver = providers['openai.responses'](server.url, { providerOptions: keepNothing })
    const request = ask('How long do oats keep?', { providerTools: [openaiSearch] })
    const { finish: said } = await answerOf(driver, request)
    await answerOf(driver, followedBy(request, { role: 'assistant', parts: said.parts }))
    expect(server.requests[1]?.input).toMatchObject([
      { role: 'user' },
      {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: { type: 'search', query: 'shelf life of oats' },
      },
      { role: 'assistant' },
      { role: 'user' },
    ])
  })

  test('is not told to another provider', async () => {
    await using server = await sseServer([
      { events: openaiSearched },
      { events: [...anthropic.start, ...anthropic.text(0, ['Less.']), ...anthropic.finish('stop')] },
    ])
    const request = ask('How long do oats keep?', { providerTools: [openaiSearch] })
    const { finish: said } = await answerOf(providers['openai.responses'](server.url), request)
    const next = followedBy(ask('How long do oats keep?'), { role: 'assistant', parts: said.parts })
    await answerOf(providers['anthropic.messages'](server.url), next)
    expect(server.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'A year or so.' }] },
      { role: 'user' },
    ])
  })
})

describe("a search of Anthropic's", () => {
  test('is asked for in the words of its interface, kept, and sent back with its encrypted pages', async () => {
    const words = [...anthropic.text(2, ['A year', ' or so.']), ...anthropic.finish('stop')]
    await using server = await sseServer([
      { events: anthropicSearched(words) },
      { events: [...anthropic.start, ...anthropic.text(0, ['Less.']), ...anthropic.finish('stop')] },
    ])
    const driver = providers['anthropic.messages'](server.url)
    const request = ask('How long do oats keep?', { providerTools: [anthropicSearch] })
    const { finish: said } = await answerOf(driver, request)
    expect(server.requests[0]?.tools).toMatchObject([
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ])
    expect(said.parts.map(({ kind }) => kind)).toEqual(['provider-call', 'provider-result', 'source', 'text'])
    await answerOf(driver, followedBy(request, { role: 'assistant', parts: said.parts }))
    expect(server.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'oats' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ type: 'web_search_result', encrypted_content: 'c2VjcmV0', page_age: 'a year' }],
          },
          { type: 'text', text: 'A year or so.' },
        ],
      },
      { role: 'user' },
    ])
  })

  test('that is paused goes on by itself, and the whole is one answer', async () => {
    await using server = await sseServer([
      { events: anthropicSearched(paused) },
      { events: [...anthropic.start, ...anthropic.text(0, ['A year.']), ...anthropic.finish('stop')] },
    ])
    const driver = providers['anthropic.messages'](server.url)
    const { finish: said, text } = await answerOf(driver, ask('Oats?', { providerTools: [anthropicSearch] }))
    expect(text).toBe('A year.')
    expect(said.parts.map(({ kind }) => kind)).toEqual(['provider-call', 'provider-result', 'source', 'text'])
    expect(said.usage).toMatchObject({ inputTokens: 14, outputTokens: 10 })
    expect(server.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'server_tool_use' }, { type: 'web_search_tool_result' }] },
    ])
  })

  test('that is paused for ever ends after ten requests', async () => {
    await using server = await sseServer(
      Array.from({ length: 12 }, () => ({
        events: [...anthropic.start, ...anthropic.text(0, ['Hm.']), ...paused],
      })),
    )
    const driver = providers['anthropic.messages'](server.url)
    const { finish: said } = await answerOf(driver, ask('Oats?'))
    expect(server.requests).toHaveLength(10)
    expect(said.parts).toHaveLength(10)
  })

  test('that failed is sent back as one that failed', async () => {
    const failed = [
      ...anthropicSearched([]).slice(0, 4),
      event('content_block_start', {
        index: 1,
        content_block: {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
        },
      }),
      event('content_block_stop', { index: 1 }),
      ...anthropic.text(2, ['I could not look.']),
      ...anthropic.finish('stop'),
    ]
    await using server = await sseServer([
      { events: failed },
      { events: [...anthropic.start, ...anthropic.text(0, ['No.']), ...anthropic.finish('stop')] },
    ])
    const driver = providers['anthropic.messages'](server.url)
    const request = ask('How long do oats keep?', { providerTools: [anthropicSearch] })
    const { finish: said } = await answerOf(driver, request)
    expect(said.parts[1]).toMatchObject({ kind: 'provider-result', isError: true })
    await answerOf(driver, followedBy(request, { role: 'assistant', parts: said.parts }))
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('max_uses_exceeded')
  })
})

describe("an image of OpenAI's", () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

  test('becomes a file of the answer, stands in no result, and is referred to later', async () => {
    const drawn = [
      ...responses.start,
      event('response.output_item.added', {
        output_index: 0,
        item: { type: 'image_generation_call', id: 'ig_1', status: 'in_progress' },
      }),
      event('response.image_generation_call.partial_image', {
        item_id: 'ig_1',
        output_index: 0,
        partial_image_b64: base64Of(png.subarray(0, 9)),
      }),
      event('response.output_item.done', {
        output_index: 0,
        item: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: base64Of(png) },
      }),
      ...responses.finish('stop'),
    ]
    await using server = await sseServer([
      { events: drawn },
      { events: [...responses.start, ...responses.text(0, ['Yes.']), ...responses.finish('stop')] },
    ])
    const driver = providers['openai.responses'](server.url)
    const tool = { id: 'openai.image_generation', name: 'image_generation', args: {} } as const
    const request = ask('Draw a shelf.', { providerTools: [tool] })
    const { finish: said } = await answerOf(driver, request)
    expect(said.parts).toMatchObject([
      { kind: 'provider-call', modelCallId: 'ig_1' },
      { kind: 'provider-result', modelCallId: 'ig_1', value: {} },
      { kind: 'made-file', mediaType: 'image/png', bytes: png },
    ])
    await answerOf(driver, followedBy(request, { role: 'assistant', parts: said.parts }))
    expect(server.requests[1]?.input).toMatchObject([
      { role: 'user' },
      { type: 'item_reference', id: 'ig_1' },
      { role: 'user' },
    ])
  })
})

test.each([
  ['v2', 'provider-defined', { type: 'media', data: 'AQID' }],
  ['v3', 'provider', { type: 'file-data', data: 'AQID' }],
  ['v4', 'provider', { type: 'file', data: { type: 'data', data: Uint8Array.of(1, 2, 3) } }],
])(
  'version %s of the interface is asked in its own words, and its bare files are read',
  async (version, type, item) => {
    const answered = {
      type: 'file',
      mediaType: 'image/png',
      data: 'AQID',
    } as unknown as LanguageModelV4StreamPart
    const model = { ...streamModel([answered, finish('stop')]), specificationVersion: version }
    const file = { digest: 'd', mediaType: 'image/png', bytes: 3 }
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Plot.', files: [file] },
      { role: 'assistant', parts: [{ kind: 'call', modelCallId: 'c', name: 'plot', argumentsText: '{}' }] },
      {
        role: 'tool',
        results: [{ modelCallId: 'c', name: 'plot', text: '', isError: false, files: [file] }],
      },
    ]
    const files = new Map([['d', Uint8Array.of(1, 2, 3)]])
    const named = { ...model, provider: 'google.generative-ai' } as unknown as AiSdkModel
    const { finish: said } = await answerOf(aiSdkDriver(named), {
      messages,
      tools: [],
      files,
      providerTools: [openaiSearch],
    })
    const [asked] = model.asked
    expect(asked?.tools).toMatchObject([{ type, id: 'openai.web_search' }])
    const data = version === 'v4' ? { type: 'data', data: Uint8Array.of(1, 2, 3) } : Uint8Array.of(1, 2, 3)
    expect(asked?.prompt[0]).toMatchObject({ content: [{ type: 'file', data }, { type: 'text' }] })
    expect(asked?.prompt[2]).toMatchObject({ content: [{ output: { type: 'content', value: [item] } }] })
    expect(said.parts).toMatchObject([{ kind: 'made-file', bytes: Uint8Array.of(1, 2, 3) }])
  },
)

test('a file in an answer is handed over, and one by its address alone is left out with a warning', async () => {
  const model = streamModel([
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: Uint8Array.of(4, 5) } },
    { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.example/b.png') } },
    finish('stop'),
  ])
  const { parts, finish: said } = await answerOf(aiSdkDriver(model), ask('Draw.'))
  expect(said.parts).toEqual([
    { kind: 'made-file', mediaType: 'image/png', bytes: Uint8Array.of(1, 2, 3) },
    { kind: 'made-file', mediaType: 'image/png', bytes: Uint8Array.of(4, 5) },
  ])
  expect(parts[0]).toMatchObject({ type: 'warning', message: expect.stringContaining('by its address') })
})
