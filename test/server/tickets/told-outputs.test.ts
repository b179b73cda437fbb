import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonValue, type ModelMessage, scriptedModel } from '../../../src/index.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost, type Host } from '../../../src/server/host.ts'

const request = {
  provider: 'double',
  model: 'small',
  input: 'Look.',
  tools: ['look'],
  applicationTools: [{ name: 'look', description: 'Looks', inputSchema: { type: 'object' } }],
}

/** What the model is told of an output, and what readers are. */
async function told(output: JsonValue): Promise<{ readonly model: string; readonly reader: unknown }> {
  let asked: readonly ModelMessage[] = []
  const model = scriptedModel(({ messages }) => {
    asked = messages
    return messages.some(({ role }) => role === 'tool') ? 'done' : { calls: [{ name: 'look' }] }
  })
  const host: Host = createHost({
    providers: { double: { models: { small: model } } },
    applicationTools: { enabled: true, requireApproval: false },
  })
  const events: RunEvent[] = []
  for await (const event of host.stream(request)) {
    events.push(event)
    if (event.type !== 'tool.execution.requested') continue
    const { executionId, runId, call } = event.execution
    await host.completeTool({ executionId, runId, callId: call.id, output })
  }
  const completed = events.find(({ type }) => type === 'tool.completed')
  const result = asked.flatMap((message) => (message.role === 'tool' ? message.results : [])).at(0)
  return { model: result?.text ?? 'nothing', reader: completed && 'output' in completed && completed.output }
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 'the bottom'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

test.each([
  [null, 'null'],
  ['', ''],
  ['null', 'null'],
  [false, 'false'],
  [0, '0'],
  [[], '[]'],
  [{}, '{}'],
  [[null], '[null]'],
] as const)('an output of %j is told to the model as %j, and to readers as it is', async (output, text) => {
  expect(await told(output as JsonValue)).toEqual({ model: text, reader: output })
})

test.each([65, 100, 101, 126])('an output of %i levels is told whole', async (levels) => {
  const output = nested(levels)
  expect(await told(output)).toEqual({ model: JSON.stringify(output), reader: output })
})

test('whatever an output is, the model reads it as JSON, a string as it stands', async () => {
  const outputs = fc
    .jsonValue({ noUnicodeString: false })
    .filter((value) => JSON.stringify(value).isWellFormed())
  await fc.assert(
    fc.asyncProperty(outputs, async (given) => {
      const output = JSON.parse(JSON.stringify(given)) as JsonValue
      const { model, reader } = await told(output)
      expect(reader).toEqual(output)
      expect(typeof output === 'string' ? model : JSON.parse(model)).toEqual(output)
    }),
    { numRuns: 60 },
  )
})
