import type { JsonObject } from '../../../core/json/value.ts'
import type { WireFormat } from '../wire-format.ts'
import { WireRefusal } from '../wire-refusal.ts'
import type { WireAnswer } from '../wire-step.ts'
import { checkTools } from './check-tools.ts'
import { messagesReply, type Thought } from './messages-reply.ts'
import { messagesRequest } from './request-schema.ts'
import { ThinkingMemory } from './thinking-memory.ts'
import { checkTurnOrder } from './turn-order.ts'
import { turnsOf } from './turns.ts'

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** `POST /v1/messages` of Anthropic. */
export function messagesFormat(): WireFormat {
  const memory = new ThinkingMemory()
  return {
    path: '/v1/messages',
    models: /^claude-/,
    someModels: ['claude-sonnet-4-5'],
    checkHeaders,
    checkBody: (body) => checkBody(body, memory),
    reply: (body, answer) => {
      const thought = thoughtOf(body, answer)
      memory.remember(thought, answer.calls)
      return messagesReply(body, answer, thought)
    },
    errorBody: ({ status, message }, number) => ({
      type: 'error',
      error: { type: errorTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
      request_id: `req_${number}`,
    }),
  }
}

function checkHeaders(headers: Readonly<Record<string, string | undefined>>): void {
  const key = headers['x-api-key'] ?? headers.authorization ?? ''
  if (key === '') throw new WireRefusal('The request has no x-api-key header.', { status: 401 })
  if (headers['anthropic-version'] === undefined)
    throw new WireRefusal('The request has no anthropic-version header.')
}

function checkBody(body: JsonObject, memory: ThinkingMemory): void {
  const [fault] = messagesRequest(body)
  if (fault !== undefined) throw new WireRefusal(`The request breaks the schema: ${fault.message}.`)
  checkTools(body)
  const turns = turnsOf(body.messages as unknown as Parameters<typeof turnsOf>[0])
  checkTurnOrder(turns)
  if (!isThinking(body)) return
  checkThinkingSettings(body)
  memory.check(turns, thinkingOf(body)?.type === 'enabled')
}

function checkThinkingSettings(body: JsonObject): void {
  const { max_tokens: most, temperature, tool_choice: choice } = body
  const budget = thinkingOf(body)?.budget_tokens
  if (typeof budget === 'number' && budget >= Number(most))
    throw new WireRefusal('max_tokens must be greater than thinking.budget_tokens.')
  if (temperature !== undefined && temperature !== 1)
    throw new WireRefusal('temperature may only be 1 when thinking is on.')
  if (['any', 'tool'].includes(String((choice as JsonObject | undefined)?.type)))
    throw new WireRefusal('tool_choice may not force a tool when thinking is on.')
}

function thinkingOf({ thinking }: JsonObject): JsonObject | undefined {
  return thinking as JsonObject | undefined
}

function isThinking(body: JsonObject): boolean {
  const type = thinkingOf(body)?.type
  return type !== undefined && type !== 'disabled'
}

/** A model thinks aloud only when it was told to. */
function thoughtOf(body: JsonObject, { reasoning, number }: WireAnswer): Thought | undefined {
  if (reasoning.length === 0 || !isThinking(body)) return undefined
  const pieces = thinkingOf(body)?.display === 'omitted' ? [] : reasoning
  return { pieces, thinking: pieces.join(''), signature: btoa(`signature ${number}`) }
}
