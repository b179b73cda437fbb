import { isToolpostError } from '../core/error.ts'
import type { IndexRow } from '../core/store.ts'
import { Journal } from '../runtime/journal.ts'
import { listAll } from '../runtime/list-all.ts'
import { isOwned } from '../runtime/ownership.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import { callHasEnded, isEndedAbove } from '../runtime/run-over.ts'
import type { Definition } from './definition.ts'
import { stopRun } from './stop-run.ts'

/**
 * Stops every child run in the store that nobody drives and nobody waits for any more: whoever stopped what was above it
 * could not, because its owner seemed to live. Gives their sessions.
 */
export async function stopOrphans(
  definition: Definition,
  onError: (failed: { readonly session: string; readonly error: unknown }) => void,
): Promise<readonly string[]> {
  const rows: IndexRow[] = []
  for await (const row of listAll(definition.parts.store, { kind: 'run', status: ['open', 'waiting'] }))
    if (row.data.root !== undefined) rows.push(row)
  const stopped: string[] = []
  for (const { data } of rows) {
    const session = String(data.session)
    const { store, clock } = definition.parts
    try {
      const journal = await Journal.open(store, session, clock)
      if (await stopOrphan(definition, journal)) stopped.push(session)
    } catch (error) {
      if (!isGone(error)) onError({ session, error })
    }
  }
  return stopped
}

/** Stops the open run of a child's session if nobody drives it and nobody waits for it; whether it did. */
export async function stopOrphan(definition: Definition, journal: Journal): Promise<boolean> {
  if (!(await isOrphan(definition.parts, journal))) return false
  return await stopRun(definition, journal, callHasEnded())
}

async function isOrphan(parts: RuntimeParts, { state, stream }: Journal): Promise<boolean> {
  const { parent, openRun } = state
  if (openRun === undefined || parent === undefined || parent.kind === 'dispatch') return false
  if (await isOwned(parts, stream)) return false
  return isEndedAbove((await Journal.open(parts.store, parent.session, parts.clock)).state, parent)
}

function isGone(error: unknown): boolean {
  return isToolpostError(error) && error.code === 'SESSION_NOT_FOUND'
}
