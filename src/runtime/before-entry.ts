import type { CallOutcome } from '../core/event.ts'
import { encodeResult } from '../core/json/encode.ts'
import type { CallState } from '../core/run/state.ts'
import type { Tool } from '../core/tool/tool.ts'
import { keepText } from './spill.ts'
import type { Task } from './task.ts'
import type { Refusal } from './validator.ts'

/** What the hooks say before a claim: a refusal, an outcome in place of the tool's, or nothing. */
export async function beforeEntry(
  task: Task,
  tool: Tool,
  call: CallState,
): Promise<{ readonly refusal: Refusal } | { readonly outcome: CallOutcome } | undefined> {
  const said = await task.hooks?.before({ tool, call, signal: task.signal })
  if (said === undefined) return undefined
  if ('refused' in said) {
    const message = `The tool "${tool.name}" was not entered: ${said.refused}`
    return { refusal: { code: 'denied', category: 'hook', message } }
  }
  if ('fault' in said) {
    const message = `The tool was not entered, and what stood in for it was not let through: ${said.fault}`
    return { outcome: { status: 'failed', code: 'after_tool_failed', message, effect: 'none' } }
  }
  const { kind, text, lossy } = encodeResult(said.value)
  return {
    outcome: { status: 'completed', kind, text: await keepText(task, text, lossy.length > 0), by: 'hook' },
  }
}
