import { WireRefusal } from '../wire-refusal.ts'

/** A message as far as its order matters; its shape was checked before. */
export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string }[]
}

/**
 * The rule of OpenAI's chat: an answer with calls is followed at once by one tool message for each of them, and a tool
 * message stands nowhere else. Errors: WireRefusal.
 */
export function checkMessageOrder(messages: readonly ChatMessage[]): void {
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) throw unasked(message, index)
      continue
    }
    if (open.size > 0) throw unanswered(open, index)
    if (message.role === 'assistant') open = callsOf(message, index)
  }
  if (open.size > 0) throw unanswered(open, messages.length)
}

function callsOf({ content, tool_calls: calls }: ChatMessage, index: number): Set<string> {
  if (calls === undefined && (content === undefined || content === null)) {
    throw new WireRefusal('An assistant message without tool calls needs content.', {
      param: `messages[${index}].content`,
    })
  }
  const ids = new Set(calls?.map((call) => call.id))
  if (ids.size === (calls?.length ?? 0)) return ids
  throw new WireRefusal('Two tool calls of one message bear the same id.', {
    param: `messages[${index}].tool_calls`,
  })
}

function unasked({ tool_call_id: id }: ChatMessage, index: number): WireRefusal {
  return new WireRefusal(
    `The tool message for "${id}" answers no open call of the assistant message before it.`,
    { param: `messages[${index}].tool_call_id` },
  )
}

function unanswered(open: ReadonlySet<string>, index: number): WireRefusal {
  return new WireRefusal(
    `After an assistant message with tool calls, a tool message must answer each of them; these have none: ${[...open].join(', ')}.`,
    { param: `messages[${index}]` },
  )
}
