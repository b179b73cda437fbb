import type { FinishReason } from '../../../core/driver.ts'
import type { JsonObject } from '../../../core/json/value.ts'
import { namedFrame } from '../event-frame.ts'
import type { WireReply } from '../wire-format.ts'
import type { WireAnswer, WireCall } from '../wire-step.ts'

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  filter: 'refusal',
  error: 'end_turn',
  other: 'pause_turn',
}

/** What the model thought, signed. */
export interface Thought {
  readonly pieces: readonly string[]
  readonly thinking: string
  readonly signature: string
}

/** A block with the pieces that it is streamed in. */
interface StreamedBlock {
  readonly empty: object
  readonly deltas: readonly object[]
  readonly whole: object
}

/** A message, streamed block by block. */
export function messagesReply(body: JsonObject, answer: WireAnswer, thought: Thought | undefined): WireReply {
  const { number, text, calls, finish, failure, breakOff } = answer
  const blocks = [
    ...(thought === undefined ? [] : [thinkingBlock(thought)]),
    ...(text.length === 0 ? [] : [textBlock(text)]),
    ...calls.map(callBlock),
  ]
  const head = { id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model }
  const end = { stop_reason: stopReasons[finish], stop_sequence: null }
  const open = { content: [], stop_reason: null, stop_sequence: null, usage: inputUsage(answer) }
  const content = [
    namedFrame('message_start', { message: { ...head, ...open } }),
    ...blocks.flatMap(blockFrames),
  ]
  const usage = { output_tokens: answer.usage.outputTokens }
  const ending = [namedFrame('message_delta', { delta: end, usage }), namedFrame('message_stop', {})]
  const error = { type: 'overloaded_error', message: failure ?? '' }
  const broken = failure === undefined ? [] : [namedFrame('error', { error })]
  return {
    events: [...content, ...(failure === undefined && !breakOff ? ending : broken)],
    body: {
      ...head,
      content: blocks.map((block) => block.whole),
      ...end,
      usage: { ...inputUsage(answer), ...usage },
    },
  }
}

function inputUsage({ usage }: WireAnswer): object {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens,
    output_tokens: 1,
    service_tier: 'standard',
  }
}

/** The first block is followed by a ping, as in the published example. */
function blockFrames({ empty, deltas }: StreamedBlock, index: number): string[] {
  return [
    namedFrame('content_block_start', { index, content_block: empty }),
    ...(index === 0 ? [namedFrame('ping', {})] : []),
    ...deltas.map((delta) => namedFrame('content_block_delta', { index, delta })),
    namedFrame('content_block_stop', { index }),
  ]
}

function thinkingBlock({ pieces, thinking, signature }: Thought): StreamedBlock {
  return {
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
    whole: { type: 'thinking', thinking, signature },
  }
}

function textBlock(pieces: readonly string[]): StreamedBlock {
  return {
    empty: { type: 'text', text: '' },
    deltas: pieces.map((text) => ({ type: 'text_delta', text })),
    whole: { type: 'text', text: pieces.join('') },
  }
}

function callBlock({ id, name, pieces, argumentsText }: WireCall): StreamedBlock {
  return {
    empty: { type: 'tool_use', id, name, input: {} },
    deltas: ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    whole: { type: 'tool_use', id, name, input: inputOf(argumentsText) },
  }
}

function inputOf(argumentsText: string): unknown {
  try {
    return JSON.parse(argumentsText)
  } catch {
    return {}
  }
}
