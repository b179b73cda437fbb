import { isToolpostError } from '../../core/error.ts'
import { named } from '../../core/json/named.ts'
import { HostError } from '../../protocol/host-error.ts'
import { faultSentence, parseBody } from '../../protocol/parse-body.ts'
import { sessionCreateBody } from '../../protocol/sessions/session-request.ts'
import type { SessionSnapshot } from '../../protocol/sessions/session-snapshot.ts'
import type { HostParts } from '../host-parts.ts'
import { modeOf } from '../runs/run-agent.ts'
import { mayUseProvider, subjectOf, type Who } from '../who.ts'
import { requireSessions } from './session-access.ts'
import { sessionAgent } from './session-agent.ts'
import { snapshotOf } from './session-snapshot.ts'

/**
 * Makes a session for a provider, and for one of its models if one is named.
 * Errors: SESSIONS_UNAVAILABLE, FORBIDDEN, INVALID_SESSION, also for an id that is taken; UNKNOWN_PROVIDER.
 */
export async function createSession(
  { options, runs, parts }: HostParts,
  body: unknown,
  who: Who,
): Promise<SessionSnapshot> {
  if (runs.isClosing) throw new HostError('HOST_SHUTTING_DOWN')
  const parsed = parseBody(sessionCreateBody, body)
  const provider = parsed.ok && !mayUseProvider(who, parsed.value.provider) ? [parsed.value.provider] : []
  requireSessions(options, who, 'create', { providers: provider.map(named) })
  if (!parsed.ok) throw new HostError('INVALID_SESSION', faultSentence(parsed.faults))
  const { id, ...made } = parsed.value
  if (!Object.hasOwn(options.providers, made.provider))
    throw new HostError('UNKNOWN_PROVIDER', `There is no provider "${made.provider}".`)
  const mode = modeOf(options)
  const started = sessionAgent(parts, made).startSession({
    subject: subjectOf(who),
    ...(id === undefined ? {} : { id }),
    ...(mode === undefined ? {} : { mode }),
  })
  const session = await started.catch((error: unknown) => {
    throw isToolpostError(error) && error.code === 'SESSION_EXISTS'
      ? new HostError('INVALID_SESSION', 'There is a session of this id already.', { cause: error })
      : error
  })
  return snapshotOf(session.state, made)
}
