import type { ApplicationToolGrant } from '../../protocol/host/access.ts'

/** The place of the first grant whose function is granted before it already; -1 when each is granted once. */
export function repeatedGrant(grants: readonly ApplicationToolGrant[] = []): number {
  const names = grants.map(({ name }) => name)
  return names.findIndex((name, at) => names.indexOf(name) < at)
}
