import type { JsonValue } from '../core/json/value.ts'
import type { SessionState } from '../core/run/state.ts'
import type { JsonSchema } from '../core/schema/json-schema.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { Declined } from './decline.ts'
import type { Suspended } from './suspend.ts'

/** What a tool asks a person for, as a handler gets it. */
export interface InputRequest {
  /** The ask; an answer from another process names it. */
  readonly id: string
  readonly callId: string
  readonly sessionId: string
  readonly runId: string
  readonly agent: string
  /** The agents from the topmost to the one that asks. */
  readonly path: readonly string[]
  readonly principal: string
  readonly tool: { readonly name: string; readonly title: string; readonly description: string }
  /** What the model asks with: the prepared arguments. */
  readonly args: JsonValue
  /** What the answer must look like. */
  readonly schema: JsonSchema
  /** Milliseconds since 1970. */
  readonly requestedAt: number
  /** Milliseconds since 1970: from then on the default is the answer, or there is none. */
  readonly expiresAt?: number
  readonly default?: JsonValue
}

/**
 * Gives what tools ask for, while the run waits: a value that the tool's `yieldSchema` takes, `suspend()`, or
 * `decline(reason)`. The signal aborts when the answer is no longer wanted. A throw, and a value that does not pass, leave
 * the question open, and go to the hook `onError` and to whoever looks on as a `warning`.
 */
export type InputFunction = (
  request: InputRequest,
  signal: AbortSignal,
) => unknown | Suspended | Declined | Promise<unknown | Suspended | Declined>

/** Puts a question together from the log; undefined when there is no such open one, or its tool is gone. */
export function inputRequest(
  state: SessionState,
  ticketId: string,
  tool: Tool | undefined,
): InputRequest | undefined {
  const ticket = state.tickets.get(ticketId)
  const call = ticket && state.calls.get(ticket.call)
  if (ticket === undefined || call === undefined || ticket.decided !== undefined) return undefined
  if (tool?.yieldSchema === undefined) return undefined
  const { name, title, description, yieldSchema } = tool
  return {
    id: ticket.id,
    callId: call.id,
    sessionId: state.id,
    runId: ticket.run,
    agent: state.agent,
    path: [...(state.parent?.path ?? []), state.agent],
    principal: state.subject,
    tool: { name, title, description },
    args: call.args as JsonValue,
    schema: yieldSchema.jsonSchema,
    requestedAt: ticket.requestedAt,
    ...(ticket.expiresAt === undefined ? {} : { expiresAt: ticket.expiresAt }),
    ...(ticket.default === undefined ? {} : { default: ticket.default.value }),
  }
}
