/** The area of work that owns a behaviour. */
export type Area =
  | 'spine'
  | 'proof'
  | 'agents'
  | 'host'
  | 'governance'
  | 'console'
  | 'mcp'
  | 'workspace'
  | 'programs'
  | 'http'

export type RequirementState = 'tested' | 'deferred' | 'deviates'

/** One behaviour that a contract or a scenario demands. */
export interface Requirement {
  /** `tools-and-approvals/result-string` for a sentence of a contract, `approvals/B1` for a scenario. */
  readonly id: string
  /** The behaviour in one sentence. */
  readonly says: string
  readonly state: RequirementState
  readonly owner: Area
  /** Why ours is another behaviour: needed by `deviates`; a `deferred` row may already name it. */
  readonly reason?: string
  /** The scenario whose test proves this row too. */
  readonly coveredBy?: string
}

/** Rows of one state and one owner, from names to sentences. */
export function rows(
  source: string,
  state: 'tested' | 'deferred',
  owner: Area,
  sentences: Readonly<Record<string, string>>,
): readonly Requirement[] {
  return Object.entries(sentences).map(([name, says]) => ({ id: `${source}/${name}`, says, state, owner }))
}

/** Rows where ours is another behaviour than the text's, from names to the sentence and the reason. */
export function differing(
  source: string,
  state: 'deviates' | 'deferred',
  owner: Area,
  sentences: Readonly<Record<string, readonly [says: string, reason: string]>>,
): readonly Requirement[] {
  return Object.entries(sentences).map(([name, [says, reason]]) => ({
    id: `${source}/${name}`,
    says,
    state,
    owner,
    reason,
  }))
}
