import { modelText } from '../core/call.ts'
import type { AssistantPart, ModelMessage, ToolResultPart } from '../core/driver.ts'
import type { FileReference } from '../core/file.ts'
import { stringifyJson } from '../core/json/stringify.ts'
import type { CallState, HistoryEntry, SessionState } from '../core/run/state.ts'
import { patchesOf } from '../models/images/fitting-size.ts'
import { isSendable } from './sendable-file.ts'

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
    const { text, files = [] } = entry
    const said: ModelMessage = { role: 'user', text, ...(files.length === 0 ? {} : { files }) }
    const characters = files.reduce((sum, file) => sum + charactersOf(file), text.length)
    return { messages: [Object.freeze(said)], characters, unsettled: [] }
  }
  const results = Object.freeze(entry.calls.map((id) => resultOf(state, id)))
  const messages: ModelMessage[] = []
  const parts = sentParts(entry.parts)
  if (parts.length > 0) messages.push(Object.freeze({ role: 'assistant', parts }))
  if (results.length > 0) messages.push(Object.freeze({ role: 'tool', results }))
  const unsettled = entry.calls.flatMap((id) => state.calls.get(id) ?? []).filter(isUnsettled)
  return { messages, characters: sizeOf(entry, results), unsettled }
}

/** A file that no provider takes would fail every request from then on. */
function sentParts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const isSent = (part: AssistantPart) => part.kind !== 'file' || isSendable(part.file)
  return parts.every(isSent) ? parts : parts.filter(isSent)
}

/** A call that failed may report late or be reconciled; every other end stands. */
function isUnsettled({ end }: CallState): boolean {
  return end === undefined || end.status === 'failed'
}

function resultOf(state: SessionState, id: string): ToolResultPart {
  const call = state.calls.get(id)
  if (call === undefined) return Object.freeze({ modelCallId: id, name: '', text: '', isError: true })
  const files = call.end?.status === 'completed' ? call.end.files : undefined
  const beside = files === undefined ? {} : { files }
  return Object.freeze({ modelCallId: call.modelCallId, name: call.name, ...modelText(call), ...beside })
}

function sizeOf(
  entry: Extract<HistoryEntry, { role: 'assistant' }>,
  results: readonly ToolResultPart[],
): number {
  let size = 0
  for (const part of sentParts(entry.parts)) size += partSize(part)
  for (const { text, files = [] } of results)
    size += files.reduce((sum, file) => sum + charactersOf(file), text.length)
  return size
}

function partSize(part: AssistantPart): number {
  switch (part.kind) {
    case 'call':
    case 'provider-call':
      return part.argumentsText.length
    case 'provider-result':
      return stringifyJson(part.value).length
    case 'source':
      return 0
    case 'file':
      return charactersOf(part.file)
    default:
      return part.text.length
  }
}

/** How many characters of text a file costs about as much as: a token is taken as four. */
function charactersOf({ mediaType, bytes, width, height }: FileReference): number {
  if (width !== undefined && height !== undefined) return patchesOf(width, height) * 4
  return mediaType.startsWith('text/') || mediaType === 'application/json' ? bytes : Math.ceil(bytes / 10)
}
