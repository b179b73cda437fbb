import { type ApprovalFunction, suspend } from '../../agent/approver.ts'
import { isInteractive } from '../terminal/is-interactive.ts'
import type { AskPrompt } from '../terminal/ask-prompt.ts'
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

/** The approval handler of a mode. */
export function chooseApprovals(mode: AskingMode, prompt: AskPrompt, asks: OpenAsks): ApprovalFunction {
  switch (mode) {
    case 'prompt':
      return terminalApprovals(prompt, asks)
    case 'wait':
      return (_request, signal) => asks.wait(signal)
    case 'leave':
      return () => suspend()
    case 'decline':
      return () => ({ approved: false, reason: nobodyToAsk })
  }
}
