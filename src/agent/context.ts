import { modelText } from '../core/call.ts'
import type { ModelMessage, ToolResultPart } from '../core/driver.ts'
import { limits } from '../core/limits.ts'
import type { HistoryEntry, SessionState } from '../core/run/state.ts'

/** How much history is composed into a request, and by which rule it is made smaller. */
export interface HistoryBounds {
  /** Default 400. */
  readonly entriesMax?: number
  /** Characters of text, results included. Default 400,000. */
  readonly charactersMax?: number
}

/** One entry of the history with the results of its calls: it is kept whole or left out whole. */
interface Block {
  readonly messages: readonly ModelMessage[]
  readonly characters: number
}

/**
 * Composes what the model is sent: the instructions, then the newest history that fits. The compaction rule:
 * the first thing that the user said and the newest entries stay, what lies between is replaced by one line
 * that says how much was left out; a call is never parted from its result.
 */
export function composeContext(
  state: SessionState,
  instructions: string | undefined,
  bounds: HistoryBounds = {},
): ModelMessage[] {
  const system: ModelMessage[] = instructions === undefined ? [] : [{ role: 'system', text: instructions }]
  return [...system, ...history(state, bounds)]
}

function history(state: SessionState, bounds: HistoryBounds): ModelMessage[] {
  const entriesMax = bounds.entriesMax ?? limits.historyEntriesMax
  const charactersMax = bounds.charactersMax ?? limits.historyCharactersMax
  const newest: Block[] = []
  let characters = 0
  let index = state.history.length - 1
  for (; index >= 0 && newest.length < entriesMax; index -= 1) {
    const block = blockOf(state, state.history[index] as HistoryEntry)
    characters += block.characters
    if (characters > charactersMax && newest.length > 0) break
    newest.push(block)
  }
  const kept = newest.reverse().flatMap((block) => block.messages)
  return index < 0 ? kept : [...opening(state, index), ...kept]
}

function opening(state: SessionState, lastLeftOut: number): ModelMessage[] {
  const first = state.history[0] as HistoryEntry
  const count = lastLeftOut + (first.role === 'user' ? 0 : 1)
  const note = `[${count} earlier messages of this conversation were left out to save room.]`
  if (first.role !== 'user') return [{ role: 'user', text: note }]
  return [{ role: 'user', text: count === 0 ? first.text : `${first.text}\n\n${note}` }]
}

function blockOf(state: SessionState, entry: HistoryEntry): Block {
  if (entry.role === 'user') {
    return { messages: [{ role: 'user', text: entry.text }], characters: entry.text.length }
  }
  const results = entry.calls.map((id) => resultOf(state, id))
  const assistant: ModelMessage = { role: 'assistant', parts: entry.parts }
  const messages: ModelMessage[] = results.length === 0 ? [assistant] : [assistant, { role: 'tool', results }]
  return {
    messages: entry.parts.length === 0 ? messages.slice(1) : messages,
    characters: sizeOf(entry, results),
  }
}

function resultOf(state: SessionState, id: string): ToolResultPart {
  const call = state.calls.get(id)
  if (call === undefined) return { modelCallId: id, name: '', text: '', isError: true }
  return { modelCallId: call.modelCallId, name: call.name, ...modelText(call) }
}

function sizeOf(
  entry: Extract<HistoryEntry, { role: 'assistant' }>,
  results: readonly ToolResultPart[],
): number {
  let size = 0
  for (const part of entry.parts) size += part.kind === 'call' ? part.argumentsText.length : part.text.length
  for (const result of results) size += result.text.length
  return size
}
