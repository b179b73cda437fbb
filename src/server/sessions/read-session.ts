import { HostError } from '../../protocol/host-error.ts'
import { sessionReadBody } from '../../protocol/sessions/session-request.ts'
import type { SessionSnapshot } from '../../protocol/sessions/session-snapshot.ts'
import type { HostParts } from '../host-parts.ts'
import { readGiven } from '../read-given.ts'
import type { Who } from '../who.ts'
import { openOwnSession } from './open-own-session.ts'
import { requireSessions } from './session-access.ts'
import { sessionProviderOf } from './session-provider.ts'
import { snapshotOf } from './session-snapshot.ts'

/** Reads a session. Errors: SESSIONS_UNAVAILABLE, FORBIDDEN, INVALID_SESSION, SESSION_NOT_FOUND. */
export async function readSession(host: HostParts, body: unknown, who: Who): Promise<SessionSnapshot> {
  requireSessions(host.options, who, 'read')
  const { id } = readGiven(sessionReadBody, body, 'INVALID_SESSION')
  const { state } = await openOwnSession(host, id, who)
  const made = sessionProviderOf(state)
  // The log of a run that named no session is nobody's conversation.
  if (made === undefined) throw new HostError('SESSION_NOT_FOUND')
  return snapshotOf(state, made)
}
