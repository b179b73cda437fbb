import type { InputFunction, InputRequest } from '../../agent/input-request.ts'
import { suspend } from '../../agent/suspend.ts'
import { messageOf } from '../../core/message-of.ts'
import { inertLine } from '../terminal/inert-text.ts'
import { type InputPrompt, promptForInput } from '../terminal/input-prompt.ts'
import type { AskQueue } from './ask-queue.ts'
import type { OpenAsks } from './open-asks.ts'

/** Asks the person at the terminal for what tools ask for, in the order of all asks. */
export function terminalInputs(prompt: InputPrompt, asks: OpenAsks, queue: AskQueue): InputFunction {
  return (request, signal) => queue.take(signal, () => ask(request, prompt, asks, signal))
}

async function ask(
  request: InputRequest,
  prompt: InputPrompt,
  asks: OpenAsks,
  signal: AbortSignal,
): Promise<unknown> {
  // The lines that lead to the question are printed first.
  await new Promise(setImmediate)
  // Nobody wants an answer any more.
  if (signal.aborted || asks.left.aborted) return suspend()
  const given = await promptForInput(request, prompt, AbortSignal.any([signal, asks.left]))
  if (given !== undefined && given !== 'leave') return given.value
  if (signal.aborted) prompt.output.line(`  ${inertLine(messageOf(signal.reason))}`)
  else asks.leave()
  return suspend()
}
