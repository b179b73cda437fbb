import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { expect, test } from 'vitest'
import { type Model, toDriver } from '../../src/models/model.ts'
import { scriptedModel } from '../../src/models/scripted.ts'

const openai = createOpenAI({ apiKey: 'none' })

test('a driver is itself, and a model of any provider gets one that bears its name', () => {
  const scripted = scriptedModel([])
  const models: Model[] = [
    openai('gpt-5.6'),
    openai.chat('gpt-5.6'),
    createAnthropic({ apiKey: 'none' })('claude-x'),
  ]
  expect(toDriver(scripted)).toBe(scripted)
  expect(models.map((model) => toDriver(model).name)).toEqual([
    'openai.responses/gpt-5.6',
    'openai.chat/gpt-5.6',
    'anthropic.messages/claude-x',
  ])
})

test.each([
  ['gpt-5.6', 'The model is the text "gpt-5.6"; pass a provider\'s model'],
  [openai, 'call the provider with a model id'],
  [null, 'The model is null'],
  [undefined, 'of type undefined'],
  [{ propose: () => undefined }, 'neither a driver nor'],
  [{ specificationVersion: 'v9', doStream: () => undefined }, 'version "v9"'],
  [{ specificationVersion: 'v1', doStream: () => undefined }, '@ai-sdk/openai 4'],
])('what is no model is refused with what to pass instead (%#)', (model, words) => {
  expect(() => toDriver(model)).toThrow(
    expect.objectContaining({ code: 'INVALID_AGENT', message: expect.stringContaining(words) }),
  )
})
