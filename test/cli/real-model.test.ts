import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chooseModel } from '../../src/cli/choose-model.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { compatibleServer } from './compatible-server.ts'
import { run, testFolder } from './fixture.ts'

test.each([
  ['nothing', {}, {}, { kind: 'scripted' }],
  ['an empty key', { OPENAI_API_KEY: '' }, {}, { kind: 'scripted' }],
  ["OpenAI's key", { OPENAI_API_KEY: 'k' }, {}, { kind: 'openai', model: 'gpt-5.6' }],
  ["Anthropic's key", { ANTHROPIC_API_KEY: 'k' }, {}, { kind: 'anthropic', model: 'claude-sonnet-5' }],
  [
    'an empty base URL',
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: ' ' },
    {},
    { kind: 'openai', model: 'gpt-5.6' },
  ],
  ['a base URL', { OPENAI_BASE_URL: 'http://x/v1' }, {}, { kind: 'compatible', baseUrl: 'http://x/v1' }],
  [
    'a base URL and a name',
    { OPENAI_BASE_URL: 'http://x', TOOLPOST_MODEL: 'm' },
    {},
    { kind: 'compatible', baseUrl: 'http://x', model: 'm' },
  ],
  [
    '--model over TOOLPOST_MODEL',
    { OPENAI_API_KEY: 'k', TOOLPOST_MODEL: 'm' },
    { model: 'n' },
    { kind: 'openai', model: 'n' },
  ],
  [
    'both keys and a claude',
    { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    { model: 'claude-x' },
    { kind: 'anthropic', model: 'claude-x' },
  ],
  ['--scripted over a key', { OPENAI_API_KEY: 'k' }, { scripted: true }, { kind: 'scripted' }],
])('%s chooses the model', (_what, variables, options, choice) => {
  expect(chooseModel(options, variables)).toEqual(choice)
})

test('a named model without a way to it is a mistake of the command line', () => {
  expect(() => chooseModel({ model: 'm' }, {})).toThrow(UsageError)
  expect(() => chooseModel({ model: 'm', scripted: true }, { OPENAI_API_KEY: 'k' })).toThrow(UsageError)
})

test.each([
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'nonsense' }],
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'localhost:11434/v1' }],
  ['ANTHROPIC_BASE_URL', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'nonsense' }],
])('%s that is no address is named before anything is begun', async (name, variables) => {
  using folder = testFolder()
  const { code, stderr } = await run(['start', '--dir', folder.path], variables)
  expect(code).toBe(1)
  expect(stderr).toMatch(
    new RegExp(`^error: ${name} must be the http or https address .*\\[INVALID_ARGUMENT\\]`),
  )
  expect(existsSync(join(folder.path, '.toolpost'))).toBe(false)
})

test('a compatible server needs no key: its first model takes the request, and its calls run on the real files', async () => {
  await using server = await compatibleServer()
  using folder = testFolder({ 'a.txt': 'Hello from the file.' })
  const { code, stdout, stderr } = await run(['start', 'What does a.txt say?', '--dir', folder.path], {
    OPENAI_BASE_URL: server.url,
  })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).not.toContain('scripted')
  expect(stdout).toContain('local-model')
  expect(stdout).toMatch(/I read: a\.txt, lines 1-1 of 1:\nHello from the file\./)
  expect(server.requests[0]?.model).toBe('local-model')
  expect(JSON.stringify(server.requests[0]?.messages)).toContain('What does a.txt say?')
})

test('a server that cannot be reached is told in one sentence', async () => {
  using folder = testFolder()
  const { code, stderr } = await run(['start', '--dir', folder.path], {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^error: The server of OPENAI_BASE_URL cannot be reached at .* \[INVALID_ARGUMENT\]\n$/,
  )
})

test.each([
  ['length', 'output limit (length)'],
  ['content_filter', "content filter stopped the model's answer"],
])(
  'a run that ends because of %s says so, and what to do, now and when it is shown',
  async (finish, said) => {
    await using server = await compatibleServer(finish)
    using folder = testFolder({ 'a.txt': 'Hello.' })
    const { code, stdout } = await run(['start', 'What does a.txt say?', '--dir', folder.path], {
      OPENAI_BASE_URL: server.url,
    })
    expect(code).toBe(1)
    expect(stdout).toContain(said)
    const shown = await run(['show', /run_\w+/.exec(stdout)?.[0] as string, '--dir', folder.path])
    expect(shown.stdout).toContain(said)
  },
)

test('what is advised after a run keeps the request and the model that were given', async () => {
  await using server = await compatibleServer()
  using folder = testFolder({ 'a.txt': 'Hello.' })
  const variables = { OPENAI_BASE_URL: server.url }
  const words = ['start', "What's in it?", '--model', 'big one', '--dir', folder.path]
  server.calls({ name: 'write_report', arguments: '{"path": "r", "markdown": "R"}' })
  const declined = await run(words, variables)
  expect(declined.stdout).toContain(
    `start 'What'\\''s in it?' --model 'big one' --leave-open --dir ${folder.path}`,
  )
  const left = await run([...words, '--leave-open'], variables)
  expect(left.stdout).toMatch(/resume run_\w+ --model 'big one' --dir/)
})
