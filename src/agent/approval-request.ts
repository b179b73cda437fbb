import type { JsonValue } from '../core/json/value.ts'
import type { ToolClass } from '../core/policy/class.ts'
import type { LayerEntry } from '../core/policy/layers.ts'
import type { ToolMode } from '../core/policy/mode.ts'
import type { SessionState } from '../core/run/state.ts'
import type { Coercion } from '../core/schema/schema.ts'
import type { Tool } from '../core/tool/tool.ts'

/** An ask as an approval handler gets it. */
export interface ApprovalRequest {
  /** The ticket; an answer from another process names it. */
  readonly id: string
  readonly callId: string
  readonly sessionId: string
  readonly runId: string
  readonly agent: string
  /** The agents from the topmost to the one that asks. */
  readonly path: readonly string[]
  readonly principal: string
  readonly tool: {
    readonly name: string
    readonly title: string
    readonly description: string
    /** The class that the call was judged under. */
    readonly toolClass: ToolClass
    readonly source: string
  }
  /** `host` for the application's own tools. */
  readonly source: 'host'
  /** Exactly what will run: the schema's output, which is also the form of edited arguments. */
  readonly args: JsonValue
  /**
   * Absent, but for `input`: the schema's output is no JSON, so that `args` holds what the schema takes, and so do edited arguments;
   * it is transformed when the call runs.
   */
  readonly argsForm?: 'input'
  readonly argsDigest: string
  /** What was converted without loss before validation. */
  readonly coerced: readonly Coercion[]
  /** True when the tool's own preparation changed what the model wrote. */
  readonly prepared: boolean
  /** One sentence. */
  readonly reason: string
  /** What each layer of the policy said. */
  readonly why: readonly LayerEntry[]
  readonly mode?: ToolMode
  readonly allowed: { readonly edit: true; readonly session: boolean }
  /** Milliseconds since 1970. */
  readonly requestedAt: number
}

/** Puts an ask together from the log; undefined when there is no such open ask. */
export function approvalRequest(
  state: SessionState,
  ticketId: string,
  tool: Tool | undefined,
): ApprovalRequest | undefined {
  const ticket = state.tickets.get(ticketId)
  const call = ticket && state.calls.get(ticket.call)
  if (ticket === undefined || call === undefined || ticket.decided !== undefined) return undefined
  const mode = state.runs.get(ticket.run)?.mode
  return {
    id: ticket.id,
    callId: call.id,
    sessionId: state.id,
    runId: ticket.run,
    agent: state.agent,
    path: [...(state.parent?.path ?? []), state.agent],
    principal: state.subject,
    tool: {
      name: call.name,
      title: tool?.title ?? call.name,
      description: tool?.description ?? '',
      toolClass: ticket.toolClass,
      source: tool?.source.kind ?? 'unknown',
    },
    source: 'host',
    args: call.args as JsonValue,
    ...(call.reparse === true ? { argsForm: 'input' as const } : {}),
    argsDigest: ticket.digest,
    coerced: call.coerced ?? [],
    prepared: call.prepared ?? false,
    reason: ticket.reason,
    why: ticket.why.filter((entry) => entry.private !== true),
    ...(mode === undefined ? {} : { mode }),
    allowed: { edit: true, session: ticket.remember !== 'none' },
    requestedAt: ticket.requestedAt,
  }
}
