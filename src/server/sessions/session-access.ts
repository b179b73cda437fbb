import type { SessionVerb } from '../../protocol/host/access.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { HostOptions } from '../host-options.ts'
import type { Who } from '../who.ts'

/** Whether the caller may do this with sessions here. Errors: SESSIONS_UNAVAILABLE, FORBIDDEN. */
export function requireSessions({ sessions }: HostOptions, { access }: Who, verb: SessionVerb): void {
  if (sessions === false) throw new HostError('SESSIONS_UNAVAILABLE')
  if (access !== undefined && !access.sessions.includes(verb)) throw new HostError('FORBIDDEN')
}
