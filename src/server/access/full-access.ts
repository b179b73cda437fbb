import type { Access, AccessOptions } from '../../protocol/host/access.ts'

/** An access of which everything is said: what the options leave out is not granted. */
export function fullAccess(options: AccessOptions): Access {
  const { providers = [], tools = [], applicationTools = [], approveTools = [] } = options
  const { sessions = [], reviewerGroups = [], administration = false } = options
  return { providers, tools, applicationTools, approveTools, sessions, reviewerGroups, administration }
}
