import { type ApprovalAnswer, type ApprovalFunction, suspend } from '../../agent/approver.ts'
import type { AskPrompt } from '../terminal/ask-prompt.ts'
import { isInteractive } from '../terminal/is-interactive.ts'
import type { OpenAsks } from './open-asks.ts'
import { terminalApprovals } from './terminal-approvals.ts'

/** The options that say who answers asks. */
export interface ApprovalOptions {
  /** False: never prompt. */
  readonly input?: boolean
  readonly json?: boolean
  readonly leaveOpen?: boolean
  readonly wait?: boolean
}

/** What becomes of an ask in this process. */
export type AskingMode = 'prompt' | 'decline' | 'leave' | 'wait'

/** `prompt` only in a terminal; without one, asks are declined at once unless they are to be left open. */
export function askingMode(options: ApprovalOptions): AskingMode {
  if (options.leaveOpen === true) return options.wait === true ? 'wait' : 'leave'
  return isInteractive(options) ? 'prompt' : 'decline'
}

export const nobodyToAsk = 'No terminal is attached, so nobody could be asked.'

/** What a handler needs from its surroundings. */
export interface Asking extends AskPrompt {
  readonly asks: OpenAsks
  /** Tells whoever looks on that an ask waits for another process. */
  readonly sayItWaits: (ticket: string) => void
}

/** The approval handler of a mode. Without a terminal only new asks are declined: an older one was left open for somebody. */
export function chooseApprovals(mode: AskingMode, asking: Asking): ApprovalFunction {
  switch (mode) {
    case 'prompt':
      return terminalApprovals(asking, asking.asks)
    case 'wait':
      return (request, signal) => waitForOthers(request.id, signal, asking)
    case 'leave':
      return () => suspend()
    case 'decline':
      return ({ id }) => (asking.asks.isOlder(id) ? suspend() : { approved: false, reason: nobodyToAsk })
  }
}

async function waitForOthers(
  ticket: string,
  signal: AbortSignal,
  { asks, sayItWaits }: Asking,
): Promise<ApprovalAnswer> {
  // The lines that lead to the ask are printed first.
  await new Promise(setImmediate)
  sayItWaits(ticket)
  return await asks.wait(signal)
}
