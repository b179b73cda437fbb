import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { chooseModel } from '../../src/cli/choose-model.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { run, testFolder } from './fixture.ts'

test.each([
  ['nothing', {}, {}, { kind: 'scripted' }],
  ['an empty key', { OPENAI_API_KEY: '' }, {}, { kind: 'scripted' }],
  ["OpenAI's key", { OPENAI_API_KEY: 'k' }, {}, { kind: 'openai', model: 'gpt-5.6' }],
  ["Anthropic's key", { ANTHROPIC_API_KEY: 'k' }, {}, { kind: 'anthropic', model: 'claude-sonnet-5' }],
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

/** A server that speaks chat completions: it lists two models, reads a file when asked, then says what it was told. */
async function compatibleServer() {
  const requests: { model: string; messages: { role: string; content: unknown }[] }[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/models')
      return response.end('{"data": [{"id": "some-embedding"}, {"id": "local-model"}]}')
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const body = JSON.parse(text)
    requests.push(body)
    const told = body.messages.findLast((message: { role: string }) => message.role === 'tool')
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path": "a.txt"}' },
    }
    const delta = told === undefined ? { tool_calls: [call] } : { content: `I read: ${told.content}` }
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [{ index: 0, ...choice }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${chunk({ delta })}${chunk({ delta: {}, finish_reason: told === undefined ? 'tool_calls' : 'stop' })}data: [DONE]\n\n`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

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
