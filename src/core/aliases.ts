import type { EventType } from './event.ts'

/**
 * Names under which the events of other systems are known, and which of our events each one stands for. A name may
 * stand for a part of them only: `user` is a `message.added` of the user's.
 */
export const aliasTable = {
  user: ['message.added'],
  assistant: ['message.added'],
  tool_call: ['call.proposed'],
  tool_denied: ['call.refused'],
  tool_result: ['call.completed', 'call.failed', 'call.refused', 'call.cancelled'],
  approval_decided: ['approval.decided'],
  tool_yield: ['input.requested'],
  tool_input: ['input.given', 'input.declined'],
} as const satisfies Record<string, readonly EventType[]>

/** A name of the alias table. */
export type EventAlias = keyof typeof aliasTable
