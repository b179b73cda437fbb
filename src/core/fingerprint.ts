/** What an agent was made of when a run began. */
export interface Fingerprint {
  /** Its name. */
  readonly agent: string
  /** The digest of its instructions; absent when it has none. */
  readonly instructions?: string
  /** The digest of the schema of its output; absent when it has none. */
  readonly output?: string
  /** The digest of all its tools. */
  readonly catalog: string
  /** The tools' versions by their names; absent when there are more than the log should hold. */
  readonly tools?: Readonly<Record<string, string>>
  /** For each of them, where it is one of ours, short digests of what its version binds: in the order of `toolParts`. */
  readonly parts?: Readonly<Record<string, string>>
}

/** What the version of a tool binds, beside its name. */
export const toolParts = ['description', 'arguments', 'class', 'answer'] as const

/** One of them: its description, the schema of its arguments, its class, or what it asks a person for. */
export type ToolPart = (typeof toolParts)[number]

/** What is another than it was when a run began. */
export interface FingerprintChange {
  readonly agent?: { readonly from: string; readonly to: string }
  /** Whether the instructions are others. */
  readonly instructions: boolean
  /** Whether the schema of its output is another. */
  readonly output: boolean
  /** Names of tools. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Their description, the schema of their arguments, their class or what they ask a person for is another. */
  readonly changed: readonly string[]
  /** Which of these it is, by the tools' names; a tool of which the log does not say is not among them. */
  readonly changedParts: Readonly<Record<string, readonly ToolPart[]>>
  /** Whether the tools are others, and which ones the log does not say. */
  readonly unnamed: boolean
}

/** Whether two fingerprints are of the same agent with the same tools, instructions and output schema. */
export function isSameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  const isSameAgent = one.agent === other.agent && one.instructions === other.instructions
  return isSameAgent && one.output === other.output && one.catalog === other.catalog
}

/** What lies between two fingerprints. */
export function changeBetween(before: Fingerprint, now: Fingerprint): FingerprintChange {
  const isOther = before.agent !== now.agent
  return {
    ...(isOther ? { agent: { from: before.agent, to: now.agent } } : {}),
    instructions: before.instructions !== now.instructions,
    output: before.output !== now.output,
    ...toolChanges(before, now),
  }
}

type ToolChanges = Pick<FingerprintChange, 'added' | 'removed' | 'changed' | 'changedParts' | 'unnamed'>

function toolChanges(before: Fingerprint, now: Fingerprint): ToolChanges {
  const none = { added: [], removed: [], changed: [], changedParts: {} }
  if (before.catalog === now.catalog) return { ...none, unnamed: false }
  if (before.tools === undefined || now.tools === undefined) return { ...none, unnamed: true }
  const old = new Map(Object.entries(before.tools))
  const fresh = new Map(Object.entries(now.tools))
  const changed = [...fresh.keys()].filter((name) => old.has(name) && old.get(name) !== fresh.get(name))
  return {
    added: [...fresh.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !fresh.has(name)),
    changed,
    changedParts: partChanges(changed, before.parts ?? {}, now.parts ?? {}),
    unnamed: false,
  }
}

type Parts = NonNullable<Fingerprint['parts']>

function partChanges(
  names: readonly string[],
  before: Parts,
  now: Parts,
): Readonly<Record<string, readonly ToolPart[]>> {
  const found = names.flatMap((name) => {
    if (!Object.hasOwn(before, name) || !Object.hasOwn(now, name)) return []
    const [old, fresh] = [String(before[name]).split('.'), String(now[name]).split('.')]
    const parts = toolParts.filter((_part, place) => old[place] !== fresh[place])
    return parts.length === 0 ? [] : [[name, parts] as const]
  })
  return Object.fromEntries(found)
}

const partWords: Readonly<Record<ToolPart, string>> = {
  description: 'description',
  arguments: 'schema of the arguments',
  class: 'class',
  answer: 'schema of the answer',
}

/** The change in one sentence each, for a person. */
export function changeSentences(change: FingerprintChange): string[] {
  const { agent, instructions, output, added, removed, changed, changedParts, unnamed } = change
  const isToldOf = (name: string) => Object.hasOwn(changedParts, name)
  const untold = changed.filter((name) => !isToldOf(name))
  const named = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${names.map((name) => `"${name}"`).join(', ')}`]
  return [
    ...(agent === undefined ? [] : [`the agent was "${agent.from}" and is "${agent.to}"`]),
    ...(instructions ? ['the instructions changed'] : []),
    ...(output ? ['the output schema changed'] : []),
    ...named('tools added', added),
    ...named('tools removed', removed),
    ...changed.filter(isToldOf).map((name) => `of the tool "${name}" changed: ${partsOf(change, name)}`),
    ...named('description, schema or class of tools changed', untold),
    ...(unnamed ? ['the tools changed, and there are too many of them for the log to name which'] : []),
  ]
}

function partsOf({ changedParts }: FingerprintChange, name: string): string {
  return (changedParts[name] ?? []).map((part) => partWords[part]).join(', ')
}
