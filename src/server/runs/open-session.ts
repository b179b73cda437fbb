import type { Agent } from '../../agent/agent.ts'
import type { Session } from '../../agent/session.ts'
import { isToolpostError } from '../../core/error.ts'
import type { RunEnding } from '../../core/outcome.ts'
import { HostError } from '../../protocol/host-error.ts'
import type { RunRequest } from '../../protocol/run/run-request.ts'
import type { HostOptions } from '../host-options.ts'
import { requireSessions } from '../sessions/session-access.ts'
import { sessionProviderOf } from '../sessions/session-provider.ts'
import { maySee, type Who } from '../who.ts'
import { modeOf } from './run-agent.ts'

/** Whose session is to be opened, and by which agent. */
export interface SessionWanted {
  readonly agent: Agent
  readonly options: HostOptions
  readonly request: RunRequest
  readonly subject: string
  /** Of a new session; default: any. */
  readonly id: string | undefined
}

/** The session that a request names, or a new one. Errors: those of sessions. */
export async function openSessionFor(wanted: SessionWanted, who: Who): Promise<Session> {
  const { agent, options, request, subject, id } = wanted
  if (request.session === undefined) {
    const mode = modeOf(options)
    const given = { subject, ...(id === undefined ? {} : { id }), ...(mode === undefined ? {} : { mode }) }
    return await agent.startSession(given).catch((error) => unusedSession(wanted, error))
  }
  if (request.history !== undefined) throw new HostError('SESSION_HISTORY_CONFLICT')
  requireSessions(options, who, 'continue')
  const session = await agent.openSession(request.session.id).catch((error: unknown) => {
    throw isToolpostError(error) && error.code === 'SESSION_NOT_FOUND'
      ? new HostError('SESSION_NOT_FOUND')
      : error
  })
  // The session behind a run that named none is nobody's to go on with.
  const made = sessionProviderOf(session.state)
  if (made === undefined || !maySee(who, session.state.subject)) throw new HostError('SESSION_NOT_FOUND')
  if (made.provider !== request.provider || (made.model ?? request.model) !== request.model)
    throw new HostError('SESSION_PROVIDER_MISMATCH')
  checkState(session, request.session.revision)
  return session
}

/** A host that died between session and run leaves the session of the key without one: it is there for who comes again. */
async function unusedSession({ agent, id, subject }: SessionWanted, error: unknown): Promise<Session> {
  const isThere = isToolpostError(error) && error.code === 'SESSION_EXISTS'
  const session = isThere && id !== undefined ? await agent.openSession(id) : undefined
  if (session === undefined || session.state.subject !== subject || session.state.runs.size > 0) throw error
  return session
}

/** How many runs of a session have ended. */
export function revisionOf({ state }: Pick<Session, 'state'>): number {
  return [...state.runs.values()].filter(({ ended }) => ended !== undefined).length
}

function checkState(session: Session, revision: number | undefined): void {
  const { openRun, runs } = session.state
  if (openRun !== undefined) throw new HostError('SESSION_BUSY')
  if (revision !== undefined && revision !== revisionOf(session))
    throw new HostError(
      'SESSION_REVISION_CONFLICT',
      `The session is at revision ${revisionOf(session)} by now.`,
    )
  if (wasInterrupted([...runs.values()].at(-1)?.ended?.status)) throw new HostError('SESSION_INTERRUPTED')
}

/** Whether a session's newest turn ended without an answer, so that what it did is to be looked at first. */
export function wasInterrupted(status: RunEnding | undefined): boolean {
  return status !== undefined && status !== 'completed' && status !== 'cut_short'
}
