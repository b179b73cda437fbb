import { ToolpostError } from '../core/error.ts'
import { named } from '../core/json/named.ts'
import type { SessionState } from '../core/run/state.ts'
import { isUncertain } from '../core/run/uncertain.ts'
import type { Store } from '../core/store.ts'
import { findRun } from './find-run.ts'

/** The session of a call that is to be reconciled. Errors: RUN_NOT_FOUND, CALL_NOT_FOUND. */
export async function sessionOfCall(store: Store, call: string, run: string | undefined): Promise<string> {
  if (run !== undefined) return String((await findRun(store, run)).data.session)
  const [row] = await store.list({ kind: 'call', id: call, limit: 1 })
  if (row !== undefined) return String(row.data.session)
  throw new ToolpostError(
    'CALL_NOT_FOUND',
    `There is no call ${named(call)} with an uncertain outcome; for an id of the model, which clients of a host know a call by, name its run too: --run RUN.`,
  )
}

/**
 * The call of a run by its own id, or by the model's, when that is one call. Errors: CALL_NOT_FOUND; INVALID_ARGUMENT when
 * it is several.
 */
export function callInRun({ calls }: SessionState, given: string, run: string): string {
  const found = [...calls.values()].filter(
    (call) => call.run === run && (call.id === given || call.modelCallId === given),
  )
  const open = found.filter(isUncertain)
  const [only, other] = open.length > 0 ? open : found
  if (only === undefined)
    throw new ToolpostError('CALL_NOT_FOUND', `The run ${named(run)} has no call ${named(given)}.`)
  if (other === undefined) return only.id
  const ids = found.map(({ id }) => id).join(', ')
  throw new ToolpostError(
    'INVALID_ARGUMENT',
    `The run ${named(run)} has several calls ${named(given)}; name one of ${ids}, without --run.`,
  )
}
