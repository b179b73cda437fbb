// An application with a function of its own: the host drives the model, the application looks things up in its memory and
// answers. Everything is on this machine, on a free port; no key, no paid model.
import { scriptedModel } from 'toolpost'
import { createClient, type RunRequest } from 'toolpost/client'
import { createHost, serve } from 'toolpost/host'

const passages: Readonly<Record<string, string>> = { solar: 'Panels lose 0.5 percent of their power a year.' }

const model = scriptedModel([
  { calls: [{ name: 'search_passages', args: { query: 'solar' } }] },
  'Panels lose half a percent a year.',
])
const host = createHost({
  providers: { docs: { models: { small: model } } },
  applicationTools: { enabled: true, requireApproval: false },
})
const token = crypto.randomUUID()
const grants = {
  providers: ['docs'],
  applicationTools: [{ name: 'search_passages', requiresApproval: false }],
}
const running = await serve(host, { port: 0, tokens: [{ token, subject: 'reader', ...grants }] })

// From here on it could be another process, in another language.
const client = createClient({ baseUrl: running.url, token })
const request: RunRequest = {
  provider: 'docs',
  model: 'small',
  input: 'How much power do panels lose?',
  tools: ['search_passages'],
  applicationTools: [
    {
      name: 'search_passages',
      description: 'Search what the reader may read',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      outputSchema: {
        type: 'object',
        properties: { passages: { type: 'array', items: { type: 'string' } } },
        required: ['passages'],
      },
    },
  ],
}
for await (const event of client.stream(request)) {
  if (event.type === 'tool.called') console.log('the model asks:', event.call.name, event.call.arguments)
  if (event.type === 'tool.execution.requested') {
    const { executionId, runId, call } = event.execution
    const output = { passages: [passages[String(call.arguments.query)] ?? 'Nothing is known of that.'] }
    const receipt = await client.completeTool({ executionId, runId, callId: call.id, output })
    console.log('the application answers:', receipt.status)
  }
  if (event.type === 'run.completed') console.log('the model says:', event.result.text)
}

await running.close()

// Prints:
// the model asks: search_passages { query: 'solar' }
// the application answers: accepted
// the model says: Panels lose half a percent a year.
