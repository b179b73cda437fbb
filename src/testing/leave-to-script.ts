import type { ApprovalHandler } from '../agent/approver.ts'
import type { InputFunction } from '../agent/input-request.ts'
import { suspend } from '../agent/suspend.ts'

/** An ask as far as it matters whose it is. */
interface Asked {
  readonly sessionId: string
  readonly tool: { readonly name: string }
}

/** Whether a script has the answer to an ask. */
export type HasAnswer = (kind: 'decide' | 'input', asked: Asked) => boolean

/** A handler that leaves to the script what the script answers, and all else to the handler given. */
export function approvalsBeside(own: ApprovalHandler | undefined, hasAnswer: HasAnswer): ApprovalHandler {
  return (request, signal) => {
    // A script that decides is somebody to ask: what it has no answer to waits, and is not declined.
    if (own === undefined || hasAnswer('decide', request)) return suspend()
    return typeof own === 'function' ? own(request, signal) : own.request(request, signal)
  }
}

/** The same for what tools stop to ask for. */
export function inputsBeside(own: InputFunction, hasAnswer: HasAnswer): InputFunction {
  return (request, signal) => (hasAnswer('input', request) ? suspend() : own(request, signal))
}
