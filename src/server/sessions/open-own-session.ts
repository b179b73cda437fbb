import { isToolpostError } from '../../core/error.ts'
import { HostError } from '../../protocol/host-error.ts'
import { Journal } from '../../runtime/journal.ts'
import type { HostParts } from '../host-parts.ts'
import { hostAgentName } from '../runs/run-agent.ts'
import { maySee, type Who } from '../who.ts'

/** The log of a session that the caller may see. Errors: SESSION_NOT_FOUND, one for all that he may not. */
export async function openOwnSession({ parts }: HostParts, id: string, who: Who): Promise<Journal> {
  const journal = await Journal.open(parts.store, id, parts.clock).catch((error: unknown) => {
    throw isToolpostError(error) && error.code === 'SESSION_NOT_FOUND'
      ? new HostError('SESSION_NOT_FOUND')
      : error
  })
  const { subject, agent, parent } = journal.state
  if (agent !== hostAgentName || parent !== undefined || !maySee(who, subject))
    throw new HostError('SESSION_NOT_FOUND')
  return journal
}
