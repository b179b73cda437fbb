import { protocolVersion, versionHeader } from '../../protocol/version.ts'

const year = 31_536_000

/** What every answer says (application-tools-details 1.1), refusals too. */
export function standingHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    [versionHeader.toLowerCase()]: protocolVersion,
    ...(isSecure && { 'strict-transport-security': `max-age=${year}` }),
  }
}
