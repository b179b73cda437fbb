import { isToolpostError } from '../core/error.ts'
import type { Journal } from '../runtime/journal.ts'
import type { Definition } from './definition.ts'
import { driveToEnd } from './drive.ts'
import { agentOf } from './find-ask.ts'
import { nothingMore } from './foreign-step.ts'

/**
 * Ends the open run of a session that nobody drives, also one of an agent that this process does not know: no function
 * of an agent is needed for it. False when somebody drives the session at this moment.
 */
export async function stopRun(definition: Definition, journal: Journal, reason: unknown): Promise<boolean> {
  const { openRun, agent } = journal.state
  if (openRun === undefined) return false
  const own = agentOf(definition, journal.state)
  const isKnown = own?.name === agent
  try {
    await driveToEnd({
      definition: isKnown ? { ...own, parts: definition.parts } : { ...definition, name: agent, hooks: [] },
      journal,
      options: { signal: AbortSignal.abort(reason) },
      begin: async () => openRun,
      propose: async () => nothingMore,
    })
    return true
  } catch (error) {
    if (isToolpostError(error) && ['SESSION_BUSY', 'LEASE_LOST'].includes(error.code)) return false
    throw error
  }
}
