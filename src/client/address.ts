import { HostError } from '../protocol/host-error.ts'

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Reads a base URL; gives it without a slash at its end. Throws INSECURE_TRANSPORT unless it is https, or http to this
 * machine, and has neither user information nor query nor fragment (application-tools-details 1.8).
 */
export function readAddress(baseUrl: string): string {
  const url = urlOf(baseUrl)
  if (url === undefined) throw insecure('is no URL of a host')
  if (/^[^/\\]*[/\\]*[^/\\]*@/.test(baseUrl)) throw insecure('must not have user information')
  if (/[?#]/.test(baseUrl)) throw insecure('must have no query and no fragment')
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname))
  if (!isSafe) throw insecure('must be https, or http to localhost, 127.0.0.1 or [::1]')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Gives the token back. Throws AUTH_REQUIRED unless it has 1 to 4,096 visible characters of ASCII. */
export function readToken(token: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token)) return token
  throw new HostError('AUTH_REQUIRED', 'The token must have 1 to 4,096 characters of ASCII and no spaces.')
}

function urlOf(text: string): URL | undefined {
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
}

/** The address itself is not repeated: it may hold a secret. */
function insecure(fault: string): HostError {
  return new HostError('INSECURE_TRANSPORT', `The base URL ${fault}; nothing was sent.`)
}
