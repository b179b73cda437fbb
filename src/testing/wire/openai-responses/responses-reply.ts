import type { FinishReason } from '../../../core/driver.ts'
import type { JsonObject } from '../../../core/json/value.ts'
import { namedFrame } from '../event-frame.ts'
import type { WireReply } from '../wire-format.ts'
import type { WireAnswer } from '../wire-step.ts'
import type { BareEvent, OutputItem } from './output-items.ts'

const incomplete: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  filter: 'content_filter',
}

/** A response, streamed item by item; every event bears its number. */
export function responsesReply(
  body: JsonObject,
  answer: WireAnswer,
  items: readonly OutputItem[],
): WireReply {
  const open = { ...echo(body, answer.number), status: 'in_progress', output: [], usage: null }
  const ending = endOf(body, answer, items)
  const events: BareEvent[] = [
    ['response.created', { response: open }],
    ['response.in_progress', { response: open }],
    ...items.flatMap(itemEvents),
    ...ending.events,
  ]
  return {
    events: events.map(([type, data], sequence_number) => namedFrame(type, { sequence_number, ...data })),
    body: ending.response,
  }
}

function itemEvents({ begun, events, whole }: OutputItem, output_index: number): BareEvent[] {
  return [
    ['response.output_item.added', { output_index, item: begun }],
    ...events(output_index),
    ['response.output_item.done', { output_index, item: whole }],
  ]
}

function endOf(
  body: JsonObject,
  answer: WireAnswer,
  items: readonly OutputItem[],
): { events: BareEvent[]; response: object } {
  const { number, finish, failure, breakOff } = answer
  const reason = incomplete[finish]
  const base = { ...echo(body, number), output: items.map((item) => item.whole), usage: usageOf(answer) }
  if (failure !== undefined) {
    const error = { code: 'server_error', message: failure }
    const response = { ...base, status: 'failed', error }
    return {
      events: [
        ['error', { ...error, param: null }],
        ['response.failed', { response }],
      ],
      response,
    }
  }
  const response =
    reason === undefined
      ? { ...base, status: 'completed' }
      : { ...base, status: 'incomplete', incomplete_details: { reason } }
  const type = reason === undefined ? 'response.completed' : 'response.incomplete'
  return { events: breakOff ? [] : [[type, { response }]], response }
}

/** What a response repeats of its request. */
function echo(body: JsonObject, number: number) {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: number,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  }
}

function usageOf({ usage }: WireAnswer): object {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}
