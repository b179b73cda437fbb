import { routes } from '../protocol/routes.ts'
import type { SessionCreate, SessionDelete, SessionRead } from '../protocol/sessions/session-request.ts'
import {
  type SessionDeleted,
  type SessionSnapshot,
  sessionDeletedBody,
  sessionSnapshotBody,
} from '../protocol/sessions/session-snapshot.ts'
import { ask } from './ask.ts'
import type { RequestOptions } from './client-options.ts'
import type { Exchange } from './exchange.ts'
import { readOptions } from './read-options.ts'

/** What a client does with sessions. Errors of each: SESSIONS_UNAVAILABLE, INVALID_SESSION, FORBIDDEN. */
export interface SessionOperations {
  /** Makes a session. Errors: UNKNOWN_PROVIDER. */
  create(session: SessionCreate, options?: RequestOptions): Promise<SessionSnapshot>
  /** A session with its newest messages. Errors: SESSION_NOT_FOUND. */
  read(session: SessionRead, options?: RequestOptions): Promise<SessionSnapshot>
  /** Deletes a session and ends its run; with a `revision` only when it is the newest. Errors: SESSION_NOT_FOUND, SESSION_REVISION_CONFLICT. */
  delete(session: SessionDelete, options?: RequestOptions): Promise<SessionDeleted>
}

/** What a client does with sessions, over one way to a host. */
export function sessionOperations(exchange: Exchange): SessionOperations {
  return {
    create: async (body, given) => {
      const options = readOptions(given, 'client.sessions.create()')
      const { provider, id } = body
      const echoes = { provider, ...(id === undefined ? {} : { id }) }
      const route = routes.createSession
      return await ask(exchange, { ...options, route, body, answer: sessionSnapshotBody, echoes })
    },
    read: async (body, given) => {
      const options = readOptions(given, 'client.sessions.read()')
      const echoes = { id: body.id }
      const route = routes.readSession
      return await ask(exchange, { ...options, route, body, answer: sessionSnapshotBody, echoes })
    },
    delete: async (body, given) => {
      const options = readOptions(given, 'client.sessions.delete()')
      const echoes = { id: body.id }
      const route = routes.deleteSession
      return await ask(exchange, { ...options, route, body, answer: sessionDeletedBody, echoes })
    },
  }
}
