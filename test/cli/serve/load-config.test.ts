import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../src/cli/serve/load-config.ts'
import { offerLines, offerOf } from '../../../src/cli/serve/offer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const token = 'x'.repeat(32)
let folder: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const provider = { package: '@ai-sdk/openai', models: ['gpt-5.6'], apiKeyEnv: 'TOOLPOST_TEST_KEY' }
const file = {
  tokens: [{ tokenEnv: 'TOOLPOST_TEST_TOKEN', subject: 'ann', providers: ['*'] }],
  providers: { openai: provider },
}

function write(name: string, content: object | string): string {
  const path = join(folder.path, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('a file names variables for what is secret, and paths relative to itself', async () => {
  process.env.TOOLPOST_TEST_TOKEN = token
  process.env.TOOLPOST_TEST_KEY = 'key'
  try {
    const config = await loadConfig(write('host.json', { ...file, port: 0, store: 'record.db' }))
    expect(config.serve).toEqual({ port: 0, tokens: [{ token, subject: 'ann', providers: ['*'] }] })
    const offer = offerOf(config.host.options, config.serve)
    expect(offer).toMatchObject({ providers: { openai: ['gpt-5.6'] }, subjects: ['ann'], isRecorded: true })
    expect(offerLines(offer).join('\n')).not.toContain(token)
    await config.host.options.store?.close()
  } finally {
    delete process.env.TOOLPOST_TEST_TOKEN
    delete process.env.TOOLPOST_TEST_KEY
  }
})

const given = { ...file, tokens: [{ token, subject: 'ann' }] }
const own = (change: object) => ({ ...given, providers: { openai: { ...provider, ...change } } })

test.each([
  ['a variable that is not set', file, /\/tokens\/0\/tokenEnv: the variable TOOLPOST_TEST_TOKEN is not set/],
  [
    'a key that is not set',
    given,
    /\/providers\/openai\/apiKeyEnv: the variable TOOLPOST_TEST_KEY is not set/,
  ],
  [
    'a package that is not there',
    own({ package: 'toolpost-no-such-package' }),
    /npm install toolpost-no-such-package/,
  ],
  [
    'an export that is not there',
    own({ factory: 'createNothing' }),
    /\/providers\/openai\/factory .*createOpenAI/,
  ],
  ['a package that makes no provider', own({ package: 'hono' }), /\/providers\/openai\/factory has to name/],
  ['a method that is not there', own({ api: 'nothing', apiKeyEnv: 'PATH' }), /\/providers\/openai\/api/],
  [
    'a key file that is not there',
    { ...given, tls: { key: 'no.pem', cert: 'no.pem' } },
    /\/tls\/key: .*no such file/,
  ],
])('%s is said by name', async (_, content, says) => {
  await expect(loadConfig(write('host.json', content))).rejects.toThrow(says)
})

test('a file that is not there is said to be so', async () => {
  await expect(loadConfig(join(folder.path, 'none.json'))).rejects.toThrow(
    /cannot be read: there is no such file/,
  )
})

const source = new URL('../../../src/', import.meta.url).href

test('a module has models of its own, a scripted one too', async () => {
  const path = write(
    'toolpost.config.mjs',
    `import { scriptedModel } from '${source}models/scripted.ts'
     const docs = { models: { small: scriptedModel(['Hello.']) } }
     export default { host: { providers: { docs } }, serve: { port: 0, tokens: [{ token: '${token}', subject: 'ann' }] } }`,
  )
  const { host, serve } = await loadConfig(path)
  expect(offerOf(host.options, serve)).toMatchObject({ providers: { docs: ['small'] }, isRecorded: false })
  expect(serve).toMatchObject({ port: 0 })
})

test.each([
  ['no default export', 'export const host = 1', /its default export is \{ host, serve \}/],
  ['another key', 'export default { host: {}, serve: {}, tokens: [] }', /\/tokens is not known/],
  ['no serve', 'export default { host: {} }', /\/serve is missing/],
  ['a host that is none', 'export default { host: { providers: 1 }, serve: {} }', /providers/],
  ['an error of its own', 'throw new Error("no luck")', /no luck/],
])('a module with %s is refused', async (_, text, says) => {
  await expect(loadConfig(write(`c${Math.abs(text.length)}.mjs`, text))).rejects.toThrow(says)
})

test('a module that cannot be read, or makes no host, is named with its key and the keys that there are', async () => {
  const broken = write('broken.mjs', 'export default { host: ')
  await expect(loadConfig(broken)).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('broken.mjs'),
  })
  const misspelt = write('misspelt.mjs', 'export default { host: { providers: {}, tols: [] }, serve: {} }')
  await expect(loadConfig(misspelt)).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringMatching(/misspelt\.mjs: \/host: .*"tols"; there are .*tools/),
  })
})
