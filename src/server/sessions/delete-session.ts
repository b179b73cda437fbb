import { isToolpostError } from '../../core/error.ts'
import { HostError } from '../../protocol/host-error.ts'
import { sessionDeleteBody } from '../../protocol/sessions/session-request.ts'
import type { SessionDeleted } from '../../protocol/sessions/session-snapshot.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import { revisionOf } from '../runs/open-session.ts'
import { refusals } from '../runs/refusals.ts'
import type { Who } from '../who.ts'
import { endRun } from './end-run.ts'
import { openOwnSession } from './open-own-session.ts'
import { requireSessions } from './session-access.ts'
import { sessionAgent } from './session-agent.ts'
import { sessionProviderOf } from './session-provider.ts'

/**
 * Deletes a session for ever, with all that its runs have recorded; the run that goes on ends first, as SESSION_DELETED.
 * Errors: SESSIONS_UNAVAILABLE, FORBIDDEN, INVALID_SESSION, SESSION_NOT_FOUND, SESSION_REVISION_CONFLICT; SESSION_BUSY
 * when another process drives a run of it and has not ended it in 30 seconds.
 */
export async function deleteSession(host: HostParts, body: unknown, who: Who): Promise<SessionDeleted> {
  requireSessions(host.options, who, 'delete')
  const { id, revision } = readGiven(sessionDeleteBody, body, 'INVALID_SESSION')
  const { state } = await openOwnSession(host, id, who)
  if (sessionProviderOf(state) === undefined) throw new HostError('SESSION_NOT_FOUND')
  const now = revisionOf({ state })
  if (revision !== undefined && revision !== now)
    throw new HostError('SESSION_REVISION_CONFLICT', `The session is at revision ${now} by now.`)
  try {
    await endRun(host, state.openRun, refusals.deleted.sentence)
    await sessionAgent(host.parts).removeSession(id)
  } catch (error) {
    throw refusalOf(error)
  }
  return { id, deleted: true }
}

function refusalOf(error: unknown): unknown {
  if (!isToolpostError(error)) return error
  if (error.code === 'SESSION_BUSY') return new HostError('SESSION_BUSY', undefined, { cause: error })
  // Somebody else has deleted it in the meantime.
  return error.code === 'SESSION_NOT_FOUND' ? new HostError('SESSION_NOT_FOUND') : error
}
