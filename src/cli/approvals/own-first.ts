import type { ApprovalFunction, ApprovalHandler } from '../../agent/approver.ts'
import type { InputFunction } from '../../agent/input-request.ts'
import { isSuspended } from '../../agent/suspend.ts'

/** Asks an agent's own handler first; what it leaves to somebody else comes before `next`. */
export function ownApprovalsFirst(
  own: ApprovalHandler | undefined,
  next: ApprovalFunction,
): ApprovalFunction {
  if (own === undefined) return next
  const request: ApprovalFunction = typeof own === 'function' ? own : (...asked) => own.request(...asked)
  return async (asked, signal) => {
    const answer = await request(asked, signal)
    return isSuspended(answer) ? await next(asked, signal) : answer
  }
}

/** The same for what tools ask for. */
export function ownInputsFirst(own: InputFunction | undefined, next: InputFunction): InputFunction {
  if (own === undefined) return next
  return async (asked, signal) => {
    const value = await own(asked, signal)
    return isSuspended(value) ? await next(asked, signal) : value
  }
}
