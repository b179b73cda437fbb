import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { base64Of } from '../../src/core/json/base64.ts'
import {
  agent,
  type DriverRequest,
  type FileReference,
  type ModelMessage,
  memoryStore,
  type RunInput,
  type Session,
  type Store,
  scriptedModel,
  type ToolConfig,
  tool,
  withFiles,
} from '../../src/index.ts'
import type { ScriptStep } from '../../src/models/script-step.ts'
import { sessionStream } from '../../src/runtime/journal.ts'
import { sqlite } from '../../src/sqlite.ts'
import { exportCassette, parseCassette, replay } from '../../src/testing.ts'
import { answerOf } from '../models/answer-of.ts'
import { type ProviderName, providers } from '../models/providers.ts'
import { sseServer } from '../models/sse-server.ts'
import { event, wireFormats } from '../models/wire-formats.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function picture(width = 64, height = 32): Promise<Uint8Array> {
  const background = { r: 10, g: 120, b: 60 }
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer(),
  )
}

const pdf = new TextEncoder().encode('%PDF-1.7\n% a small one')
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A session of a scripted model, with what it was asked. */
async function scripted(steps: readonly ScriptStep[], store: Store = memoryStore()) {
  const requests: DriverRequest[] = []
  const model = scriptedModel((request, stepNumber) => {
    requests.push(request)
    return steps[stepNumber - 1] ?? 'Done.'
  })
  const made = agent({ name: 'a', model, store, modelAttempts: 1 })
  return { made, requests, session: await made.startSession({ id: 's' }) }
}

async function userMessages(session: Session) {
  return (await session.events()).flatMap(({ event: each }) =>
    each.type === 'message.added' && each.message.role === 'user' ? [each.message] : [],
  )
}

describe('what the user says', () => {
  test('may hold images and files, whose bytes are in the store and not in the log', async () => {
    const { session, requests } = await scripted(['Green.'])
    const png = await picture()
    await session.run([
      { type: 'text', text: 'What is this?' },
      { type: 'image', data: png, name: 'leaf.png' },
      { type: 'file', data: pdf, mediaType: 'application/pdf', name: 'leaf.pdf' },
      { type: 'text', text: 'Say it in a word.' },
    ])
    const [said] = await userMessages(session)
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect(said).toEqual({
      role: 'user',
      text: 'What is this?\n\nSay it in a word.',
      files: [
        { digest, mediaType: 'image/png', bytes: png.length, name: 'leaf.png', width: 64, height: 32 },
        { digest, mediaType: 'application/pdf', bytes: pdf.length, name: 'leaf.pdf' },
      ],
    })
    const [image] = said?.files ?? []
    expect(await session.file(image?.digest ?? '')).toEqual(png)
    expect(requests[0]?.messages).toEqual([said])
    expect(requests[0]?.files?.get(image?.digest ?? '')).toEqual(png)
  })

  test('is the plain text that it was when there is nothing else', async () => {
    const { session, requests } = await scripted(['Yes.', 'Yes.'])
    await session.run('One.')
    await session.run([{ type: 'text', text: 'Two.' }])
    expect(await userMessages(session)).toEqual([
      { role: 'user', text: 'One.' },
      { role: 'user', text: 'Two.' },
    ])
    expect(requests.map(({ files }) => files)).toEqual([undefined, undefined])
  })

  test('may come as a data address, and an image is what its bytes say', async () => {
    const { session } = await scripted(['Seen.'])
    const png = await picture()
    await session.run([
      { type: 'image', data: `data:image/jpeg;base64,${base64Of(png)}`, mediaType: 'image/jpeg' },
      { type: 'file', data: `data:text/csv;base64,${btoa('a,b')}`, mediaType: 'Text/CSV; charset=utf-8' },
    ])
    const [said] = await userMessages(session)
    expect(said?.files?.map(({ mediaType, bytes }) => [mediaType, bytes])).toEqual([
      ['image/png', png.length],
      ['text/csv', 3],
    ])
  })

  test('is what it was, whatever becomes of the bytes that were handed over', async () => {
    const { session } = await scripted(['Seen.'])
    const bytes = bytesOf('kept')
    const run = session.run([{ type: 'file', data: bytes, mediaType: 'text/plain' }])
    await run
    bytes.fill(0)
    const [said] = await userMessages(session)
    expect(await session.file(said?.files?.[0]?.digest ?? '')).toEqual(bytesOf('kept'))
  })

  test.each<[string, unknown, RegExp]>([
    ['nothing', [], /must be a text, or a list/],
    ['a part of no kind', [{ type: 'video', data: pdf }], /input\[0\] needs a "type"/],
    ['a key that does not exist', [{ type: 'text', text: 'a', lang: 'en' }], /unknown key "lang"/],
    ['an address elsewhere', [{ type: 'image', data: 'https://a.example/b.png' }], /has to be fetched/],
    ['base64 that is none', [{ type: 'image', data: 'data:image/png;base64,%%%' }], /no base64/],
    ['an empty file', [{ type: 'file', data: new Uint8Array(), mediaType: 'text/plain' }], /is empty/],
    [
      'a file that is too large',
      [{ type: 'file', data: new Uint8Array(33_554_433), mediaType: 'text/plain' }],
      /at most 33554432/,
    ],
    [
      'a type that no model is shown',
      [{ type: 'file', data: pdf, mediaType: 'application/zip' }],
      /"application\/zip"/,
    ],
    ['a PDF that is none', [{ type: 'file', data: bytesOf('PK'), mediaType: 'application/pdf' }], /no PDF/],
    [
      'a text in another encoding',
      [{ type: 'file', data: Uint8Array.of(0xff, 0xfe), mediaType: 'text/plain' }],
      /UTF-8/,
    ],
    [
      'a text that no model reads',
      [{ type: 'file', data: new Uint8Array(1_048_577).fill(97), mediaType: 'text/plain' }],
      /at most 1048576/,
    ],
    ['an image that is none', [{ type: 'image', data: bytesOf('<svg/>') }], /no PNG/],
    [
      'a name with a line break',
      [{ type: 'file', data: pdf, mediaType: 'application/pdf', name: 'a\nb' }],
      /"name"/,
    ],
    ['a detail that does not exist', [{ type: 'image', data: pdf, detail: 'low' }], /"detail"/],
    [
      'too many files',
      Array.from({ length: 21 }, () => ({ type: 'file', data: pdf, mediaType: 'application/pdf' })),
      /at most 20/,
    ],
  ])('is refused with %s, and nothing is begun', async (_what, input, sentence) => {
    const { session } = await scripted([])
    await expect(session.run(input as RunInput)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(sentence),
    })
    expect(session.state.openRun).toBeUndefined()
    expect(await session.run('Still there?')).toMatchObject({ status: 'completed' })
  })
})

describe('a file of a conversation', () => {
  test('is read from the file of a store by whoever opens it next', async () => {
    const folder = temporaryFolder()
    const png = await picture()
    const before = sqlite(join(folder.path, 'shop.db'))
    const first = await scripted(['Green.'], before)
    await first.session.run([{ type: 'image', data: png }])
    await before.close()
    const after = sqlite(join(folder.path, 'shop.db'))
    const requests: DriverRequest[] = []
    const model = scriptedModel((request) => {
      requests.push(request)
      return 'Still green.'
    })
    const session = await agent({ name: 'a', model, store: after }).openSession('s')
    await session.run('And now?')
    expect([...(requests[0]?.files?.values() ?? [])].map((bytes) => [...bytes])).toEqual([[...png]])
    await after.close()
    folder.remove()
  })

  test('and what the provider did stand in a cassette without bytes, which plays again', async () => {
    const png = await picture()
    const answer: ScriptStep = {
      providerCalls: [{ name: 'web_search', args: { query: 'leaf' }, result: { found: 1 } }],
      text: 'A leaf.',
      files: [{ mediaType: 'image/png', bytes: png }],
    }
    const tools = [{ type: 'web_search' }] as const
    const made = agent({ name: 'a', model: scriptedModel([answer]), tools })
    const session = await made.startSession()
    await session.run([
      { type: 'text', text: 'What?' },
      { type: 'image', data: png },
    ])
    const cassette = parseCassette(JSON.parse(JSON.stringify(await exportCassette(session))))
    expect(JSON.stringify(cassette)).not.toContain(base64Of(png).slice(0, 40))
    const report = await replay(agent({ name: 'a', model: scriptedModel([]), tools }), cassette)
    expect(report).toMatchObject({ same: true, steps: 1 })
    const without = await replay(agent({ name: 'a', model: scriptedModel([]) }), cassette)
    expect(without.differences.map(({ at }) => at)).toEqual(['offered'])
  })

  test('is sent again with every request, also by another process, and gone with its session', async () => {
    const store = memoryStore()
    const first = await scripted(['Green.'], store)
    const png = await picture()
    await first.session.run([{ type: 'image', data: png }])
    const digest = (await userMessages(first.session))[0]?.files?.[0]?.digest ?? ''
    const requests: DriverRequest[] = []
    const model = scriptedModel((request) => {
      requests.push(request)
      return 'Still green.'
    })
    const made = agent({ name: 'a', model, store })
    const session = await made.openSession('s')
    await session.run('And now?')
    expect([...(requests[0]?.files?.keys() ?? [])]).toEqual([digest])
    expect(requests[0]?.files?.get(digest)).toEqual(png)
    expect(await store.getBlob(sessionStream('s'), digest)).toEqual(png)
    await made.removeSession('s')
    expect(await store.getBlob(sessionStream('s'), digest)).toBeUndefined()
  })

  test('is not found under a digest of nowhere', async () => {
    const { session } = await scripted([])
    await expect(session.file(`sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test('stays with the first message when what lies between is left out of the history', async () => {
    const requests: DriverRequest[] = []
    const model = scriptedModel((request) => {
      requests.push(request)
      return 'Yes.'
    })
    const session = await agent({ name: 'a', model, history: { entriesMax: 4 } }).startSession()
    await session.run([
      { type: 'text', text: 'Keep this.' },
      { type: 'image', data: await picture() },
    ])
    for (const text of ['b', 'c', 'd']) await session.run(text)
    const opening = requests.at(-1)?.messages[0]
    expect(opening).toMatchObject({ role: 'user', files: [{ mediaType: 'image/png' }] })
    expect(requests.at(-1)?.files?.size).toBe(1)
  })
})

describe('what a tool gives beside its result', () => {
  const plot = (more: Partial<ToolConfig> = {}) =>
    tool({
      name: 'plot',
      description: 'Draws',
      toolClass: 'read',
      execute: async () =>
        await withFiles({ points: 3 }, [
          { type: 'image', data: await picture(), name: 'plot.png' },
          { type: 'file', data: bytesOf('a,b'), mediaType: 'text/csv', name: 'plot.csv' },
        ]),
      ...more,
    })

  async function plotted(more: Partial<ToolConfig> = {}) {
    const requests: DriverRequest[] = []
    const model = scriptedModel((request, stepNumber) => {
      requests.push(request)
      return stepNumber === 1 ? { calls: [{ name: 'plot' }] } : 'Seen.'
    })
    const session = await agent({ name: 'a', model, tools: [plot(more)] }).startSession()
    await session.run('Plot.')
    const [result] = requests[1]?.messages.flatMap((each) => (each.role === 'tool' ? each.results : [])) ?? []
    const [call] = [...session.state.calls.values()]
    return { requests, session, result, end: call?.end }
  }

  test('stands in the log by its digest, and goes with the result to the model', async () => {
    const { requests, session, result, end } = await plotted()
    const digest = expect.stringMatching(/^sha256:/)
    const files = [
      {
        digest,
        mediaType: 'image/png',
        bytes: (await picture()).length,
        name: 'plot.png',
        width: 64,
        height: 32,
      },
      { digest, mediaType: 'text/csv', bytes: 3, name: 'plot.csv' },
    ]
    expect(result).toMatchObject({ text: '{"points":3}', isError: false, files })
    expect(end).toMatchObject({ status: 'completed', text: { inline: '{"points":3}' }, files })
    expect(requests[1]?.files?.size).toBe(2)
    expect(await session.file(result?.files?.[0]?.digest ?? '')).toEqual(await picture())
  })

  test('is not seen by what shapes and checks the result', async () => {
    const seen: unknown[] = []
    const { result } = await plotted({
      outputSchema: {
        type: 'object',
        properties: { points: { type: 'integer' } },
        required: ['points'],
      } as const,
      finalize: (_args, context) => {
        seen.push(context.result)
        return 'Three points.'
      },
    })
    expect(seen).toEqual([{ points: 3 }])
    expect(result).toMatchObject({ text: 'Three points.', files: [{ name: 'plot.png' }, {}] })
  })

  test('is a failure of the tool when it is no file', async () => {
    const { result } = await plotted({
      execute: () => withFiles('Here.', [{ type: 'image', data: bytesOf('<svg/>') }]),
    })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('no PNG') })
    expect(result?.files).toBeUndefined()
    await expect(withFiles('', [{ type: 'text', text: 'x' } as never])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  })

  test('is shown in the words of each provider, and named where there is no room for it', async () => {
    const file = { digest: 'd', mediaType: 'image/png', bytes: 3, name: 'plot.png' }
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Plot.' },
      { role: 'assistant', parts: [{ kind: 'call', modelCallId: 'c', name: 'plot', argumentsText: '{}' }] },
      {
        role: 'tool',
        results: [{ modelCallId: 'c', name: 'plot', text: 'Here.', isError: false, files: [file] }],
      },
    ]
    const files = new Map([['d', Uint8Array.of(1, 2, 3)]])
    const sent = async (provider: ProviderName) => {
      const { start, text, finish } = wireFormats[provider]
      await using server = await sseServer([{ events: [...start, ...text(0, ['Seen.']), ...finish('stop')] }])
      await answerOf(providers[provider](server.url), { messages, tools: [], files })
      return server.requests[0]
    }
    expect((await sent('openai.responses'))?.input).toMatchObject([
      {},
      {},
      {
        type: 'function_call_output',
        output: [
          { type: 'input_text', text: 'Here.' },
          { type: 'input_image', image_url: 'data:image/png;base64,AQID' },
        ],
      },
    ])
    expect((await sent('anthropic.messages'))?.messages).toMatchObject([
      {},
      {},
      {
        content: [
          {
            type: 'tool_result',
            content: [
              { type: 'text', text: 'Here.' },
              { type: 'image', source: { data: 'AQID' } },
            ],
          },
        ],
      },
    ])
    expect((await sent('openai.chat'))?.messages).toMatchObject([
      {},
      {},
      { role: 'tool', content: expect.stringMatching(/^Here\.\n\n\[.*plot\.png \(image\/png\)\]$/) },
    ])
  })
})

describe('a file that the model makes', () => {
  test('is kept in the store, stands in the log by its digest, and comes back with the history', async () => {
    const png = await picture(20, 10)
    const { session, requests } = await scripted([
      { text: 'Here.', files: [{ mediaType: 'application/octet-stream', bytes: png }] },
    ])
    await session.run('Draw.')
    await session.run('Again.')
    const answer = requests[1]?.messages[1]
    const parts = answer?.role === 'assistant' ? answer.parts : []
    const file: FileReference = {
      digest: expect.stringMatching(/^sha256:/) as unknown as string,
      mediaType: 'image/png',
      bytes: png.length,
      width: 20,
      height: 10,
    }
    expect(parts).toEqual([
      { kind: 'text', text: 'Here.' },
      { kind: 'file', file },
    ])
    const made = parts.find((part) => part.kind === 'file')
    expect(await session.file(made?.file.digest ?? '')).toEqual(png)
    expect(JSON.stringify(await session.events())).not.toContain(base64Of(png).slice(0, 40))
  })

  test('is left out with a warning when it is one too many', async () => {
    const files = Array.from({ length: 21 }, (_each, index) => ({
      mediaType: 'text/plain',
      bytes: Uint8Array.of(index),
    }))
    const { session } = await scripted([{ text: 'Here.', files }])
    const warnings: string[] = []
    for await (const each of session.stream('Draw.')) if (each.type === 'warning') warnings.push(each.message)
    expect(warnings).toEqual([expect.stringContaining('more than 20 files')])
  })
})

describe('on the wire', () => {
  test('an image, a PDF and a text reach OpenAI in its words', async () => {
    const format = wireFormats['openai.responses']
    await using server = await sseServer([
      { events: [...format.start, ...format.text(0, ['Green.']), ...format.finish('stop')] },
    ])
    const model = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).responses('gpt-5')
    const png = await picture()
    const session = await agent({ name: 'a', model }).startSession()
    await session.run([
      { type: 'text', text: 'What?' },
      { type: 'image', data: png },
      { type: 'file', data: pdf, mediaType: 'application/pdf', name: 'leaf.pdf' },
      { type: 'file', data: bytesOf('a,b'), mediaType: 'text/csv', name: 'leaf.csv' },
    ])
    expect(server.requests[0]?.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: `data:image/png;base64,${base64Of(png)}` },
          {
            type: 'input_file',
            filename: 'leaf.pdf',
            file_data: `data:application/pdf;base64,${base64Of(pdf)}`,
          },
          { type: 'input_text', text: 'The file "leaf.csv" (text/csv):\n\na,b' },
          { type: 'input_text', text: 'What?' },
        ],
      },
    ])
  })

  test('an image and a PDF reach Anthropic in its words', async () => {
    const format = wireFormats['anthropic.messages']
    await using server = await sseServer([
      { events: [...format.start, ...format.text(0, ['Green.']), ...format.finish('stop')] },
    ])
    const model = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'none' })('claude-sonnet-4-5')
    const png = await picture()
    const session = await agent({ name: 'a', model }).startSession()
    await session.run([
      { type: 'image', data: png },
      { type: 'file', data: pdf, mediaType: 'application/pdf' },
    ])
    expect(server.requests[0]?.messages).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64Of(png) } },
          { type: 'document', source: { media_type: 'application/pdf', data: base64Of(pdf) } },
        ],
      },
    ])
  })

  test("an image that OpenAI's tool drew is kept and can be drawn on in the next run", async () => {
    const format = wireFormats['openai.responses']
    const png = await picture()
    const item = { type: 'image_generation_call', id: 'ig_1' }
    await using server = await sseServer([
      {
        events: [
          ...format.start,
          event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress' } }),
          event('response.output_item.done', {
            output_index: 0,
            item: { ...item, status: 'completed', result: base64Of(png) },
          }),
          ...format.text(1, ['Here.']),
          ...format.finish('stop'),
        ],
      },
      { events: [...format.start, ...format.text(0, ['Done.']), ...format.finish('stop')] },
    ])
    const model = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).responses('gpt-5')
    const session = await agent({ name: 'a', model, tools: [{ type: 'image_generation' }] }).startSession()
    expect(await session.run('Draw.')).toMatchObject({ status: 'completed', text: 'Here.' })
    await session.run('Larger.')
    const parts = session.state.history.flatMap((entry) => (entry.role === 'assistant' ? entry.parts : []))
    expect(parts.map(({ kind }) => kind)).toEqual([
      'provider-call',
      'provider-result',
      'file',
      'text',
      'text',
    ])
    const file = parts.find((part) => part.kind === 'file')
    expect(await session.file(file?.file.digest ?? '')).toEqual(png)
    expect(JSON.stringify(server.requests[1]?.input)).toContain('"ig_1"')
  })
})

describe('what a model made and no model can be shown', () => {
  const zip = new Uint8Array([0x50, 0x4b, 3, 4])
  const nothing = new Uint8Array(4)
  const cut = async () => (await picture()).slice(0, 40)

  test.each([
    [
      'bytes that are no picture',
      'image/png',
      nothing,
      'application/octet-stream',
      'first bytes are of none',
    ],
    ['an archive', 'application/zip', zip, 'application/zip', 'is of the type "application/zip"'],
    ['no PDF', 'application/pdf', nothing, 'application/octet-stream', 'is no PDF'],
    [
      'no text',
      'Text/Plain; charset=utf-8',
      new Uint8Array([0xff]),
      'application/octet-stream',
      'no text in UTF-8',
    ],
  ])('is kept and told of, and not sent again: %s', async (_what, mediaType, bytes, kept, why) => {
    const requests: DriverRequest[] = []
    const model = scriptedModel((request, step) => {
      requests.push(request)
      return step === 1 ? { text: 'Here.', files: [{ mediaType, bytes }] } : 'Yes.'
    })
    const session = await agent({ name: 'a', model }).startSession()
    const warnings: string[] = []
    for await (const event of session.stream('Make it.'))
      if (event.type === 'warning') warnings.push(event.message)
    expect(warnings).toEqual([expect.stringContaining(why)])
    expect(warnings[0]).toMatch(/^File 1 that the model made .* is not sent to a model again\.$/)
    const parts = session.state.history.flatMap((entry) => (entry.role === 'assistant' ? entry.parts : []))
    const file = parts.find((part) => part.kind === 'file')?.file
    expect(file).toMatchObject({ mediaType: kept, bytes: bytes.length })
    expect(await session.file(file?.digest ?? '')).toEqual(bytes)
    await session.run('And now?')
    expect(requests[1]?.files).toBeUndefined()
    expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', parts: [{ kind: 'text', text: 'Here.' }] })
  })

  test('a picture that is cut short is not sent again either', async () => {
    const model = scriptedModel([{ text: 'Here.', files: [{ mediaType: 'image/png', bytes: await cut() }] }])
    const session = await agent({ name: 'a', model }).startSession()
    await session.run('Draw.')
    const parts = session.state.history.flatMap((entry) => (entry.role === 'assistant' ? entry.parts : []))
    expect(parts).toMatchObject([{ kind: 'text' }, { file: { mediaType: 'application/octet-stream' } }])
  })
})
