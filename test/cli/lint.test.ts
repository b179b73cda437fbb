import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, testFolder } from './fixture.ts'

const index = join(import.meta.dirname, '../../src/index.ts')
const tools = `
import { agent, scriptedModel, tool } from ${JSON.stringify(index)}
const make = (name, schema) => tool({ name, description: name, schema, execute: () => 1 })
export const one = make('db.search', { type: 'object', properties: { q: { type: 'string' } }, required: ['q'], additionalProperties: false })
export const listed = [make('listed', { type: 'object', oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] })]
export const clerk = agent({ name: 'clerk', model: scriptedModel([]), tools: [make('of_agent')] })
`

test("a module's tools are held against the providers' rules, alone, in lists and in agents", async () => {
  using folder = testFolder({ 'tools.mjs': tools })
  const { stdout, code } = await run(['lint', join(folder.path, 'tools.mjs'), '--json'])
  const report = JSON.parse(stdout)
  expect(report.tools).toEqual(['of_agent', 'listed', 'db.search'])
  expect(report.findings).toContainEqual(
    expect.objectContaining({ provider: 'anthropic', tool: 'listed', effect: 'refused', keyword: 'oneOf' }),
  )
  expect(report.findings).toContainEqual(
    expect.objectContaining({ provider: 'openai', tool: 'db.search', pointer: '/name', effect: 'changed' }),
  )
  expect(code).toBe(1)
})

test('what the strict mode refuses fails the command only when it is asked about: it is never sent', async () => {
  using folder = testFolder()
  const all = await run(['lint', '--dir', folder.path])
  expect(all.code).toBe(0)
  expect(all.stdout).toContain('with strict mode off')
  expect((await run(['lint', '--dir', folder.path, '--provider', 'openai-strict'])).code).toBe(1)
})

test('a module that cannot be loaded or has no tools is a sentence, an unknown provider wrong usage', async () => {
  using folder = testFolder({ 'empty.mjs': 'export const nothing = 1' })
  expect((await run(['lint', join(folder.path, 'empty.mjs')])).stderr).toMatch(
    /exports no tool.*\[INVALID_ARGUMENT\]/,
  )
  expect((await run(['lint', join(folder.path, 'gone.mjs')])).code).toBe(1)
  expect((await run(['lint', '--provider', 'bing'])).code).toBe(2)
})

test('tools that run at the provider are named, and there is nothing of them to check', async () => {
  const module = `
import { agent, providerTool, scriptedModel } from ${JSON.stringify(index)}
export const search = providerTool({ id: 'openai.web_search' })
export const clerk = agent({ name: 'clerk', model: scriptedModel([]), tools: [{ type: 'web_fetch' }] })
`
  using folder = testFolder({ 'provider.mjs': module })
  const { stdout, code } = await run(['lint', join(folder.path, 'provider.mjs')])
  expect(stdout).toContain("web_search runs at the model's provider (openai.web_search)")
  expect(code).toBe(0)
  const { ofProvider, tools: own } = JSON.parse(
    (await run(['lint', join(folder.path, 'provider.mjs'), '--json'])).stdout,
  )
  expect([own, ofProvider]).toEqual([
    [],
    [
      { name: 'web_fetch', id: 'scripted.web_fetch' },
      { name: 'web_search', id: 'openai.web_search' },
    ],
  ])
})

test('tools in records, sets, maps and promises are found, and the report says where', async () => {
  const module = `
import { agent, scriptedModel, tool } from ${JSON.stringify(index)}
const make = (name) => tool({ name, description: name, schema: { type: 'object', oneOf: [{}, {}] }, execute: () => 1 })
export const record = { search: make('of_record'), deep: { more: [make('of_list')] } }
export const set = new Set([make('of_set')])
export const map = new Map([['a', make('of_map')]])
export const later = Promise.resolve({ desk: agent({ name: 'desk', model: scriptedModel([]), tools: [make('of_agent')] }) })
record.again = record
export const never = new Promise(() => {})
`
  using folder = testFolder({ 'tools.mjs': module })
  const path = join(folder.path, 'tools.mjs')
  const { stdout, code } = await run(['lint', path, '--json', '--provider', 'anthropic'])
  const report = JSON.parse(stdout)
  expect(report.places).toEqual([
    { name: 'of_agent', at: 'later.desk.0' },
    { name: 'of_map', at: 'map.a' },
    { name: 'of_record', at: 'record.search' },
    { name: 'of_list', at: 'record.deep.more.0' },
    { name: 'of_set', at: 'set.0' },
  ])
  expect(report.unseen).toEqual(['never'])
  expect(report.findings.filter(({ effect }: { effect: string }) => effect === 'refused')).toHaveLength(5)
  expect(code).toBe(1)
  const told = await run(['lint', path, '--provider', 'anthropic'])
  expect(told.stdout).toContain('Looked at 5 tools: of_agent (later.desk.0), ')
  expect(told.stdout).toContain('Not looked into: never.')
})

test.each([
  ['tools', `export const one = make('one', { type: 'object' })`, 0],
  ['no tools', 'export const nothing = 1', 1],
])('a module that keeps the event loop alive does not keep the command: %s', async (_, exported, code) => {
  const module = `${tools.split('\n').slice(0, 3).join('\n')}\nsetInterval(() => {}, 1000)\n${exported}`
  using folder = testFolder({ 'tools.mjs': module })
  expect((await run(['lint', join(folder.path, 'tools.mjs'), '--json'])).code).toBe(code)
})

test('an option for a provider takes one value, so that a module may follow; it is repeated, or a list', async () => {
  using folder = testFolder({ 'tools.mjs': tools })
  const module = join(folder.path, 'tools.mjs')
  const providers = async (...words: string[]) =>
    JSON.parse((await run(['lint', ...words, '--json'])).stdout).providers
  expect(await providers('--provider', 'openai', module)).toEqual(['openai'])
  expect(await providers('--provider', 'openai', '--provider=gemini', module)).toEqual(['openai', 'gemini'])
  expect(await providers('--provider', 'openai,gemini', module)).toEqual(['openai', 'gemini'])
})

test('nor does a module with agents keep a command that only looks', async () => {
  const module = `${tools}\nsetInterval(() => {}, 1000)`
  using folder = testFolder({ 'tools.mjs': module })
  const { stdout, code } = await run(['tools', '--agent', join(folder.path, 'tools.mjs'), '--json'])
  expect([JSON.stringify(stdout).includes('of_agent'), code]).toEqual([true, 0])
})
