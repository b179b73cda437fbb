import type { CallState } from './state.ts'

/** Whether the call was given up without anybody having seen its effect, whatever was found out since. */
export function wasUncertain(call: Pick<CallState, 'end'>): boolean {
  return call.end?.status === 'failed' && call.end.effect === 'uncertain'
}

/** Whether nobody has found out yet what became of the call. */
export function isUncertain(call: CallState): boolean {
  return wasUncertain(call) && call.late === undefined && call.reconciled === undefined
}
