import { HostError } from '../../protocol/host-error.ts'
import { optionalEventsHeader, versionHeader } from '../../protocol/version.ts'

const permittedHeaders = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Last-Event-ID',
  versionHeader,
  optionalEventsHeader,
]

/** What a page of a listed origin may read of an answer beside its body. */
const exposedHeaders = [versionHeader, 'Retry-After']

/**
 * What an answer says to a page, and whether the request only asks for that. A request without an origin is no page's.
 * Errors: ORIGIN_DENIED for an origin that is not listed, letter by letter.
 */
export function crossOrigin(
  request: Request,
  origins: readonly string[],
): { readonly headers: Readonly<Record<string, string>>; readonly isPreflight: boolean } {
  const origin = request.headers.get('origin')
  if (origin === null) return { headers: {}, isPreflight: false }
  if (!origins.includes(origin)) throw new HostError('ORIGIN_DENIED')
  const isPreflight = request.method === 'OPTIONS'
  const headers = {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': exposedHeaders.join(', '),
  }
  if (!isPreflight) return { headers, isPreflight }
  const permitted = {
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': permittedHeaders.join(', '),
  }
  return { headers: { ...headers, ...permitted }, isPreflight }
}
