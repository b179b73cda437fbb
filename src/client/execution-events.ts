import { defineBody } from '../protocol/body.ts'
import { HostError } from '../protocol/host-error.ts'
import { faultSentence, parseBodyText } from '../protocol/parse-body.ts'
import { routes } from '../protocol/routes.ts'
import { type ExecutionEvent, executionEventBody } from '../protocol/tool-executions/execution-event.ts'
import type { Exchange } from './exchange.ts'
import { framesOf } from './frames.ts'

const laterEventBody = defineBody<{ readonly type: string; readonly optional?: boolean }>('LaterEvent', {
  type: 'object',
  properties: { type: { type: 'string' }, optional: { type: 'boolean' } },
  required: ['type'],
})

const known: readonly string[] = [
  'execution.requested',
  'execution.closed',
] satisfies ExecutionEvent['type'][]

/** Executions of all the caller's runs as they come and go, until the host ends the stream. Optional events of later versions are skipped. */
export async function* executionEvents(
  exchange: Exchange,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  for await (const { data } of framesOf(exchange, { route: routes.followExecutions, signal })) {
    const envelope = parseBodyText(laterEventBody, data)
    if (!envelope.ok) throw invalid(faultSentence(envelope.faults))
    const { type, optional } = envelope.value
    if (known.includes(type)) yield eventOf(data)
    else if (optional !== true) throw new HostError('UNSUPPORTED_EVENT')
  }
}

function eventOf(data: string): ExecutionEvent {
  const event = parseBodyText(executionEventBody, data)
  if (event.ok) return event.value
  throw invalid(faultSentence(event.faults))
}

function invalid(what: string): HostError {
  return new HostError('INVALID_STREAM', `The stream of executions breaks the protocol: ${what}`)
}
