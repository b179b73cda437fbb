import type { JsonObject } from '../../../core/json/value.ts'
import { checkBearer, openaiError, refuseFault } from '../openai-refusal.ts'
import { checkOpenaiTools, type OpenaiTool } from '../openai-tools.ts'
import type { WireFormat } from '../wire-format.ts'
import { WireRefusal } from '../wire-refusal.ts'
import { checkItemOrder } from './item-order.ts'
import { outputItems, type ReasoningWishes } from './output-items.ts'
import { responsesRequest } from './request-schema.ts'
import { type Item, ResponseMemory } from './response-memory.ts'
import { responsesReply } from './responses-reply.ts'

/** `POST /v1/responses` of OpenAI. */
export function responsesFormat(): WireFormat {
  const memory = new ResponseMemory()
  return {
    path: '/v1/responses',
    models: /^(gpt-|o\d|chatgpt-|codex-|computer-use|ft:)/,
    someModels: ['gpt-5', 'gpt-4.1'],
    checkHeaders: checkBearer,
    checkBody: (body) => {
      refuseFault(responsesRequest(body))
      if (body.tool_choice !== undefined && body.tools === undefined)
        throw new WireRefusal('"tool_choice" needs "tools".', { param: 'tool_choice' })
      checkOpenaiTools(toolsOf(body))
      checkItemOrder(conversationOf(body, memory), memory)
    },
    reply: (body, answer) => {
      const items = outputItems(answer, wishesOf(body))
      const output = items.map((item) => item.whole)
      memory.remember(`resp_${answer.number}`, conversationOf(body, memory), output, body.store !== false)
      return responsesReply(body, answer, items)
    },
    errorBody: openaiError,
  }
}

/** The input with what came before it, and with what it refers to. */
function conversationOf(body: JsonObject, memory: ResponseMemory): readonly Item[] {
  const { input, previous_response_id: previous } = body
  const before = typeof previous === 'string' ? memory.conversation(previous) : []
  const given: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user' }] : (input as unknown as readonly Item[])
  return [...before, ...given.map((item) => memory.resolve(item))]
}

function toolsOf({ tools = [] }: JsonObject): OpenaiTool[] {
  return (tools as readonly JsonObject[]).map((tool, place) => {
    const isNamed = tool.type === 'function' || tool.type === 'custom'
    return { ...(isNamed ? (tool as Omit<OpenaiTool, 'at'>) : {}), at: `/tools/${place}/parameters` }
  })
}

function wishesOf({ reasoning, include }: JsonObject): ReasoningWishes {
  const summary = (reasoning as JsonObject | null | undefined)?.summary
  const included = (include as readonly string[] | null | undefined) ?? []
  return {
    summary: summary !== undefined && summary !== null,
    encrypted: included.includes('reasoning.encrypted_content'),
  }
}
