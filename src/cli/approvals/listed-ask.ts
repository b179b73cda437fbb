import { type ApprovalRequest, approvalRequest } from '../../agent/approval-request.ts'
import { type InputRequest, inputRequest } from '../../agent/input-request.ts'
import type { JsonValue } from '../../core/json/value.ts'
import type { CallState, SessionState, TicketState } from '../../core/run/state.ts'
import type { Tool } from '../../core/tool/tool.ts'

interface Listed {
  readonly argsDigest: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
}

/** An open ask as it is listed: for a decision about a call, or for a value that its tool needs. */
export type ListedAsk =
  | ({ readonly kind: 'approval' } & ApprovalRequest & Listed)
  /** Without a schema when the tool is not known here. */
  | ({ readonly kind: 'input' } & Omit<InputRequest, 'schema'> &
      Partial<Pick<InputRequest, 'schema'>> &
      Listed)

/** Puts an ask together from the log; undefined when there is no such open ask. */
export function listedAsk(state: SessionState, id: string, tool: Tool | undefined): ListedAsk | undefined {
  const ticket = state.tickets.get(id)
  const call = ticket && state.calls.get(ticket.call)
  if (ticket === undefined || call === undefined || ticket.decided !== undefined) return undefined
  // A call that was handed out asks nobody: whoever carries it gives its outcome.
  if (ticket.kind === 'execution') return undefined
  const { expiresAt, digest: argsDigest } = ticket
  const listed: Listed = {
    argsDigest,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
  if (ticket.kind === 'input')
    return {
      kind: 'input',
      ...(inputRequest(state, id, tool) ?? withoutTool(state, ticket, call)),
      ...listed,
    }
  const request = approvalRequest(state, id, tool)
  return request && { kind: 'approval', ...request, ...listed }
}

function withoutTool(
  state: SessionState,
  ticket: TicketState,
  call: CallState,
): Omit<InputRequest, 'schema'> {
  const { name } = call
  return {
    id: ticket.id,
    callId: call.id,
    sessionId: state.id,
    runId: ticket.run,
    agent: state.agent,
    path: [...(state.parent?.path ?? []), state.agent],
    principal: state.subject,
    tool: { name, title: name, description: '' },
    args: call.args as JsonValue,
    requestedAt: ticket.requestedAt,
    ...(ticket.default === undefined ? {} : { default: ticket.default.value }),
  }
}
