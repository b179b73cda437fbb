import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DriverRequest, ModelMessage } from '../../src/core/driver.ts'
import { toDriver } from '../../src/models/model.ts'
import { configuredHost, hostNames } from './configured-host.ts'

interface HostVector {
  readonly id: string
  readonly host?: string
  readonly steps: readonly object[]
}

const file = join(import.meta.dirname, '../../conformance/host.json')
const vectors = JSON.parse(readFileSync(file, 'utf8')) as { cases: readonly HostVector[] }

const user: ModelMessage = { role: 'user', text: 'Find it' }
const answer: ModelMessage = { role: 'assistant', parts: [] }

/** What a model of the vectors says to a conversation. */
async function say(model: string, messages: readonly ModelMessage[]) {
  const { models } = configuredHost('standard').options.providers.scripted!
  if (typeof models === 'function') throw new Error('The models of the vectors are named.')
  const request = { messages, tools: [] } as unknown as DriverRequest
  const parts = await Array.fromAsync(toDriver(models[model]).propose(request, new AbortController().signal))
  const finish = parts.find((part) => part.type === 'finish')!
  return finish.parts.map((part) => {
    if (part.kind === 'call') return [part.modelCallId, part.name, JSON.parse(part.argumentsText)]
    return part.kind === 'text' ? part.text : part.kind
  })
}

test('the model of the vectors proposes a lookup, and finishes when it was answered', async () => {
  expect(await say('lookup', [user])).toEqual([['lookup-one', 'lookup', { query: 'solar' }]])
  expect(await say('lookup', [user, answer])).toEqual(['finished'])
  expect(await say('lookup', [user, answer, answer, user])).toHaveLength(1)
})

test('calls of the vectors are numbered, repeated and written out', async () => {
  const many = await say('thirty-three', [user])
  expect(many).toHaveLength(33)
  expect(many.at(-1)).toEqual(['lookup-33', 'lookup', { query: 'solar 33' }])
  expect(await say('forever', [user, answer, answer])).toEqual([['lookup-3', 'lookup', { query: 'solar 3' }]])
  expect((await say('long-id', [user]))[1]![0]).toHaveLength(257)
  expect((await say('empty-id', [user]))[1]![0]).toBe('')
})

test('each vector for hosts is of a host that the configuration has', () => {
  const hosts = new Set(vectors.cases.map(({ host = 'standard' }) => host))
  expect([...hosts].filter((name) => !hostNames.includes(name))).toEqual([])
  expect(hostNames.filter((name) => !hosts.has(name))).toEqual([])
})

test('a token of the vectors may have as many functions as a token can [application-tools/grants-bounded]', () => {
  const grants = configuredHost('standard').tokens.find(({ subject }) => subject === 'many')
  expect(grants?.applicationTools?.map(({ name }) => name).slice(-2)).toEqual(['function_31', 'function_32'])
})
