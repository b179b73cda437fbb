import { HostError } from '../protocol/host-error.ts'
import type { RouteMethod } from '../protocol/route.ts'

/** What Node says of a connection that never came to be, so that nothing was sent. */
const unreached = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** What Node says of a certificate that it does not trust. */
const untrusted = /CERT|^ERR_TLS_|^ERR_SSL_|^UNABLE_TO_/

/**
 * What a request without an answer is told as: HTTP_ERROR, which may pass by itself, and whose outcome is uncertain when
 * the request may have changed something. The platform's own error is its `cause`.
 */
export function transportError(cause: unknown, method: RouteMethod): HostError {
  const code = codeBehind(cause)
  if (untrusted.test(code)) {
    const text = `The host's certificate is not trusted (${code}); nothing was sent.`
    return new HostError('HTTP_ERROR', text, { retryable: false, cause })
  }
  if (unreached.test(code)) {
    const text = `The host cannot be reached (${code}); nothing was sent.`
    return new HostError('HTTP_ERROR', text, { retryable: true, cause })
  }
  const outcome = method !== 'GET' ? 'uncertain' : undefined
  const text = 'The connection to the host broke off before its answer was there.'
  return new HostError('HTTP_ERROR', text, { retryable: true, outcome, cause })
}

/** `fetch` wraps what the system said; a browser tells nothing. */
function codeBehind(fault: unknown): string {
  for (let inner = fault, depth = 0; inner instanceof Error && depth < 4; inner = inner.cause, depth += 1) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code
  }
  return ''
}
