import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantPart, ModelMessage } from '../../src/core/driver.ts'
import { aiSdkDriver } from '../../src/models/ai-sdk.ts'
import { someNames } from '../core/lint/some-names.ts'
import { answerOf, ask } from './answer-of.ts'
import { providerNames, providers } from './providers.ts'
import { sseServer } from './sse-server.ts'
import { finish, streamModel } from './stream-model.ts'
import { wireCall, wireFormats } from './wire-formats.ts'

const free = {
  type: 'object',
  properties: { meta: { type: 'object' }, note: { type: 'string' } },
  required: ['meta'],
}

const taken = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/

function toolNamed(name: string) {
  return { name, description: '', jsonSchema: free }
}

/** A model that calls every tool that it is shown, by the name that it is shown. */
function callingModel() {
  const parts: LanguageModelV4StreamPart[] = []
  const model = streamModel([])
  return {
    ...model,
    async doStream(options: Parameters<typeof model.doStream>[0]) {
      const shown = (options.tools ?? []).map(({ name }) => name)
      parts.push(
        ...shown.flatMap((toolName, place): LanguageModelV4StreamPart[] => [
          { type: 'tool-input-start', id: `c${place}`, toolName },
          { type: 'tool-call', toolCallId: `c${place}`, toolName, input: '{}' },
        ]),
        finish('tool-calls'),
      )
      model.asked.push(options)
      return streamModel(parts.splice(0)).doStream(options)
    },
  }
}

test('every tool that a model is shown can be called by the shown name [faults/F22]', async () => {
  await fc.assert(
    fc.asyncProperty(someNames, async (names) => {
      const model = callingModel()
      const { parts, finish: end } = await answerOf(
        aiSdkDriver(model),
        ask('Go', { tools: names.map(toolNamed) }),
      )
      const shown = (model.asked[0]?.tools ?? []).map(({ name }) => name)
      expect(shown.filter((name) => !taken.test(name))).toEqual([])
      expect(new Set(shown).size).toBe(names.length)
      expect(parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))).toEqual(names)
      expect(end.parts.map((part) => part.kind === 'call' && part.name)).toEqual(names)
    }),
    { numRuns: 50 },
  )
})

test('past calls bear the names that the model was shown, also when the tool is gone [faults/F22]', async () => {
  await fc.assert(
    fc.asyncProperty(someNames, fc.nat(), async (names, kept) => {
      const model = callingModel()
      const parts = names.map(
        (name, place): AssistantPart => ({
          kind: 'call',
          modelCallId: `h${place}`,
          name,
          argumentsText: '{}',
        }),
      )
      const results = names.map((name, place) => ({
        modelCallId: `h${place}`,
        name,
        text: '',
        isError: false,
      }))
      const messages: ModelMessage[] = [
        { role: 'assistant', parts },
        { role: 'tool', results },
      ]
      const tools = names.slice(0, kept % (names.length + 1)).map(toolNamed)
      const { finish: end } = await answerOf(aiSdkDriver(model), { messages, tools })
      const { tools: sent, prompt } = model.asked[0] ?? {}
      const said = (prompt ?? []).map(({ content }) =>
        (content as { toolName: string }[]).map((part) => part.toolName),
      )
      expect(said.flat().filter((name) => !taken.test(name))).toEqual([])
      expect(said[0]?.slice(0, tools.length) ?? []).toEqual((sent ?? []).map(({ name }) => name))
      expect(said[1]).toEqual(said[0])
      expect(end.parts.map((part) => part.kind === 'call' && part.name)).toEqual(
        tools.map(({ name }) => name),
      )
    }),
    { numRuns: 50 },
  )
})

test('a name that the model was never shown stands as the model wrote it', async () => {
  const model = streamModel([
    { type: 'tool-call', toolCallId: 'c', toolName: 'mail_send_00000000', input: '{}' },
    finish('tool-calls'),
  ])
  const { finish: end } = await answerOf(aiSdkDriver(model), ask('Go', { tools: [toolNamed('mail.send')] }))
  expect(end.parts).toMatchObject([{ kind: 'call', name: 'mail_send_00000000' }])
})

test("an older package for OpenAI's Responses API is told in words to leave strict mode off [faults/F13]", async () => {
  const model = { ...streamModel([finish('stop')]), provider: 'openai.responses', specificationVersion: 'v3' }
  await answerOf(aiSdkDriver(model as never), ask('Go', { tools: [toolNamed('look')] }))
  expect(model.asked[0]?.tools).toMatchObject([{ strict: false, inputSchema: free }])
})

describe.each(providerNames)('over %s', (provider) => {
  test('a tool with dots and 128 characters is called, its schema neither closed nor widened [faults/F13] [faults/F22]', async () => {
    const name = `company.docs.${'x'.repeat(115)}`
    const format = wireFormats[provider]
    await using first = await sseServer([{ events: [...format.start, ...format.finish('stop')] }])
    await answerOf(providers[provider](first.url), ask('Go', { tools: [toolNamed(name)] }))
    const [sent] = first.requests[0]!.tools as Record<string, unknown>[]
    const shown = (sent?.function ?? sent) as Record<string, unknown>
    expect(shown.name).toMatch(taken)
    expect(shown.parameters ?? shown.input_schema).toEqual(free)
    expect(shown.strict ?? false).toBe(false)

    const call = { id: 'call_1', name: shown.name as string, pieces: ['{"meta":{}}'] }
    const events = [...format.start, ...wireCall(format, 0, call), ...format.finish('calls')]
    await using second = await sseServer([{ events }])
    const { finish: end } = await answerOf(
      providers[provider](second.url),
      ask('Go', { tools: [toolNamed(name)] }),
    )
    expect(end.parts).toMatchObject([{ kind: 'call', name, argumentsText: '{"meta":{}}' }])
  })
})
