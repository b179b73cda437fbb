import type { ApprovalRequest } from '../../agent/approval-request.ts'
import { type ApprovalAnswer, type ApprovalFunction, suspend } from '../../agent/approver.ts'
import { messageOf } from '../../core/message-of.ts'
import { type AskPrompt, promptForDecision } from '../terminal/ask-prompt.ts'
import { inertLine } from '../terminal/inert-text.ts'
import type { OpenAsks } from './open-asks.ts'

/** Asks the person at the terminal, one ask after the other. Once one was left open, so are the others. */
export function terminalApprovals(prompt: AskPrompt, asks: OpenAsks): ApprovalFunction {
  let before: Promise<unknown> = Promise.resolve()
  return (request, signal) => {
    const answer = asks.during(async () => {
      await before
      return await ask(request, prompt, asks, signal)
    })
    before = answer.then(
      (given) => (given === undefined || asks.left.aborted ? undefined : writtenDown(signal)),
      () => undefined,
    )
    return answer
  }
}

/** How long the next ask waits for the answer before it to stand in the log, in milliseconds. */
const writingMsMax = 1_000

/**
 * Waits until an answer was written down, which is when its ask's signal aborts: it may have answered the asks that
 * wait for their turn as well. An answer that cannot be written holds nobody up for long.
 */
async function writtenDown(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, writingMsMax)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
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
