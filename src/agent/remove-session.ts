import { isToolpostError } from '../core/error.ts'
import { Journal } from '../runtime/journal.ts'
import { ownSession } from '../runtime/ownership.ts'
import type { RuntimeParts } from '../runtime/parts.ts'

/**
 * Removes a session and those that its calls have started, the children first: what is cut short can be done again.
 * Errors: SESSION_NOT_FOUND; SESSION_BUSY while a process owns one of them.
 */
export async function removeSession(parts: RuntimeParts, id: string): Promise<void> {
  await remove(parts, await Journal.open(parts.store, id, parts.clock))
}

async function remove(parts: RuntimeParts, { stream, state }: Journal): Promise<void> {
  const ownership = await ownSession(parts, stream)
  try {
    for (const { children = [] } of state.calls.values())
      for (const { session } of children) await removeChild(parts, session, state.id)
    await parts.store.removeStream(ownership.lease)
  } finally {
    await ownership.release()
  }
}

/** A fork names the children of the session that it was forked from, and they are not its own. */
async function removeChild(parts: RuntimeParts, session: string, above: string): Promise<void> {
  const journal = await Journal.open(parts.store, session, parts.clock).catch((error: unknown) => {
    if (isToolpostError(error) && error.code === 'SESSION_NOT_FOUND') return undefined
    throw error
  })
  if (journal?.state.parent?.session === above) await remove(parts, journal)
}
