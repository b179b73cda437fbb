import { named } from '../../core/json/named.ts'
import type { SessionVerb } from '../../protocol/host/access.ts'
import { HostError } from '../../protocol/host-error.ts'
import { type Missing, refuseMissing } from '../access/forbidden.ts'
import type { HostOptions } from '../host-options.ts'
import { mayUseSessions, type Who } from '../who.ts'

/** Whether the caller may do this with sessions here, and has what else he needs. Errors: SESSIONS_UNAVAILABLE, FORBIDDEN. */
export function requireSessions(
  { sessions }: HostOptions,
  who: Who,
  verb: SessionVerb,
  missing: Missing = {},
): void {
  if (sessions === false) throw new HostError('SESSIONS_UNAVAILABLE')
  refuseMissing({ ...missing, sessions: mayUseSessions(who, verb) ? [] : [named(verb)] })
}
