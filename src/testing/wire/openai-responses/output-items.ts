import type { WireAnswer, WireCall } from '../wire-step.ts'
import type { Item } from './response-memory.ts'

/** How much of its reasoning a provider gives out. */
export interface ReasoningWishes {
  readonly summary: boolean
  readonly encrypted: boolean
}

/** An event without its place in the stream. */
export type BareEvent = readonly [type: string, data: object]

/** One item of an answer: as it begins, what is streamed of it, and as it is when it is whole. */
export interface OutputItem {
  readonly begun: object
  readonly events: (outputIndex: number) => readonly BareEvent[]
  readonly whole: Item & { readonly [member: string]: unknown }
}

/** The items of an answer, in order. */
export function outputItems(answer: WireAnswer, wishes: ReasoningWishes): readonly OutputItem[] {
  const { number, reasoning, text, calls } = answer
  return [
    ...(reasoning.length === 0 ? [] : [reasoningItem(number, reasoning, wishes)]),
    ...(text.length === 0 ? [] : [messageItem(number, text)]),
    ...calls.map((call, index) => callItem(`fc_${number}_${index + 1}`, call)),
  ]
}

function reasoningItem(number: number, pieces: readonly string[], wishes: ReasoningWishes): OutputItem {
  const base = {
    type: 'reasoning',
    id: `rs_${number}`,
    ...(wishes.encrypted ? { encrypted_content: btoa(`reasoning ${number}`) } : {}),
  }
  const text = pieces.join('')
  const part = { type: 'summary_text', text }
  const events = (output_index: number): BareEvent[] => {
    const place = { item_id: base.id, output_index, summary_index: 0 }
    if (!wishes.summary) return []
    return [
      ['response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }],
      ...pieces.map((delta) => ['response.reasoning_summary_text.delta', { ...place, delta }] as const),
      ['response.reasoning_summary_text.done', { ...place, text }],
      ['response.reasoning_summary_part.done', { ...place, part }],
    ]
  }
  return {
    begun: { ...base, summary: [] },
    events,
    whole: { ...base, summary: wishes.summary ? [part] : [] },
  }
}

function messageItem(number: number, pieces: readonly string[]): OutputItem {
  const base = { type: 'message', id: `msg_${number}`, role: 'assistant' }
  const text = pieces.join('')
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const events = (output_index: number): BareEvent[] => {
    const place = { item_id: base.id, output_index, content_index: 0 }
    return [
      ['response.content_part.added', { ...place, part: { ...part, text: '' } }],
      ...pieces.map((delta) => ['response.output_text.delta', { ...place, delta, logprobs: [] }] as const),
      ['response.output_text.done', { ...place, text, logprobs: [] }],
      ['response.content_part.done', { ...place, part }],
    ]
  }
  return {
    begun: { ...base, status: 'in_progress', content: [] },
    events,
    whole: { ...base, status: 'completed', content: [part] },
  }
}

function callItem(id: string, { id: call_id, name, pieces, argumentsText }: WireCall): OutputItem {
  const base = { type: 'function_call', id, call_id, name }
  const events = (output_index: number): BareEvent[] => {
    const place = { item_id: id, output_index }
    return [
      ...pieces.map((delta) => ['response.function_call_arguments.delta', { ...place, delta }] as const),
      ['response.function_call_arguments.done', { ...place, name, arguments: argumentsText }],
    ]
  }
  return {
    begun: { ...base, arguments: '', status: 'in_progress' },
    events,
    whole: { ...base, arguments: argumentsText, status: 'completed' },
  }
}
