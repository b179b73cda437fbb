import { type ApprovalDecision, checkReason } from '../core/decision.ts'

const brand = Symbol.for('toolpost.decline')

/** The value of `decline()`: a decision against the call. */
export interface Declined extends ApprovalDecision {
  readonly approved: false
}

/**
 * What a handler of `inputs` returns when nobody will answer: the question is closed, and the model is told the reason.
 * For `approvals` it is a no like any other. Errors: INVALID_ARGUMENT for a reason that is no text.
 */
export function decline(reason?: string): Declined {
  checkReason(reason, 'decline()')
  const because = reason === undefined ? {} : { reason }
  return Object.freeze({ approved: false, ...because, [brand]: true })
}

/** Whether an answer is `decline()`; an object of the same shape is an answer like any other. */
export function isDeclined(answer: unknown): answer is Declined {
  try {
    return typeof answer === 'object' && answer !== null && Object.hasOwn(answer, brand)
  } catch {
    return false
  }
}
