// The real OpenAI provider package, talking over HTTP to a server of this machine that speaks OpenAI's format.
import { createOpenAI } from '@ai-sdk/openai'
import { LLMock } from '@copilotkit/aimock'
import { agent, tool } from 'toolpost'
import * as z from 'zod'

const server = new LLMock({ port: 0 })
server.on(
  { userMessage: 'How many?', hasToolResult: false },
  { toolCalls: [{ name: 'count', arguments: '{"what":"files"}' }] },
)
server.on({ userMessage: 'How many?', hasToolResult: true }, { content: 'There are 42.' })
await server.start()

const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' })
const counter = agent({
  name: 'counter',
  model: openai.chat('gpt-5.6'),
  tools: [
    tool({
      name: 'count',
      description: 'Count things',
      toolClass: 'read',
      schema: z.object({ what: z.string() }),
      execute: ({ what }) => `42 ${what}`,
    }),
  ],
})

const session = await counter.startSession()
const result = await session.run('How many?')
await server.stop()
console.log([...session.state.calls.values()].map((call) => call.end?.status))
console.log(result.text)

// Prints:
// [ 'completed' ]
// There are 42.
