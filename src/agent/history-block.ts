import { modelText } from '../core/call.ts'
import type { ModelMessage, ToolResultPart } from '../core/driver.ts'
import type { CallState, HistoryEntry, SessionState } from '../core/run/state.ts'

/** One entry of the history with the results of its calls: it is kept whole or left out whole. */
export interface HistoryBlock {
  /** Frozen: the same message stands in the requests of many steps. */
  readonly messages: readonly ModelMessage[]
  readonly characters: number
  /** Those of the entry's calls whose results may still change. */
  readonly unsettled: readonly CallState[]
}

/** Composes one entry. */
export function historyBlock(state: SessionState, entry: HistoryEntry): HistoryBlock {
  if (entry.role === 'user') {
    const message: ModelMessage = Object.freeze({ role: 'user', text: entry.text })
    return { messages: [message], characters: entry.text.length, unsettled: [] }
  }
  const results = Object.freeze(entry.calls.map((id) => resultOf(state, id)))
  const messages: ModelMessage[] = []
  if (entry.parts.length > 0) messages.push(Object.freeze({ role: 'assistant', parts: entry.parts }))
  if (results.length > 0) messages.push(Object.freeze({ role: 'tool', results }))
  const unsettled = entry.calls.flatMap((id) => state.calls.get(id) ?? []).filter(isUnsettled)
  return { messages, characters: sizeOf(entry, results), unsettled }
}

/** A call that failed may report late or be reconciled; every other end stands. */
function isUnsettled({ end }: CallState): boolean {
  return end === undefined || end.status === 'failed'
}

function resultOf(state: SessionState, id: string): ToolResultPart {
  const call = state.calls.get(id)
  if (call === undefined) return Object.freeze({ modelCallId: id, name: '', text: '', isError: true })
  return Object.freeze({ modelCallId: call.modelCallId, name: call.name, ...modelText(call) })
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
