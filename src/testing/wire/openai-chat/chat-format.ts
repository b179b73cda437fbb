import type { JsonObject } from '../../../core/json/value.ts'
import { checkBearer, openaiError, refuseFault } from '../openai-refusal.ts'
import { checkOpenaiTools, type OpenaiTool } from '../openai-tools.ts'
import type { WireFormat } from '../wire-format.ts'
import { WireRefusal } from '../wire-refusal.ts'
import { chatReply } from './chat-reply.ts'
import { type ChatMessage, checkMessageOrder } from './message-order.ts'
import { chatRequest } from './request-schema.ts'

/** `POST /v1/chat/completions` of OpenAI. */
export function chatFormat(): WireFormat {
  return {
    path: '/v1/chat/completions',
    models: /^(gpt-|o\d|chatgpt-|ft:)/,
    someModels: ['gpt-5', 'gpt-4.1'],
    checkHeaders: checkBearer,
    checkBody,
    reply: chatReply,
    errorBody: openaiError,
  }
}

function checkBody(body: JsonObject): void {
  refuseFault(chatRequest(body))
  for (const param of ['tool_choice', 'parallel_tool_calls']) {
    if (body[param] !== undefined && body.tools === undefined)
      throw new WireRefusal(`"${param}" needs "tools".`, { param })
  }
  checkOpenaiTools(toolsOf(body))
  if (body.stream_options !== undefined && body.stream !== true)
    throw new WireRefusal('"stream_options" needs "stream".', { param: 'stream_options' })
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined)
    throw new WireRefusal('Give "max_tokens" or "max_completion_tokens", not both.', { param: 'max_tokens' })
  checkMessageOrder(body.messages as unknown as readonly ChatMessage[])
}

function toolsOf({ tools = [] }: JsonObject): OpenaiTool[] {
  return (tools as readonly JsonObject[]).map((tool, place) => ({
    ...((tool.function ?? tool.custom) as Omit<OpenaiTool, 'at'>),
    at: `/tools/${place}/function/parameters`,
  }))
}
