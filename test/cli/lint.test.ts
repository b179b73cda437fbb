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
