import { type Fingerprint, isSameFingerprint } from '../core/fingerprint.ts'
import { digestOf } from '../core/json/digest.ts'
import { limits } from '../core/limits.ts'
import type { Definition } from './definition.ts'

/** A definition never changes, and the runs of one are many. */
const known = new WeakMap<Definition, Fingerprint>()

/** What an agent is made of: its name, its instructions, and the versions of the tools that were declared. */
export function fingerprintOf(definition: Definition): Fingerprint {
  const before = known.get(definition)
  if (before !== undefined) return before
  const { name: agent, instructions, catalog, providerTools } = definition
  const own = catalog.tools.filter(({ source }) => source.kind !== 'runtime')
  const versions = [...own, ...providerTools].map(({ name, version }) => [name, version] as const)
  const made: Fingerprint = Object.freeze({
    agent,
    ...(instructions === undefined ? {} : { instructions: digestOf(instructions) }),
    catalog: digestOf(versions),
    ...(versions.length > limits.fingerprintToolsMax ? {} : { tools: Object.fromEntries(versions) }),
  })
  known.set(definition, made)
  return made
}

/** The fingerprint for the start of a run, when the session's log does not say it already. */
export function newFingerprint(
  definition: Definition,
  last: Fingerprint | undefined,
): { readonly fingerprint?: Fingerprint } {
  const fingerprint = fingerprintOf(definition)
  return last !== undefined && isSameFingerprint(last, fingerprint) ? {} : { fingerprint }
}
