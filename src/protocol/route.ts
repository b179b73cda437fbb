import type { Body } from './body.ts'
import type { WireErrorCode } from './errors.ts'
import { parseBody } from './parse-body.ts'

/** How an address is asked; only `GET` changes nothing. */
export type RouteMethod = 'GET' | 'POST' | 'DELETE'

/** One address of a host. */
export interface Route {
  readonly method: RouteMethod
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
  /** What it answers beside what every route may: the codes of `everyEntrance`, `everyRoute` and `everyPost`. */
  readonly errors: readonly WireErrorCode[]
}

/** Whether a request may come without a body: nothing of what it may hold is required. */
export function mayOmitBody({ request }: Route): boolean {
  return request !== undefined && parseBody(request, {}).ok
}

/** What every route may answer, the open ones too: most of it before anybody looks at who asks. */
export const everyEntrance = [
  'INVALID_REQUEST',
  'ORIGIN_DENIED',
  'REQUEST_TIMEOUT',
  'HOST_STARTING',
  'HOST_SHUTTING_DOWN',
  'INTERNAL_ERROR',
] as const satisfies readonly WireErrorCode[]

/** What every route but the open ones may answer too. */
export const everyRoute = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'UNSUPPORTED_PROTOCOL_VERSION',
  'AUTH_UNAVAILABLE',
  'INVALID_AUTH_POLICY',
] as const satisfies readonly WireErrorCode[]

/** What every route that takes a body may answer too. */
export const everyPost = ['BODY_TOO_LARGE'] as const satisfies readonly WireErrorCode[]

/** The status of a head that is too large, which is an `INVALID_REQUEST` (RFC 6585, 5). */
export const headTooLarge = 431
