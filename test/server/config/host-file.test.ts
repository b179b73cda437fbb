import { expect, test } from 'vitest'
import { compile } from '../../../src/core/schema/validator.ts'
import { hostFileSchema, readHostFile } from '../../../src/server/config/host-file.ts'

const token = 'x'.repeat(32)
const whole = {
  $schema: './node_modules/toolpost/host.schema.json',
  host: '127.0.0.1',
  port: 0,
  tls: { key: 'key.pem', cert: 'cert.pem' },
  cors: ['https://app.example'],
  tokens: [
    { token, subject: 'ann', group: 'desk', providers: ['*'], applicationTools: [{ name: 'lookup' }] },
    { tokenEnv: 'REVIEWER_TOKEN', subject: 'bob', approveTools: ['*'], reviewerGroups: ['desk'] },
  ],
  providers: {
    openai: { package: '@ai-sdk/openai', models: ['gpt-5.6'], apiKeyEnv: 'OPENAI_API_KEY' },
    local: {
      package: '@ai-sdk/openai',
      models: ['llama'],
      baseUrl: 'http://localhost:11434/v1',
      factory: 'createOpenAI',
      api: 'chat',
      capabilities: { tools: false },
    },
  },
  store: 'toolpost.db',
  applicationTools: { enabled: true, requireApproval: false, maxPending: 10, maxPendingPerSubject: 5 },
  approvals: { interactive: true, allowIdlePause: false, maxPending: 10 },
  sessions: false,
  limits: {
    stepsMax: 8,
    idleTimeoutMs: 1,
    concurrentRuns: 1,
    concurrentRunsPerSubject: 1,
    queue: { total: 1, perSubject: 1 },
    runRetentionMs: 60_000,
    sessionRetentionMs: 86_400_000,
  },
}

test('a file with everything in it is read as it is', () => {
  expect(readHostFile(JSON.stringify(whole), 'host.json')).toEqual(whole)
  expect(compile(hostFileSchema)(whole)).toEqual([])
})

const [ann] = whole.tokens
const { openai } = whole.providers
const wrong: readonly (readonly [what: string, change: object, says: string])[] = [
  [
    'an unknown key',
    { limit: {} },
    '/limit is not allowed (there are $schema, host, port, tls, cors, tokens',
  ],
  [
    'an unknown grant',
    { tokens: [{ ...ann, tool: [] }] },
    '/tokens/0/tool is not allowed (there are token, tokenEnv',
  ],
  ['no tokens', { tokens: [] }, '/tokens must have at least 1 item'],
  ['no providers', { providers: {} }, '/providers'],
  [
    'a path for a package',
    { providers: { own: { ...openai, package: './own.ts' } } },
    '/providers/own/package',
  ],
  [
    'a script for a provider',
    { providers: { own: { ...openai, script: [] } } },
    '/providers/own/script is not allowed',
  ],
  ['no models', { providers: { own: { package: 'x' } } }, '/providers/own/models is required'],
  ['a word for a number', { limits: { concurrentRuns: 'many' } }, '/limits/concurrentRuns'],
  [
    'a time that nobody could come back in',
    { limits: { runRetentionMs: 59_999 } },
    '/limits/runRetentionMs must be at least 60000',
  ],
  [
    'two places of a token',
    { tokens: [{ ...ann, tokenEnv: 'A' }] },
    '/tokens/0 takes either token or tokenEnv',
  ],
  ['no token at all', { tokens: [{ subject: 'ann' }] }, '/tokens/0 takes either token or tokenEnv'],
]

test.each(wrong)('%s is refused with its pointer', (_, change, says) => {
  const text = JSON.stringify({ ...whole, ...change })
  expect(() => readHostFile(text, 'host.json')).toThrow(says)
  expect(() => readHostFile(text, 'host.json')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }))
})

test('a text that is no JSON is refused with the place', () => {
  expect(() => readHostFile('{"port": 1, "port": 2}', 'host.json')).toThrow(
    /host\.json is no JSON: .*"port".*twice/,
  )
})
