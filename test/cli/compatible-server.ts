import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that speaks chat completions: it lists two models, reads a file when asked, then says what it was told. */
export async function compatibleServer(endsWith = 'stop') {
  const requests: { model: string; messages: { role: string; content: unknown }[] }[] = []
  let called = [{ name: 'read_file', arguments: '{"path": "a.txt"}' }]
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/models')
      return response.end('{"data": [{"id": "some-embedding"}, {"id": "local-model"}]}')
    let text = ''
    for await (const piece of request.setEncoding('utf8')) text += piece
    const body = JSON.parse(text)
    requests.push(body)
    const told = body.messages.findLast((message: { role: string }) => message.role === 'tool')
    const calls = called.map((each, index) => ({ index, id: `c${index}`, type: 'function', function: each }))
    const delta = told === undefined ? { tool_calls: calls } : { content: `I read: ${told.content}` }
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [{ index: 0, ...choice }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${chunk({ delta })}${chunk({ delta: {}, finish_reason: told === undefined ? 'tool_calls' : endsWith })}data: [DONE]\n\n`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    requests,
    /** Says which calls it asks for from now on. */
    calls: (...given: typeof called) => {
      called = given
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
