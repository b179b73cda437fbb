import type { CallOutcome } from '../event.ts'
import type { CallState } from './state.ts'

/** Whether the call was given up without anybody having seen its effect, whatever was found out since. */
export function wasUncertain(call: Pick<CallState, 'end'>): boolean {
  return call.end?.status === 'failed' && call.end.effect === 'uncertain'
}

/** Whether what came in late for a call leaves as little known as before: a failure that may have had an effect. */
export function isStillUncertain(late: CallOutcome | undefined): boolean {
  return late === undefined || wasUncertain({ end: late })
}

/** Whether nobody has found out yet what became of the call. */
export function isUncertain(call: CallState): boolean {
  return wasUncertain(call) && isStillUncertain(call.late) && call.reconciled === undefined
}
