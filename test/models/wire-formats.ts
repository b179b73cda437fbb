import type { ProviderName } from './providers.ts'

export interface WireCall {
  readonly id: string
  readonly name: string
  /** The pieces in which the arguments are written. */
  readonly pieces: readonly string[]
}

/** Events of a provider's streaming format, as they stand on the wire. */
export interface WireFormat {
  readonly start: readonly string[]
  text(place: number, pieces: readonly string[]): string[]
  callBegun(place: number, call: WireCall): string[]
  callEnded(place: number, call: WireCall): string[]
  finish(reason: 'stop' | 'calls' | 'length'): string[]
}

export const wireFormats: Record<ProviderName, WireFormat> = {
  'openai.chat': {
    start: [chunk({ role: 'assistant', content: '' })],
    text: (_place, pieces) => pieces.map((content) => chunk({ content })),
    callBegun: (index, { id, name, pieces }) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ],
    callEnded: () => [],
    finish: (reason) => [
      chunk({}, { stop: 'stop', calls: 'tool_calls', length: 'length' }[reason]),
      'data: [DONE]\n\n',
    ],
  },
  'openai.responses': {
    start: [event('response.created', { response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } })],
    text: (place, pieces) => [
      event('response.output_item.added', {
        output_index: place,
        item: { type: 'message', id: `msg_${place}` },
      }),
      ...pieces.map((delta) =>
        event('response.output_text.delta', { output_index: place, item_id: `msg_${place}`, delta }),
      ),
      event('response.output_item.done', {
        output_index: place,
        item: { type: 'message', id: `msg_${place}` },
      }),
    ],
    callBegun: (place, call) => [
      event('response.output_item.added', { output_index: place, item: callItem(call, 'in_progress') }),
      ...call.pieces.map((delta) =>
        event('response.function_call_arguments.delta', {
          output_index: place,
          item_id: `fc_${call.id}`,
          delta,
        }),
      ),
    ],
    callEnded: (place, call) => [
      event('response.output_item.done', { output_index: place, item: callItem(call, 'completed') }),
    ],
    finish: (reason) => [
      reason === 'length'
        ? event('response.incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' } } })
        : event('response.completed', { response: { usage: { input_tokens: 7, output_tokens: 5 } } }),
    ],
  },
  'anthropic.messages': {
    start: [
      event('message_start', {
        message: {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      }),
    ],
    text: (index, pieces) => [
      event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      ...pieces.map((text) => event('content_block_delta', { index, delta: { type: 'text_delta', text } })),
      event('content_block_stop', { index }),
    ],
    callBegun: (index, { id, name, pieces }) => [
      event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } }),
      ...pieces.map((partial_json) =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }),
      ),
    ],
    callEnded: (index) => [event('content_block_stop', { index })],
    finish: (reason) => [
      event('message_delta', {
        delta: { stop_reason: { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens' }[reason] },
        usage: { output_tokens: 5 },
      }),
      event('message_stop', {}),
    ],
  },
}

/** A whole call, from its announcement to its end. */
export function wireCall(format: WireFormat, place: number, call: WireCall): string[] {
  return [...format.callBegun(place, call), ...format.callEnded(place, call)]
}

/** Anthropic's and OpenAI Responses' events carry their type twice; clients read the one inside. */
export function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

function chunk(delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }]
  return `data: ${JSON.stringify({ id: 'c_1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1', choices })}\n\n`
}

function callItem({ id, name, pieces }: WireCall, status: 'in_progress' | 'completed'): object {
  const written = status === 'completed' ? pieces.join('') : ''
  return { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: written, status }
}
