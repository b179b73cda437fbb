import { ToolpostError } from '../../core/error.ts'
import type { SessionState } from '../../core/run/state.ts'
import { Journal } from '../../runtime/journal.ts'
import { isOwned } from '../../runtime/ownership.ts'
import type { RuntimeParts } from '../../runtime/parts.ts'
import { openChildren } from './child-logs.ts'

/**
 * Before a run is stopped at rest: those that end with it must be at rest too, or what drives them would go on after it.
 * Errors: SESSION_BUSY with the session that somebody drives.
 */
export async function refuseHeldBelow(parts: RuntimeParts, state: SessionState, run: string): Promise<void> {
  for (const call of state.calls.values()) {
    if (call.run !== run) continue
    for (const session of openChildren(call)) await refuseHeld(parts, session)
  }
}

async function refuseHeld(parts: RuntimeParts, session: string): Promise<void> {
  const journal = new Journal(parts.store, session, parts.clock)
  await journal.refresh()
  const { state, stream } = journal
  if (state.openRun === undefined) return
  if (await isOwned(parts, stream)) throw heldBelow(state, stream, await parts.store.readLease(stream))
  await refuseHeldBelow(parts, state, state.openRun)
}

function heldBelow(
  { id, agent, openRun = '' }: SessionState,
  stream: string,
  lease: { readonly expiresAt: number } | undefined,
): ToolpostError {
  const until = lease === undefined ? '' : ` until ${new Date(lease.expiresAt).toISOString()} at least`
  return new ToolpostError(
    'SESSION_BUSY',
    `The child run ${openRun} of the agent "${agent}", which ends with this run, is being driven by itself, here or in another process${until}; nothing was ended. Stop it there, or wait and try again.`,
    {
      details: {
        ...{ stream, child: id },
        ...(lease === undefined ? {} : { expiresAt: lease.expiresAt }),
      },
    },
  )
}
