import { isToolpostError } from '../core/error.ts'
import type { SessionState } from '../core/run/state.ts'
import type { IndexRow } from '../core/store.ts'
import { childrenChangedCode } from '../runtime/children.ts'
import { Journal } from '../runtime/journal.ts'
import { listAll } from '../runtime/list-all.ts'
import { isOwned } from '../runtime/ownership.ts'
import type { RuntimeParts } from '../runtime/parts.ts'
import type { Definition } from './definition.ts'
import { stopRun } from './stop-run.ts'

/** The codes of calls that were given up with what they had started beside themselves. */
const givenUp: readonly string[] = ['interrupted', childrenChangedCode]

/**
 * Stops every child run in the store that nobody drives and nobody waits for any more: whoever stopped what was above it
 * could not, because its owner seemed to live. Gives the sessions at the top.
 */
export async function stopOrphans(
  definition: Definition,
  onError: (failed: { readonly session: string; readonly error: unknown }) => void,
): Promise<readonly string[]> {
  const rows: IndexRow[] = []
  for await (const row of listAll(definition.parts.store, { kind: 'run', status: ['open', 'waiting'] }))
    if (row.data.root !== undefined) rows.push(row)
  const tops = new Set<string>()
  for (const { data } of rows) {
    const session = String(data.session)
    const { store, clock } = definition.parts
    try {
      const journal = await Journal.open(store, session, clock)
      if (await stopOrphan(definition, journal)) tops.add(String(data.root))
    } catch (error) {
      if (!isGone(error)) onError({ session, error })
    }
  }
  return [...tops]
}

/** Stops the open run of a child's session if nobody drives it and nobody waits for it; whether it did. */
export async function stopOrphan(definition: Definition, journal: Journal): Promise<boolean> {
  if (!(await isOrphan(definition.parts, journal))) return false
  return await stopRun(definition, journal, new Error('The call that started this run has ended.'))
}

async function isOrphan(parts: RuntimeParts, { state, stream }: Journal): Promise<boolean> {
  const { parent, openRun } = state
  if (openRun === undefined || parent === undefined || parent.kind === 'dispatch') return false
  if (await isOwned(parts, stream)) return false
  return isEndedAbove((await Journal.open(parts.store, parent.session, parts.clock)).state, state)
}

/** What was started beside a call goes on after it, unless the call was given up or its run stopped. */
function isEndedAbove({ calls, runs }: SessionState, { parent }: SessionState): boolean {
  const end = calls.get(parent?.call ?? '')?.end
  const ended = runs.get(parent?.run ?? '')?.ended
  if (parent?.kind === 'run') return end !== undefined || ended !== undefined
  return ended?.status === 'cancelled' || (end?.status === 'failed' && givenUp.includes(end.code))
}

function isGone(error: unknown): boolean {
  return isToolpostError(error) && error.code === 'SESSION_NOT_FOUND'
}
