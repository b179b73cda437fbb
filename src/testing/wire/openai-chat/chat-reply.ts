import type { FinishReason } from '../../../core/driver.ts'
import type { JsonObject } from '../../../core/json/value.ts'
import { dataFrame } from '../event-frame.ts'
import type { WireReply } from '../wire-format.ts'
import type { WireAnswer, WireCall } from '../wire-step.ts'

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filter: 'content_filter',
  error: 'stop',
  other: 'stop',
}

/** OpenAI's chat does not give its reasoning out: it is counted and not sent. */
export function chatReply(body: JsonObject, answer: WireAnswer): WireReply {
  const { number, text, calls, finish, failure, breakOff } = answer
  const head = { id: `chatcmpl-${number}`, created: number, model: body.model }
  const wantsUsage = (body.stream_options as JsonObject | undefined)?.include_usage === true
  const chunk = (choices: readonly object[], usage: object | null = null) =>
    dataFrame({
      ...head,
      object: 'chat.completion.chunk',
      service_tier: 'default',
      system_fingerprint: 'fp_1',
      choices,
      ...(wantsUsage ? { usage } : {}),
    })
  const choice = (delta: object, reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: reason }])
  const opening = {
    role: 'assistant',
    content: calls.length > 0 && text.length === 0 ? null : '',
    refusal: null,
  }
  const content = [
    choice(opening),
    ...text.map((piece) => choice({ content: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, index).map((delta) => choice(delta))),
  ]
  const ending = [
    choice({}, finishReasons[finish]),
    ...(wantsUsage ? [chunk([], chatUsage(answer))] : []),
    dataFrame('[DONE]'),
  ]
  const broken = failure === undefined ? [] : [dataFrame({ error: failed(failure) })]
  return {
    events: [...content, ...(failure === undefined && !breakOff ? ending : broken)],
    body: { ...head, object: 'chat.completion', choices: [whole(answer)], usage: chatUsage(answer) },
  }
}

function failed(message: string): object {
  return { message, type: 'server_error', param: null, code: null }
}

function callDeltas({ id, name, pieces }: WireCall, index: number): object[] {
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function whole({ text, calls, finish }: WireAnswer): object {
  const toolCalls = calls.map(({ id, name, argumentsText }) => {
    return { id, type: 'function', function: { name, arguments: argumentsText } }
  })
  const content = text.length === 0 && calls.length > 0 ? null : text.join('')
  return {
    index: 0,
    message: {
      role: 'assistant',
      content,
      refusal: null,
      annotations: [],
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    },
    logprobs: null,
    finish_reason: finishReasons[finish],
  }
}

function chatUsage({ usage }: WireAnswer): object {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, audio_tokens: 0 },
  }
}
