import type { SessionState } from '../../core/run/state.ts'
import { isUncertain } from '../../core/run/uncertain.ts'
import { Journal } from '../../runtime/journal.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'

/**
 * Whether nothing goes on, waits, or is to be found out any more in a session and in those that its calls have started.
 * Errors: those of reading a log.
 */
export async function isQuiet(parts: RuntimeParts, state: SessionState): Promise<boolean> {
  if (state.openRun !== undefined) return false
  for (const call of state.calls.values()) {
    if (isUncertain(call)) return false
    for (const { session } of call.children ?? []) {
      const [row] = await parts.store.list({ kind: 'session', id: session, limit: 1 })
      if (row === undefined) continue
      const child = await Journal.open(parts.store, session, parts.clock)
      if (!(await isQuiet(parts, child.state))) return false
    }
  }
  return true
}
