import type { TextReference } from '../core/event.ts'
import { limits } from '../core/limits.ts'
import { byteLength, previewOf } from './preview.ts'
import type { Task } from './task.ts'

type Keeping = Pick<Task, 'parts' | 'journal' | 'budget'>

const encoder = new TextEncoder()

/**
 * Keeps a result's text: small texts stand in the log, a large one is a blob of the session with a preview.
 * This is the one place that bounds what a model gets of a result, whatever tool and executor it came from:
 * by the cap of a call, and by what is left of the run's budget. `isLossy`: the text lacks parts of what the tool gave.
 */
export async function keepText(task: Keeping, text: string, isLossy = false): Promise<TextReference> {
  const size = byteLength(text)
  const allowed = task.budget.take(size)
  if (size <= allowed) return { inline: text }
  const bytes = encoder.encode(text)
  const kept = size > limits.resultKeptBytesMax ? bytes.subarray(0, limits.resultKeptBytesMax) : bytes
  const blob = await task.parts.store.putBlob(task.journal.stream, kept)
  const known = task.journal.state.spilled.get(blob)
  if (known !== undefined) return { blob, bytes: size, preview: repeated(size, blob) }
  return { blob, bytes: size, preview: previewOf(bytes, allowed, lastLine(size, kept.length, blob, isLossy)) }
}

/**
 * A part of a result that is kept already: never kept a second time, under another handle. It was made to fit; where
 * calls beside it have spent the budget since, it is cut.
 */
export function tellReading(task: Keeping, text: string): TextReference {
  const size = byteLength(text)
  const allowed = task.budget.take(size)
  if (size <= allowed) return { inline: text }
  const line = `[Cut to ${allowed} of ${size} bytes: read less at a time]`
  return { inline: previewOf(encoder.encode(text), allowed, line) }
}

function lastLine(size: number, kept: number, blob: string, isLossy: boolean): string {
  if (isLossy) {
    const first = kept < size ? `, of which the first ${kept} are kept` : ''
    return `[Parts of the result were replaced or left out; what is left has ${size} bytes${first}: read_result reads parts of ${blob}]`
  }
  const part = kept < size ? `, of which the first ${kept} are` : '; it is'
  return `[The whole result has ${size} bytes${part} kept: read_result reads parts of ${blob}]`
}

/** The same large result once more tells the model nothing new. */
function repeated(size: number, blob: string): string {
  return `[The same result as before, of ${size} bytes: read_result reads parts of ${blob}]`
}
