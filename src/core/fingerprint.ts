/** What an agent was made of when a run began. */
export interface Fingerprint {
  /** Its name. */
  readonly agent: string
  /** The digest of its instructions; absent when it has none. */
  readonly instructions?: string
  /** The digest of all its tools. */
  readonly catalog: string
  /** The tools' versions by their names; absent when there are more than the log should hold. */
  readonly tools?: Readonly<Record<string, string>>
}

/** What is another than it was when a run began. */
export interface FingerprintChange {
  readonly agent?: { readonly from: string; readonly to: string }
  /** Whether the instructions are others. */
  readonly instructions: boolean
  /** Names of tools. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Their description, schema or class is another. */
  readonly changed: readonly string[]
  /** Whether the tools are others, and which ones the log does not say. */
  readonly unnamed: boolean
}

/** Whether two fingerprints are of the same agent with the same tools and instructions. */
export function isSameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  const isSameAgent = one.agent === other.agent && one.instructions === other.instructions
  return isSameAgent && one.catalog === other.catalog
}

/** What lies between two fingerprints. */
export function changeBetween(before: Fingerprint, now: Fingerprint): FingerprintChange {
  const isOther = before.agent !== now.agent
  return {
    ...(isOther ? { agent: { from: before.agent, to: now.agent } } : {}),
    instructions: before.instructions !== now.instructions,
    ...toolChanges(before, now),
  }
}

type ToolChanges = Pick<FingerprintChange, 'added' | 'removed' | 'changed' | 'unnamed'>

function toolChanges(before: Fingerprint, now: Fingerprint): ToolChanges {
  const none = { added: [], removed: [], changed: [] }
  if (before.catalog === now.catalog) return { ...none, unnamed: false }
  if (before.tools === undefined || now.tools === undefined) return { ...none, unnamed: true }
  const old = new Map(Object.entries(before.tools))
  const fresh = new Map(Object.entries(now.tools))
  return {
    added: [...fresh.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !fresh.has(name)),
    changed: [...fresh.keys()].filter((name) => old.has(name) && old.get(name) !== fresh.get(name)),
    unnamed: false,
  }
}

/** The change in one sentence each, for a person. */
export function changeSentences(change: FingerprintChange): string[] {
  const { agent, instructions, added, removed, changed, unnamed } = change
  const named = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${names.map((name) => `"${name}"`).join(', ')}`]
  return [
    ...(agent === undefined ? [] : [`the agent was "${agent.from}" and is "${agent.to}"`]),
    ...(instructions ? ['the instructions changed'] : []),
    ...named('tools added', added),
    ...named('tools removed', removed),
    ...named('description, schema or class of tools changed', changed),
    ...(unnamed ? ['the tools changed, and there are too many of them for the log to name which'] : []),
  ]
}
