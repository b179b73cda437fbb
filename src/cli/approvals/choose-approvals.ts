import type { ApprovalFunction } from '../../agent/approver.ts'
import { type Suspended, suspend } from '../../agent/suspend.ts'
import type { TicketState } from '../../core/run/state.ts'
import type { AskPrompt } from '../terminal/ask-prompt.ts'
import { isInteractive } from '../terminal/is-interactive.ts'
import type { AskQueue } from './ask-queue.ts'
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
  readonly queue: AskQueue
  /** Tells whoever looks on that an ask waits for another process. */
  readonly sayItWaits: (ticket: string, kind: TicketState['kind']) => void
}

/** The approval handler of a mode. Without a terminal only new asks are declined: an older one was left open for somebody. */
export function chooseApprovals(mode: AskingMode, asking: Asking): ApprovalFunction {
  switch (mode) {
    case 'prompt':
      return terminalApprovals(asking, asking.asks, asking.queue)
    case 'wait':
      return ({ id }, signal) => waitForOthers(id, 'approval', signal, asking)
    case 'leave':
      return () => suspend()
    case 'decline':
      return ({ id }) => (asking.asks.isOlder(id) ? suspend() : { approved: false, reason: nobodyToAsk })
  }
}

/** Waits until another process has answered an ask, or the person leaves it. */
export async function waitForOthers(
  ticket: string,
  kind: TicketState['kind'],
  signal: AbortSignal,
  { asks, sayItWaits }: Pick<Asking, 'asks' | 'sayItWaits'>,
): Promise<Suspended> {
  // The lines that lead to the ask are printed first.
  await new Promise(setImmediate)
  sayItWaits(ticket, kind)
  return await asks.wait(signal)
}
