import type { Body } from './body.ts'
import type { WireErrorCode } from './errors.ts'

/** One address of a host. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** As OpenAPI writes it: a name in braces is a part of the path. */
  readonly path: string
  readonly summary: string
  /** What of an `Access` the caller needs; `nothing` is open to all, `token` to whoever has one. */
  readonly grant: string
  /** The filters that its query may hold. */
  readonly query?: Body<object>
  readonly request?: Body<object>
  /** What it answers as JSON; a route without one answers an object that is described elsewhere. */
  readonly response?: Body<object>
  /** What each event holds, for a caller that accepts `text/event-stream`. */
  readonly stream?: Body<object>
  /** Whether the stream goes on behind `Last-Event-ID`. */
  readonly resumes?: boolean
  /** What it answers beside what every route may: the codes of `everyRoute`, and of `everyPost`. */
  readonly errors: readonly WireErrorCode[]
}

/** What every route but the open ones may answer. */
export const everyRoute = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ORIGIN_DENIED',
  'UNSUPPORTED_PROTOCOL_VERSION',
  'AUTH_UNAVAILABLE',
  'INVALID_AUTH_POLICY',
  'REQUEST_TIMEOUT',
  'HOST_STARTING',
  'HOST_SHUTTING_DOWN',
  'INTERNAL_ERROR',
] as const satisfies readonly WireErrorCode[]

/** What every route that takes a body may answer too. */
export const everyPost = ['INVALID_REQUEST', 'BODY_TOO_LARGE'] as const satisfies readonly WireErrorCode[]
