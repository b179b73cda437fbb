import { scriptedModel } from '../../../src/index.ts'
import type { RunRequest } from '../../../src/protocol/run/run-request.ts'
import type { RunEvent } from '../../../src/protocol/stream/run-event.ts'
import { createHost, type Host } from '../../../src/server/host.ts'
import type { HostOptions } from '../../../src/server/host-options.ts'

export const lookup = {
  name: 'lookup',
  description: 'Looks something up',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { passages: { type: 'array', items: { type: 'string' } } },
    required: ['passages'],
    additionalProperties: false,
  },
} as const

type Calls = readonly {
  readonly id?: string
  readonly name: string
  readonly args?: unknown
  readonly argumentsText?: string
}[]

/** A model that proposes these calls in its first turn and answers "finished" once it was told of them. */
export function proposing(calls: Calls, asked: { count: number } = { count: 0 }) {
  return scriptedModel((request) => {
    asked.count += 1
    return request.messages.some(({ role }) => role === 'tool') ? 'finished' : { calls }
  })
}

export const oneLookup: Calls = [{ id: 'lookup-one', name: 'lookup', args: { query: 'solar' } }]

/** The host of the scenarios: one model double, application tools on, no review. */
export function baselineHost(
  over: Partial<HostOptions> = {},
  calls: Calls = oneLookup,
  asked?: { count: number },
): Host {
  return createHost({
    providers: { double: { models: { small: proposing(calls, asked) } } },
    applicationTools: { enabled: true, requireApproval: false },
    ...over,
  })
}

export const baseline: RunRequest = {
  provider: 'double',
  model: 'small',
  input: 'Find something about the sun.',
  tools: ['lookup'],
  applicationTools: [lookup],
}

/** Executes what is asked for with `execute`, and gives all events. */
export async function serve(
  host: Host,
  request: unknown,
  execute: (event: Extract<RunEvent, { type: 'tool.execution.requested' }>['execution']) => Promise<unknown>,
  who = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of host.stream(request, who)) {
    events.push(event)
    if (event.type === 'tool.execution.requested') await execute(event.execution)
  }
  return events
}

export function typesOf(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type)
}
