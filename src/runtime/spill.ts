import type { TextReference } from '../core/event.ts'
import { limits } from '../core/limits.ts'
import { byteLength, previewOf } from './preview.ts'
import type { Task } from './task.ts'

const encoder = new TextEncoder()

/**
 * Keeps a result's text: small texts stand in the log, a large one is a blob of the session with a preview.
 * This is the one place that bounds what a model gets of a result, whatever tool and executor it came from:
 * by the cap of a call, and by what is left of the run's budget.
 */
export async function keepText(task: Task, text: string): Promise<TextReference> {
  const size = byteLength(text)
  const allowed = task.budget.take(size)
  if (size <= allowed) return { inline: text }
  const bytes = encoder.encode(text)
  const kept = size > limits.resultKeptBytesMax ? bytes.subarray(0, limits.resultKeptBytesMax) : bytes
  const blob = await task.parts.store.putBlob(task.journal.stream, kept)
  const known = task.journal.state.spilled.get(blob)
  if (known !== undefined) return { blob, bytes: size, preview: repeated(size, blob) }
  return { blob, bytes: size, preview: previewOf(bytes, allowed, lastLine(size, kept.length, blob)) }
}

function lastLine(size: number, kept: number, blob: string): string {
  const part = kept < size ? `, of which the first ${kept} are` : '; it is'
  return `[The whole result has ${size} bytes${part} kept: read_result reads parts of ${blob}]`
}

/** The same large result once more tells the model nothing new. */
function repeated(size: number, blob: string): string {
  return `[The same result as before, of ${size} bytes: read_result reads parts of ${blob}]`
}
