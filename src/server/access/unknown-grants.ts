import { named } from '../../core/json/named.ts'
import type { HostOptions } from '../host-options.ts'
import type { TokenOptions } from './token-options.ts'

/**
 * A sentence for each token that grants providers, or tools of the host, which the host does not have: misspelt, or of
 * another version of it. Functions of applications, and what is reviewed, may come with any request.
 */
export function unknownGrants(
  host: Pick<HostOptions, 'providers' | 'tools'>,
  tokens: readonly TokenOptions[],
): readonly string[] {
  const there = {
    providers: Object.keys(host.providers),
    tools: (host.tools ?? []).map(({ name }) => name),
  }
  return tokens.flatMap((token) => {
    const unknown = (['providers', 'tools'] as const).flatMap((grant) => {
      const names = (token[grant] ?? []).filter((name) => name !== '*' && !there[grant].includes(name))
      return names.length === 0 ? [] : [`${grant} ${names.map(named).join(', ')}`]
    })
    if (unknown.length === 0) return []
    return [`A token of ${named(token.subject)} grants what this host does not have: ${unknown.join('; ')}.`]
  })
}
