import type { ApprovalRequest } from '../../agent/approval-request.ts'
import type { ApprovalAnswer, ApprovalFunction } from '../../agent/approver.ts'
import { suspend } from '../../agent/suspend.ts'
import { messageOf } from '../../core/message-of.ts'
import { type AskPrompt, promptForDecision } from '../terminal/ask-prompt.ts'
import { inertLine } from '../terminal/inert-text.ts'
import type { AskQueue } from './ask-queue.ts'
import type { OpenAsks } from './open-asks.ts'

/** Asks the person at the terminal, one ask after the other. Once one was left open, so are the others. */
export function terminalApprovals(prompt: AskPrompt, asks: OpenAsks, queue: AskQueue): ApprovalFunction {
  return (request, signal) => queue.take(signal, () => ask(request, prompt, asks, signal))
}

async function ask(
  request: ApprovalRequest,
  prompt: AskPrompt,
  asks: OpenAsks,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  // The lines that lead to the ask are printed first.
  await new Promise(setImmediate)
  // Nobody wants an answer any more.
  if (signal.aborted) return suspend()
  if (asks.left.aborted) return suspend()
  const decision = await promptForDecision(request, prompt, AbortSignal.any([signal, asks.left]))
  if (decision !== undefined && decision !== 'leave') return decision
  if (!signal.aborted) {
    asks.leave()
    return suspend()
  }
  prompt.output.line(`  ${inertLine(messageOf(signal.reason))}`)
  return suspend()
}
