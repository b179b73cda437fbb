import type { ModelMessage } from '../core/driver.ts'
import { limits } from '../core/limits.ts'
import type { HistoryEntry, SessionState } from '../core/run/state.ts'
import { ComposedHistory } from './composed-history.ts'

/** How much history is composed into a request, and by which rule it is made smaller. */
export interface HistoryBounds {
  /** Default 400. */
  readonly entriesMax?: number
  /** Characters of text, results included. Default 400,000. */
  readonly charactersMax?: number
}

interface Kept {
  readonly history: ComposedHistory
  /** The message that stands for what was left out, and before which place that is. */
  opening?: { readonly from: number; readonly message: ModelMessage }
}

const keptHistories = new WeakMap<SessionState, Kept>()

/**
 * Composes what the model is sent: the instructions, then the newest history that fits. The compaction rule:
 * the first thing that the user said and the newest entries stay, what lies between is replaced by one line
 * that says how much was left out; a call is never parted from its result. What is left out grows by a quarter of
 * the bound at a time, so that most requests begin with the whole of the one before, which providers cache.
 */
export function composeContext(
  state: SessionState,
  instructions: string | undefined,
  bounds: HistoryBounds = {},
): ModelMessage[] {
  const kept: Kept = keptHistories.get(state) ?? { history: new ComposedHistory(state) }
  keptHistories.set(state, kept)
  const { history } = kept
  history.update()
  const front: ModelMessage[] = instructions === undefined ? [] : [{ role: 'system', text: instructions }]
  const from = firstKept(history, bounds)
  if (from > 0) {
    if (kept.opening?.from !== from) kept.opening = { from, message: Object.freeze(opening(state, from)) }
    front.push(kept.opening.message)
  }
  return front.concat(history.messagesFrom(from))
}

/** The place of the oldest entry that is kept; the newest one is kept however large it is. */
function firstKept(history: ComposedHistory, bounds: HistoryBounds): number {
  const entriesMax = bounds.entriesMax ?? limits.historyEntriesMax
  const charactersMax = bounds.charactersMax ?? limits.historyCharactersMax
  const entriesOver = inQuarters(history.length - entriesMax, entriesMax)
  const charactersOver = inQuarters(history.characters - charactersMax, charactersMax)
  const byCharacters = charactersOver === 0 ? 0 : history.placeAfter(charactersOver)
  return Math.min(Math.max(entriesOver, byCharacters), Math.max(0, history.length - 1))
}

/** What is over a bound, rounded up to whole quarters of it. */
function inQuarters(over: number, max: number): number {
  if (over <= 0) return 0
  const quarter = Math.max(1, Math.floor(max / 4))
  return Math.ceil(over / quarter) * quarter
}

function opening(state: SessionState, from: number): ModelMessage {
  const first = state.history[0] as HistoryEntry
  const count = from - (first.role === 'user' ? 1 : 0)
  const note = `[${count} earlier messages of this conversation were left out to save room.]`
  if (first.role !== 'user') return { role: 'user', text: note }
  const files = first.files === undefined ? {} : { files: first.files }
  return { role: 'user', text: count === 0 ? first.text : `${first.text}\n\n${note}`, ...files }
}
