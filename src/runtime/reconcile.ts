import { ToolpostError } from '../core/error.ts'
import type { Actor } from '../core/event.ts'
import { named } from '../core/json/named.ts'
import { readNote } from '../core/read-note.ts'
import { isUncertain } from '../core/run/uncertain.ts'
import type { Journal } from './journal.ts'

const findings: readonly unknown[] = ['completed', 'failed', 'not_run']

/**
 * Records what somebody found out about a call whose outcome nobody saw; afterwards the same call may be
 * made again. Errors: INVALID_ARGUMENT, CALL_NOT_FOUND, CALL_NOT_UNCERTAIN.
 */
export async function reconcileCall(
  journal: Journal,
  call: string,
  found: 'completed' | 'failed' | 'not_run',
  by: Actor,
  note?: string,
): Promise<void> {
  if (!findings.includes(found)) {
    throw new ToolpostError(
      'INVALID_ARGUMENT',
      `A call is reconciled as one of ${findings.join(', ')}, not as ${named(found)}.`,
    )
  }
  const said = note === undefined ? {} : { note: readNote('note', note) }
  await journal.write((state) => {
    const known = state.calls.get(call)
    if (known === undefined) throw new ToolpostError('CALL_NOT_FOUND', `There is no call ${named(call)}.`)
    if (!isUncertain(known)) {
      throw new ToolpostError(
        'CALL_NOT_UNCERTAIN',
        `The outcome of "${call}" is not uncertain; there is nothing to reconcile.`,
      )
    }
    return [{ type: 'call.reconciled', call, found, by, ...said }]
  })
}
