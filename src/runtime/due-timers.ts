import type { IndexRow, Store } from '../core/store.ts'
import { expireAsks } from './expire.ts'
import { Journal } from './journal.ts'
import type { RuntimeParts } from './parts.ts'

/**
 * Does what is due by the clock, in every session of the store, and gives the sessions in which something was done.
 * Timers are rows, so they outlive whoever set them; what one of them does is decided on the log, and so done once.
 */
export async function runDueTimers({ store, clock }: RuntimeParts): Promise<readonly string[]> {
  const now = clock.now()
  const sessions = new Set<string>()
  for await (const row of dueRows(store, now)) sessions.add(String(row.data.session))
  const done = new Set<string>()
  for (const session of sessions) {
    const journal = await Journal.open(store, session, clock)
    const expired = await expireAsks(journal, now)
    // A child goes on when the session at the top does.
    if (expired > 0 || restsUntil(journal, now)) done.add(journal.state.parent?.root ?? session)
  }
  return [...done]
}

/** A call that gave its claim back until a time: whoever resumes its run claims it again. */
function restsUntil({ state }: Journal, now: number): boolean {
  const calls = state.openRun === undefined ? [] : (state.runs.get(state.openRun)?.stepCalls ?? [])
  return calls.some((id) => {
    const call = state.calls.get(id)
    return call?.status === 'resting' && (call.rest?.until ?? Number.POSITIVE_INFINITY) <= now
  })
}

const page = 1_000

/** The rows whose time has come, oldest first. */
async function* dueRows(store: Store, now: number): AsyncGenerator<IndexRow, void, undefined> {
  let last: IndexRow | undefined
  for (;;) {
    const after = last === undefined ? {} : { after: { at: last.at, id: last.id } }
    const rows = await store.list({ kind: 'timer', status: 'due', limit: page, ...after })
    for (const row of rows) {
      if (row.at > now) return
      yield row
    }
    last = rows.at(-1)
    if (rows.length < page) return
  }
}
